/** Turns the fields of one app of the file into the plan of what is started, with all checks. */
import { basename } from 'node:path';
import { A_PORT, LAST_PORT } from '../flag-hints.ts';
import { eitherOf } from '../../contract/list-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { bytesOf } from '../reference-flags.ts';
import { OVER_TLS, PROTOCOLS } from '../run-flags.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { appIdProblem, isAppAddress } from '../../domain/names.ts';
import { shownTyped } from '../../domain/redact.ts';
import { mistakeAt } from './file-mistake.ts';
import { NAMES } from './fields.ts';
import { healthOf } from './health-fields.ts';
import type { Found, MergedFields, Notes } from './merged-fields.ts';
import { absolute, checkNamedPaths, existingFolder, pathOf, resourcesOf } from './paths.ts';
import type { PlanFacts } from './paths.ts';
import { DESTINATIONS } from './plan.ts';
import type { Dependency, Destination, PlannedApp } from './plan.ts';
import { inQuotes, inWords, readText, shown } from './values.ts';
import type { Position, Tree } from './yaml-tree.ts';

const LOCAL = '127.0.0.1';
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'panic'];
const PULL_POLICIES = ['Always', 'Never', 'IfNotPresent'];
const RESTARTS = ['never', 'on-failure'];

export interface AppFacts extends PlanFacts {
  readonly notes: Notes;
}

/** What the checks across apps need of one, with the positions of the fields that they name: as far as it can be read. */
export interface NamedApp extends Pick<
  PlannedApp,
  'appId' | 'host' | 'sidecarPort' | 'grpcPort' | 'dependsOn'
> {
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

export interface ReadApp {
  /** undefined: nothing says its id. */
  readonly named: NamedApp | undefined;
  /** undefined: the app has mistakes, all of which are among those of the file. */
  readonly plan: PlannedApp | undefined;
}

/** Makes the plan of an app. */
export function planApp(fields: MergedFields, facts: AppFacts): ReadApp {
  const { mistakes } = facts;
  const before = mistakes.count;
  const folder = mistakes.attempt(() => folderOf(fields, facts));
  const found = mistakes.attempt(() => dependenciesOf(fields, facts)) ?? [];
  const dependsOn = found.map(({ value }) => value);
  const plain = plainFieldsOf(fields, facts);
  const address = addressOf(fields, facts);
  const inFolder = folder === undefined ? undefined : fieldsInFolder(fields, folder, facts);
  const appId = inFolder?.appId ?? idGiven(fields, folder);
  const named: NamedApp | undefined =
    appId === ''
      ? undefined
      : {
          appId,
          ...(address ?? { host: LOCAL }),
          dependsOn,
          positions: {
            app: fields.at,
            ...portPosition('appPort', fields.number('appPort')),
            ...portPosition('sidecarPort', fields.number(NAMES.sidecarPort)),
            ...portPosition('grpcPort', fields.number(NAMES.grpcPort)),
            dependsOn: found.map(({ at }) => at),
          },
        };
  if (mistakes.count > before || address === undefined || inFolder === undefined)
    return { named, plan: undefined };
  const watch = fields.texts('watch')?.value ?? [];
  return { named, plan: { ...plain, ...inFolder, ...address, env: fields.env(), dependsOn, watch } };
}

/** Fields whose values are words, numbers and sizes. */
function plainFieldsOf(
  fields: MergedFields,
  facts: AppFacts,
): Pick<PlannedApp, 'command' | 'restart'> & Partial<PlannedApp> {
  const { mistakes } = facts;
  const logLevel = mistakes.attempt(() => levelOf(fields, facts));
  const appLog = mistakes.attempt(() => destinationOf(fields, 'appLogDestination', facts));
  const sidecarLog = mistakes.attempt(() => destinationOf(fields, NAMES.sidecarLog, facts));
  mistakes.attempt(() => wordOf(fields, 'containerImagePullPolicy', PULL_POLICIES, facts));
  mistakes.attempt(() => sizeOf(fields, 'readBufferSize', facts));
  const maxConcurrency = fields.number('appMaxConcurrency');
  const maxBodyBytes = mistakes.attempt(() => sizeOf(fields, 'maxBodySize', facts));
  const health = mistakes.attempt(() => healthOf(fields, facts));
  const restart = mistakes.attempt(() => wordOf(fields, 'restart', RESTARTS, facts));
  return {
    command: mistakes.attempt(() => commandOf(fields, facts)) ?? [],
    ...(maxConcurrency === undefined ? {} : { maxConcurrency: Math.max(0, maxConcurrency.value) }),
    ...withoutUndefined({ health, maxBodyBytes, logLevel, appLog, sidecarLog }),
    restart: restart === 'on-failure' ? 'on-failure' : 'never',
  };
}

/** Fields that need the folder of the app. */
function fieldsInFolder(
  fields: MergedFields,
  folder: string,
  facts: AppFacts,
): Pick<PlannedApp, 'appId' | 'folder' | 'resources'> {
  const { mistakes } = facts;
  const appId = mistakes.attempt(() => idOf(fields, folder, facts)) ?? idGiven(fields, folder);
  checkNamedPaths(fields, folder, facts);
  noteUnread(fields, folder, facts);
  return { appId, folder, resources: mistakes.attempt(() => resourcesOf(fields, folder, facts)) ?? [] };
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
  const problem = appIdProblem(appId);
  if (problem === undefined) return appId;
  const of = given === undefined ? 'the name of the folder is the id, and' : 'appID';
  throw mistakeAt(facts.file, given?.at ?? fields.at, `${of} ${problem}`);
}

/** The id as others may name it, right or wrong; "" = there is none. */
function idGiven(fields: MergedFields, folder = fields.text('appDirPath')?.value ?? ''): string {
  return fields.text('appID')?.value ?? basename(folder);
}

function commandOf(fields: MergedFields, { file }: AppFacts): readonly string[] {
  const given = fields.texts('command');
  if (given?.value[0] === '') throw mistakeAt(file, given.at, 'command: exec: no command');
  return given?.value ?? [];
}

type Address = Pick<PlannedApp, 'host' | 'protocolName' | 'url' | 'sidecarPort' | 'grpcPort'> &
  Pick<NamedApp, 'appPort'>;

/** Address of the app, and the ports of its sidecar; undefined: one of them is a mistake. */
function addressOf(fields: MergedFields, facts: AppFacts): Address | undefined {
  const { mistakes } = facts;
  const [appPort, sidecarPort, grpcPort] = ['appPort', NAMES.sidecarPort, NAMES.grpcPort].map((key) =>
    mistakes.attempt(() => portOf(fields, key, facts)),
  );
  const protocol = mistakes.attempt(() => protocolOf(fields, facts));
  if (protocol === undefined) return undefined;
  const channel = fields.text('appChannelAddress');
  const host = channel?.value ?? LOCAL;
  const url = `${protocol.scheme}://${host.includes(':') ? `[${host}]` : host}:${appPort ?? 1}`;
  if (!isAppAddress(url)) {
    const reason = `appChannelAddress must be a host, got ${inQuotes(shownTyped(host))}`;
    mistakes.add(mistakeAt(facts.file, channel?.at, reason));
    return undefined;
  }
  return {
    host,
    protocolName: protocol.name,
    ...(appPort === undefined ? {} : { appPort, url }),
    ...withoutUndefined({ sidecarPort, grpcPort }),
  };
}

function protocolOf(
  fields: MergedFields,
  facts: AppFacts,
): { readonly name: string; readonly scheme: string } {
  const given = fields.text('appProtocol');
  const word = given?.value.toLowerCase() ?? 'http';
  const known = Object.hasOwn(PROTOCOLS, word) ? PROTOCOLS[word] : undefined;
  if (known === undefined) {
    const reason = `appProtocol must be http, https, grpc, grpcs or h2c, got ${inQuotes(given?.value ?? '')}`;
    throw mistakeAt(facts.file, given?.at, `${reason}${didYouMean(word, Object.keys(PROTOCOLS))}`);
  }
  const overTls = fields.isOn('appSSL') ? OVER_TLS[word] : undefined;
  return { name: overTls ?? word, scheme: overTls ?? known };
}

/** A port of the app; undefined: not given, 0 or negative. */
function portOf(fields: MergedFields, key: string, { file }: AppFacts): number | undefined {
  const given = fields.number(key);
  if (given === undefined || given.value <= 0) return undefined;
  if (given.value > LAST_PORT)
    throw mistakeAt(file, given.at, `${key} must be ${A_PORT}, got ${given.value}`);
  return given.value;
}

function portPosition(key: string, given: Found<number> | undefined): Readonly<Record<string, Position>> {
  return given === undefined ? {} : { [key]: given.at };
}

function sizeOf(fields: MergedFields, key: string, { file }: AppFacts): number | undefined {
  const given = fields.text(key);
  if (given === undefined) return undefined;
  const read = bytesOf(given.value);
  if ('text' in read) return Number(read.text);
  const what = key === 'maxBodySize' ? 'invalid max request body size' : `invalid ${key}`;
  throw mistakeAt(file, given.at, `${what}: expected ${read.expected}, got ${inQuotes(given.value)}`);
}

/** Log level in any case, as in the reference. */
function levelOf(fields: MergedFields, { file }: AppFacts): string | undefined {
  const given = fields.text('logLevel');
  const level = given?.value.toLowerCase();
  if (given === undefined || level === undefined || LEVELS.includes(level)) return level;
  const reason = `logLevel must be ${eitherOf(LEVELS)}, got ${inQuotes(given.value)}`;
  throw mistakeAt(file, given.at, `${reason}${didYouMean(level, LEVELS)}`);
}

function wordOf(
  fields: MergedFields,
  key: string,
  words: readonly string[],
  { file }: AppFacts,
): string | undefined {
  const given = fields.text(key);
  if (given === undefined || words.includes(given.value)) return given?.value;
  const reason = `${key} must be ${eitherOf(words)}, got ${inQuotes(given.value)}`;
  throw mistakeAt(file, given.at, `${reason}${didYouMean(given.value, words)}`);
}

function destinationOf(fields: MergedFields, key: string, { file }: AppFacts): Destination | undefined {
  const given = fields.text(key);
  if (given === undefined) return undefined;
  const found = DESTINATIONS.find((one) => one === given.value);
  if (found !== undefined) return found;
  const reason = `invalid log destination type: ${inWords(given.value)}; ${key} must be ${eitherOf(DESTINATIONS)}`;
  throw mistakeAt(file, given.at, `${reason}${didYouMean(given.value, DESTINATIONS)}`);
}

/** Fields of an app that need another one of that app to have an effect. */
const NEEDS: readonly (readonly [field: string, needed: string])[] = [
  ['enableAppHealthCheck', 'appPort'],
  ['dependsOn', 'command'],
  ['restart', 'command'],
  ['watch', 'command'],
];

/** Notes the fields that are checked and have no effect. */
function noteUnread(fields: MergedFields, folder: string, facts: AppFacts): void {
  for (const [field, needed] of NEEDS) {
    const found = fields.own('app', field);
    if (found === undefined || fields.own('app', needed) !== undefined) continue;
    facts.notes.add(`${field} alone`, found.at, `${field} has no effect without ${needed}`);
  }
  const configuration = fields.text('configFilePath');
  if (configuration === undefined) return;
  const path = pathOf(configuration, folder, facts);
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
      throw bad(at, `${inWords(key)} is not known; expected app and condition`);
    const read = readText(value);
    if ('wrong' in read) throw bad(read.at, `${key} ${read.wrong}`);
    texts.set(key, read.value);
  }
  const appId = texts.get('app') ?? '';
  const condition = texts.get('condition') ?? 'healthy';
  if (appId === '') throw bad(tree, 'app is missing');
  if (condition !== 'healthy' && condition !== 'started')
    throw bad(tree, `condition must be healthy or started, got ${inQuotes(condition)}`);
  return { appId, condition };
}
