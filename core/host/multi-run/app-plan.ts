/** Turns the fields of one app of the file into the plan of what is started, with all checks. */
import { basename } from 'node:path';
import { eitherOf } from '../../contract/list-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { bytesOf } from '../reference-flags.ts';
import { OVER_TLS, PROTOCOLS } from '../run-flags.ts';
import { SETTINGS } from '../setting-table.ts';
import { APP_ID, APP_ID_WORDS, isAppAddress } from '../../domain/names.ts';
import { mistakeAt } from './file-mistake.ts';
import { NAMES } from './fields.ts';
import type { Found, MergedFields, Notes } from './merged-fields.ts';
import { existingFile, existingFolder, absolute, pathOf, resourcesOf } from './paths.ts';
import type { PathFacts } from './paths.ts';
import { DESTINATIONS } from './plan.ts';
import type { Dependency, Destination, PlannedApp } from './plan.ts';
import { readText, shown } from './values.ts';
import type { Position, Tree } from './yaml-tree.ts';

const LOCAL = '127.0.0.1';
const MOST_PORT = 65_535;
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'panic'];
const PULL_POLICIES = ['Always', 'Never', 'IfNotPresent'];

export interface AppFacts extends PathFacts {
  readonly notes: Notes;
}

/** A planned app, with the positions of the fields that later checks name. */
export interface LocatedApp extends PlannedApp {
  readonly positions: {
    readonly app: Position;
    readonly appPort?: Position;
    readonly sidecarPort?: Position;
    readonly grpcPort?: Position;
    /** Positions of the items of `dependsOn`, in order. */
    readonly dependsOn: readonly Position[];
  };
  readonly appPort?: number;
}

/** Makes the plan of an app. Throws UsageError. */
export function planApp(fields: MergedFields, facts: AppFacts): LocatedApp {
  const folder = folderOf(fields, facts);
  const dependsOn = dependenciesOf(fields, facts);
  const { env, command } = commandOf(fields, facts);
  const logLevel = wordOf(fields, 'logLevel', LEVELS, facts);
  const appLog = destinationOf(fields, 'appLogDestination', facts);
  const sidecarLog = destinationOf(fields, NAMES.sidecarLog, facts);
  wordOf(fields, 'containerImagePullPolicy', PULL_POLICIES, facts);
  sizeOf(fields, 'readBufferSize', facts);
  noteUnread(fields, folder, facts);
  const maxConcurrency = fields.number('appMaxConcurrency');
  const maxBodyBytes = sizeOf(fields, 'maxBodySize', facts);
  return {
    appId: idOf(fields, folder, facts),
    folder,
    command,
    ...addressOf(fields, facts),
    resources: resourcesOf(fields, folder, facts),
    ...(maxConcurrency === undefined ? {} : { maxConcurrency: Math.max(0, maxConcurrency.value) }),
    ...(fields.isOn('enableAppHealthCheck') ? { health: healthOf(fields) } : {}),
    ...withoutUndefined({ maxBodyBytes, logLevel, appLog, sidecarLog }),
    env,
    dependsOn: dependsOn.map(({ value }) => value),
    restart:
      wordOf(fields, 'restart', ['never', 'on-failure'], facts) === 'on-failure' ? 'on-failure' : 'never',
    watch: fields.texts('watch')?.value ?? [],
    positions: {
      app: fields.at,
      ...portPosition('appPort', fields.number('appPort')),
      ...portPosition('sidecarPort', fields.number(NAMES.sidecarPort)),
      ...portPosition('grpcPort', fields.number(NAMES.grpcPort)),
      dependsOn: dependsOn.map(({ at }) => at),
    },
  };
}

function folderOf(fields: MergedFields, facts: AppFacts): string {
  const given = fields.text('appDirPath');
  if (given === undefined)
    throw mistakeAt(
      facts.file,
      fields.at,
      `required field 'appDirPath' not found in the provided app config file${facts.notes.insteadOf('appDirPath', fields.at)}`,
    );
  return existingFolder('appDirPath', absolute(given.value, facts.base, facts), given.at, facts);
}

function idOf(fields: MergedFields, folder: string, facts: AppFacts): string {
  const given = fields.text('appID');
  const appId = given?.value ?? basename(folder);
  if (APP_ID.test(appId)) return appId;
  const of = given === undefined ? 'the name of the folder is the id, and' : 'appID';
  throw mistakeAt(facts.file, given?.at ?? fields.at, `${of} must be ${APP_ID_WORDS}, got "${appId}"`);
}

function commandOf(
  fields: MergedFields,
  { file }: AppFacts,
): { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const given = fields.texts('command');
  const env = fields.env();
  if (given?.value[0] === '') throw mistakeAt(file, given.at, 'command: exec: no command');
  const texts = [...(given?.value ?? []), ...Object.keys(env), ...Object.values(env)];
  if (texts.some((text) => text.includes('\0')))
    throw mistakeAt(file, given?.at ?? fields.at, 'command and env must not hold a zero character');
  return { command: given?.value ?? [], env };
}

/** Address of the app, and the ports of its sidecar. */
function addressOf(
  fields: MergedFields,
  facts: AppFacts,
): Pick<LocatedApp, 'host' | 'protocolName' | 'url' | 'sidecarPort' | 'grpcPort' | 'appPort'> {
  const given = fields.text('appProtocol');
  const word = given?.value.toLowerCase() ?? 'http';
  const known = Object.hasOwn(PROTOCOLS, word) ? PROTOCOLS[word] : undefined;
  if (known === undefined)
    throw mistakeAt(
      facts.file,
      given?.at,
      `appProtocol must be http, https, grpc, grpcs or h2c, got "${given?.value ?? ''}"`,
    );
  if (word === 'h2c' && given !== undefined)
    facts.notes.add('appProtocol h2c', given.at, 'appProtocol h2c is served as http: HTTP/1.1 is spoken');
  const overTls = fields.isOn('appSSL') ? OVER_TLS[word] : undefined;
  const scheme = overTls ?? known;
  const host = fields.text('appChannelAddress')?.value ?? LOCAL;
  const appPort = portOf(fields, 'appPort', facts);
  const sidecarPort = portOf(fields, NAMES.sidecarPort, facts);
  const grpcPort = portOf(fields, NAMES.grpcPort, facts);
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${appPort ?? 1}`;
  if (!isAppAddress(url))
    throw mistakeAt(facts.file, fields.at, `appChannelAddress must be a host, got "${host}"`);
  return {
    host,
    protocolName: overTls ?? word,
    ...(appPort === undefined ? {} : { appPort, url }),
    ...withoutUndefined({ sidecarPort, grpcPort }),
  };
}

/** A port of the app; undefined: not given, 0 or negative. */
function portOf(fields: MergedFields, key: string, { file }: AppFacts): number | undefined {
  const given = fields.number(key);
  if (given === undefined || given.value <= 0) return undefined;
  if (given.value > MOST_PORT)
    throw mistakeAt(file, given.at, `${key} must be a port from 0 to ${MOST_PORT}, got ${given.value}`);
  return given.value;
}

function portPosition(key: string, given: Found<number> | undefined): Readonly<Record<string, Position>> {
  return given === undefined ? {} : { [key]: given.at };
}

/** Health settings of the app; zero stands for the default. */
function healthOf(fields: MergedFields): NonNullable<PlannedApp['health']> {
  const standard = SETTINGS['app.health'].default;
  const path = fields.text('appHealthCheckPath')?.value;
  const seconds = fields.number('appHealthProbeInterval')?.value;
  return {
    enabled: true,
    path: path === undefined ? standard.path : path.startsWith('/') ? path : `/${path}`,
    intervalMs: seconds === undefined ? standard.intervalMs : seconds * 1000,
    timeoutMs: fields.number('appHealthProbeTimeout')?.value ?? standard.timeoutMs,
    threshold: fields.number('appHealthThreshold')?.value ?? standard.threshold,
  };
}

function sizeOf(fields: MergedFields, key: string, { file }: AppFacts): number | undefined {
  const given = fields.text(key);
  if (given === undefined) return undefined;
  const read = bytesOf(given.value);
  if ('text' in read) return Number(read.text);
  const what = key === 'maxBodySize' ? 'invalid max request body size' : `invalid ${key}`;
  throw mistakeAt(file, given.at, `${what}: expected ${read.expected}, got "${given.value}"`);
}

function wordOf(
  fields: MergedFields,
  key: string,
  words: readonly string[],
  { file }: AppFacts,
): string | undefined {
  const given = fields.text(key);
  if (given === undefined || words.includes(given.value)) return given?.value;
  throw mistakeAt(file, given.at, `${key} must be ${eitherOf(words)}, got "${given.value}"`);
}

function destinationOf(fields: MergedFields, key: string, { file }: AppFacts): Destination | undefined {
  const given = fields.text(key);
  if (given === undefined) return undefined;
  const found = DESTINATIONS.find((one) => one === given.value);
  if (found !== undefined) return found;
  const reason = `invalid log destination type: ${given.value}; ${key} must be ${eitherOf(DESTINATIONS)}`;
  throw mistakeAt(file, given.at, reason);
}

/** Notes the fields for files and addresses that are checked and have no effect. */
function noteUnread(fields: MergedFields, folder: string, facts: AppFacts): void {
  const configuration = fields.text('configFilePath');
  if (configuration === undefined) return;
  const path = existingFile('configFilePath', pathOf(configuration, folder, facts), configuration.at, facts);
  const reason = `configFilePath ${path} is a Configuration of the reference: nothing in it is used here`;
  facts.notes.add(`configuration ${path}`, configuration.at, reason);
}

/** Reads `dependsOn: [id, {app: id, condition: healthy|started}]`; a bare id waits for a healthy app. */
function dependenciesOf(
  fields: MergedFields,
  { file }: AppFacts,
): readonly { readonly value: Dependency; readonly at: Position }[] {
  const tree = fields.tree('dependsOn');
  if (tree === undefined || tree.kind === 'null') return [];
  if (tree.kind !== 'list')
    throw mistakeAt(
      file,
      tree,
      `dependsOn must be a list: [id] or [{app: id, condition: started}]; it is ${shown(tree)}`,
    );
  return tree.items.map((item) => ({ value: dependencyOf(item, file), at: item }));
}

function dependencyOf(tree: Tree, file: string): Dependency {
  const bad = (at: Tree | Position, message: string): Error => mistakeAt(file, at, `dependsOn: ${message}`);
  if (tree.kind !== 'map') {
    const id = readText(tree);
    if ('wrong' in id || id.value === '')
      throw bad(tree, `expected an app id or {app: id, condition: healthy or started}, got ${shown(tree)}`);
    return { appId: id.value, condition: 'healthy' };
  }
  const texts = new Map<string, string>();
  for (const { key, at, value } of tree.entries) {
    if (key !== 'app' && key !== 'condition')
      throw bad(at, `${key} is not known; expected app and condition`);
    const read = readText(value);
    if ('wrong' in read) throw bad(read.at, `${key} ${read.wrong}`);
    texts.set(key, read.value);
  }
  const appId = texts.get('app') ?? '';
  const condition = texts.get('condition') ?? 'healthy';
  if (appId === '') throw bad(tree, 'app is missing');
  if (condition !== 'healthy' && condition !== 'started')
    throw bad(tree, `condition must be healthy or started, got "${condition}"`);
  return { appId, condition };
}
