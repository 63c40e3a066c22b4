/** Turns the fields of one app of the file into the plan of what is started, with all checks. */
import { basename } from 'node:path';
import { eitherOf } from '../../contract/list-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { bytesOf } from '../reference-flags.ts';
import { OVER_TLS, PROTOCOLS } from '../run-flags.ts';
import { appIdProblem, isAppAddress } from '../../domain/names.ts';
import { mistakeAt } from './file-mistake.ts';
import { NAMES } from './fields.ts';
import { healthOf } from './health-fields.ts';
import type { Found, MergedFields, Notes } from './merged-fields.ts';
import { absolute, checkNamedPaths, existingFolder, pathOf, resourcesOf } from './paths.ts';
import type { PathFacts } from './paths.ts';
import { DESTINATIONS } from './plan.ts';
import type { Dependency, Destination, PlannedApp } from './plan.ts';
import { inQuotes, inWords, readText, shown } from './values.ts';
import type { Position, Tree } from './yaml-tree.ts';

const LOCAL = '127.0.0.1';
const MAX_PORT = 65_535;
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
  const logLevel = levelOf(fields, facts);
  const appLog = destinationOf(fields, 'appLogDestination', facts);
  const sidecarLog = destinationOf(fields, NAMES.sidecarLog, facts);
  wordOf(fields, 'containerImagePullPolicy', PULL_POLICIES, facts);
  sizeOf(fields, 'readBufferSize', facts);
  checkNamedPaths(fields, folder, facts);
  noteUnread(fields, folder, facts);
  const maxConcurrency = fields.number('appMaxConcurrency');
  const maxBodyBytes = sizeOf(fields, 'maxBodySize', facts);
  return {
    appId: idOf(fields, folder, facts),
    folder,
    command: commandOf(fields, facts),
    ...addressOf(fields, facts),
    resources: resourcesOf(fields, folder, facts),
    ...(maxConcurrency === undefined ? {} : { maxConcurrency: Math.max(0, maxConcurrency.value) }),
    ...withoutUndefined({ health: healthOf(fields, facts), maxBodyBytes, logLevel, appLog, sidecarLog }),
    env: fields.env(),
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
  const problem = appIdProblem(appId);
  if (problem === undefined) return appId;
  const of = given === undefined ? 'the name of the folder is the id, and' : 'appID';
  throw mistakeAt(facts.file, given?.at ?? fields.at, `${of} ${problem}`);
}

function commandOf(fields: MergedFields, { file }: AppFacts): readonly string[] {
  const given = fields.texts('command');
  if (given?.value[0] === '') throw mistakeAt(file, given.at, 'command: exec: no command');
  return given?.value ?? [];
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
      `appProtocol must be http, https, grpc, grpcs or h2c, got ${inQuotes(given?.value ?? '')}`,
    );
  if (word === 'h2c' && given !== undefined)
    facts.notes.add('appProtocol h2c', given.at, 'appProtocol h2c is served as http: HTTP/1.1 is spoken');
  const overTls = fields.isOn('appSSL') ? OVER_TLS[word] : undefined;
  const scheme = overTls ?? known;
  const channel = fields.text('appChannelAddress');
  const host = channel?.value ?? LOCAL;
  const appPort = portOf(fields, 'appPort', facts);
  const sidecarPort = portOf(fields, NAMES.sidecarPort, facts);
  const grpcPort = portOf(fields, NAMES.grpcPort, facts);
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${appPort ?? 1}`;
  if (!isAppAddress(url))
    throw mistakeAt(facts.file, channel?.at, `appChannelAddress must be a host, got ${inQuotes(host)}`);
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
  if (given.value > MAX_PORT)
    throw mistakeAt(file, given.at, `${key} must be a port from 0 to ${MAX_PORT}, got ${given.value}`);
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
  throw mistakeAt(file, given.at, `logLevel must be ${eitherOf(LEVELS)}, got ${inQuotes(given.value)}`);
}

function wordOf(
  fields: MergedFields,
  key: string,
  words: readonly string[],
  { file }: AppFacts,
): string | undefined {
  const given = fields.text(key);
  if (given === undefined || words.includes(given.value)) return given?.value;
  throw mistakeAt(file, given.at, `${key} must be ${eitherOf(words)}, got ${inQuotes(given.value)}`);
}

function destinationOf(fields: MergedFields, key: string, { file }: AppFacts): Destination | undefined {
  const given = fields.text(key);
  if (given === undefined) return undefined;
  const found = DESTINATIONS.find((one) => one === given.value);
  if (found !== undefined) return found;
  const reason = `invalid log destination type: ${inWords(given.value)}; ${key} must be ${eitherOf(DESTINATIONS)}`;
  throw mistakeAt(file, given.at, reason);
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
