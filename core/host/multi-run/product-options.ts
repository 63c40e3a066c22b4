/** Turns a plan into options of the product: its apps, the components of each, and the folder of the data. */
import { createHash } from 'node:crypto';
import { basename, join, relative, sep } from 'node:path';
import { PROFILES } from '../../contract/profile.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { fileBase } from '../../domain/names.ts';
import type { AppOption, ProductOptions, ResourceSet, SidecarOwn } from '../options.ts';
import { NAMES } from './fields.ts';
import type { PlannedApp, RunPlan } from './plan.ts';

const NAMESPACE = 'NAMESPACE';

/** The options with the content of the file. Notes on the file and on flags become warnings in the log. */
export function productOptions(options: ProductOptions, plan: RunPlan): ProductOptions {
  const { apps, base } = plan;
  const sets = resourceSets(apps, base);
  const [only, ...more] = sets;
  // One folder for all apps is used as with --resources, and its files keep their plain names.
  const isPlain = more.length === 0 && only?.namespace === undefined && (only?.folders.length ?? 0) < 2;
  const folder = only?.folders[0]?.path;
  return {
    ...options,
    apps: apps.map((app) => appOption(app, options, plan.file)),
    ...(isPlain ? (folder === undefined ? {} : { resources: folder }) : { resourceSets: sets }),
    runName: runName(plan),
    logLevel: options.isLogLevelGiven ? options.logLevel : levelOf(apps),
    flagNotes: [
      ...options.flagNotes,
      ...unusedFlags(options.unusedFlags),
      ...plan.notes,
      ...withoutCommand(apps),
      ...(options.isLogLevelGiven ? [] : [...unusedLevels(apps), ...sharedDestinations(apps)]),
      ...tokenNotes(apps, options),
    ],
  };
}

function appOption(app: PlannedApp, { profile }: ProductOptions, runFile: string): AppOption {
  const names = tokenNames(profile);
  const appApiToken = app.env[PROFILES[profile].env.appApiToken];
  const apiToken = names.map((name) => app.env[name]).find((value) => value !== undefined);
  const own: AppOption['own'] = {
    ...withoutUndefined({
      maxConcurrency: app.maxConcurrency,
      health: app.health,
      appApiToken,
      namespace: app.env[NAMESPACE],
    }),
  };
  const edge: SidecarOwn = {
    ...withoutUndefined({ maxBodyBytes: app.maxBodyBytes, apiToken }),
  };
  return {
    appId: app.appId,
    ...(app.url === undefined
      ? { noAddress: true }
      : { url: app.url, addressFrom: `appPort of app ${app.appId} in ${runFile}` }),
    runFile,
    ...withoutUndefined({ sidecarPort: app.sidecarPort, grpcPort: app.grpcPort }),
    portNames: {
      http: `${NAMES.sidecarPort} of app ${app.appId}`,
      grpc: `${NAMES.grpcPort} of app ${app.appId}`,
    },
    own,
    edge,
  };
}

/** Names of the variables for a sidecar's token: in the profile, and in stock SDKs. */
function tokenNames(profile: ProductOptions['profile']): readonly string[] {
  return [...new Set([PROFILES[profile].env.apiToken, PROFILES.dapr.env.apiToken])];
}

/**
 * Groups apps by folders. Apps with the same folders share their components; others have their own, even if
 * names are equal.
 */
function resourceSets(apps: readonly PlannedApp[], base: string): readonly ResourceSet[] {
  const groups = new Map<string, PlannedApp[]>();
  for (const app of apps) {
    const key = JSON.stringify([app.resources, app.env[NAMESPACE]]);
    groups.set(key, [...(groups.get(key) ?? []), app]);
  }
  return [...groups.values()].map((group) => {
    const namespace = group[0]?.env[NAMESPACE];
    return {
      folders: (group[0]?.resources ?? []).map((path) => ({ path, label: labelOf(path, base) })),
      appIds: group.map(({ appId }) => appId),
      lookedIn: group.map(({ folder }) => folder),
      ...withoutUndefined({ namespace }),
    };
  });
}

function labelOf(path: string, base: string): string {
  const label = relative(base, path).split(sep).join('/');
  return label === '' ? '.' : label;
}

/** Name of the run's data folder, the same for each run of one file and different for other files. */
function runName({ file, base, name }: RunPlan): string {
  const path = join(base, basename(file));
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return `${fileBase(name === '' ? basename(base) : name, 'apps')}-${hash}`;
}

const SEVERE: readonly string[] = ['fatal', 'panic'];

/**
 * Log level for the terminal: that of the sidecars if the file sends their lines to the terminal; otherwise
 * only problems are printed, and Logs has the rest.
 */
function levelOf(apps: readonly PlannedApp[]): ProductOptions['logLevel'] {
  const [first] = apps.filter(isOnScreen);
  if (first === undefined) return 'warn';
  const level = levelIn(first);
  if (SEVERE.includes(level)) return 'error';
  return level === 'debug' || level === 'warn' || level === 'error' ? level : 'info';
}

const isOnScreen = ({ sidecarLog }: PlannedApp): boolean =>
  sidecarLog === 'console' || sidecarLog === 'fileAndConsole';

const levelIn = ({ logLevel = 'info' }: PlannedApp): string => logLevel;

/** A note on apps whose sidecar would print at another level than the one that counts. */
function unusedLevels(apps: readonly PlannedApp[]): readonly string[] {
  const [first, ...others] = apps.filter(isOnScreen);
  if (first === undefined) return [];
  const ids = others.filter((app) => levelIn(app) !== levelIn(first)).map(({ appId }) => appId);
  if (ids.length === 0) return [];
  return [
    `${ids.join(', ')}: logLevel is not used. All sidecars share one log, at the level of ${first.appId}: ${levelIn(first)}.`,
  ];
}

/** A note on apps whose sidecar would print to a file alone, beside one whose lines go to the terminal. */
function sharedDestinations(apps: readonly PlannedApp[]): readonly string[] {
  const first = apps.find(isOnScreen);
  const ids = apps.filter(({ sidecarLog }) => sidecarLog === 'file').map(({ appId }) => appId);
  if (first === undefined || ids.length === 0) return [];
  return [
    `${ids.join(', ')}: ${NAMES.sidecarLog} file also goes to the terminal. All sidecars share one log, and ${first.appId} sends it there.`,
  ];
}

function unusedFlags(flags: readonly string[]): readonly string[] {
  if (flags.length === 0) return [];
  return [`${flags.join(', ')}: not used with -f, the file says what each app has.`];
}

/** A note on apps that are not started here, as an empty command may be a mistake. */
function withoutCommand(apps: readonly PlannedApp[]): readonly string[] {
  const ids = apps.filter(({ command }) => command.length === 0).map(({ appId }) => appId);
  if (ids.length === 0) return [];
  return [`${ids.join(', ')}: without a command only the sidecar starts, and you start the app yourself.`];
}

function tokenNotes(apps: readonly PlannedApp[], { profile }: ProductOptions): readonly string[] {
  const names = [...tokenNames(profile), PROFILES[profile].env.appApiToken, NAMESPACE];
  const used = names.filter((name) => apps.some(({ env }) => env[name] !== undefined));
  if (used.length === 0) return [];
  return [`${used.join(', ')} of an app's env also holds for that app's sidecar.`];
}
