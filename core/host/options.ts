/** Turns the command line into options. Every mistake is one line. README.md and help.ts list the flags. */
import { isIP } from 'node:net';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PROFILE_ALIASES, PROFILE_NAMES } from '../contract/profile.ts';
import type { ProfileName } from '../contract/profile.ts';
import type { Protocol } from '../contract/grpc.ts';
import { eitherOf } from '../contract/list-text.ts';
import {
  addressHint,
  APP_ADDRESS_WORDS,
  APP_ID,
  APP_ID_WORDS,
  hostAndPort,
  isAppAddress,
  withScheme,
} from '../domain/names.ts';
import { shownTyped, withoutUser } from '../domain/redact.ts';
import { nearest } from '../domain/filter/mistakes.ts';
import type { SettingKey } from '../domain/settings.ts';
import { tryParse } from '../domain/json.ts';
import { LOG_LEVELS } from '../adapters/json-log.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { AppOwn } from '../runtime/state/app.ts';
import { parseFlags, takesValue, UsageError } from './flags.ts';
import type { FlagValues, ParsedFlags } from './flags.ts';
import { refuseDefaultPorts } from './default-ports.ts';
import { insteadOf } from './reference-commands.ts';
import { isReferenceConfiguration } from './reference-configuration.ts';
import { appIdHint, LAST_PORT, listenHint, noPort, pathHint, wordHint } from './flag-hints.ts';
import { lookedAt } from './looked-at.ts';
import { readRunFlags } from './run-flags.ts';
import type { RunFlags } from './run-flags.ts';
import { checkRunWords } from './run-words.ts';
import {
  SETTINGS,
  SETTING_KEYS,
  checkSetting,
  isSettingKey,
  parseSettingText,
  unknownAmongKnown,
  wholeSetting,
  withMember,
} from './setting-table.ts';
import { checkPlaceholders, checkTapFlags, readTapRequest } from './tap-flags.ts';
import type { TapRequest } from './tap-flags.ts';
import { writtenListeners } from './written-listeners.ts';
import type { RouterListener } from '../ports/local-router.ts';

type LogLevel = (typeof LOG_LEVELS)[number];

const PROTOCOLS = ['http', 'grpc'] as const satisfies readonly Protocol[];

/** Folders with components for some of the apps. */
export interface ResourceSet {
  /** Absolute folders in order, each with a label for its files; [] = the built-in component. */
  readonly folders: readonly { readonly path: string; readonly label: string }[];
  readonly appIds: readonly string[];
  /** Further folders in which files that a component names are looked up. */
  readonly lookedIn: readonly string[];
  /** Value of `NAMESPACE` for these apps only. */
  readonly namespace?: string;
}

export interface AppOption {
  readonly appId: string;
  /** Address of the app; undefined: a mock app, or no address at all. */
  readonly url?: string;
  /** What gave the address, as a person wrote it: `--app-url`. */
  readonly addressFrom?: string;
  /** Path of the file of several apps that describes it; undefined: flags do. */
  readonly runFile?: string;
  /** True for an app without an address: it only publishes. */
  readonly noAddress?: true;
  /** Port of its sidecar; undefined: it follows from the first app's. */
  readonly sidecarPort?: number;
  /** gRPC port of its sidecar; undefined: it follows from the first app's. */
  readonly grpcPort?: number;
  /** Names of the ports in messages about them; absent: the flag. */
  readonly portNames?: { readonly http: string; readonly grpc: string };
  /** Settings of this app only; absent: none. */
  readonly own?: AppOwn;
  /** Settings of this app's sidecar only. */
  readonly edge?: SidecarOwn;
}

/** Settings of one sidecar. An absent one has the value of the settings or of the start. */
export interface SidecarOwn {
  readonly maxBodyBytes?: number;
  /** Token that callers have to send. */
  readonly apiToken?: string;
}

export interface ProductOptions {
  readonly mode: 'desktop' | 'headless' | 'run' | 'tap';
  /** True if `--headless` was given: the ready line is printed, with `run` and `tap` too. */
  readonly headless: boolean;
  /** Host on which the sidecars listen; absent: this machine only. */
  readonly sidecarHost?: string;
  /** Host on which the console listens; absent: this machine only. */
  readonly consoleHost?: string;
  /** Names by which the console is reached from elsewhere, each with or without a port. */
  readonly consoleAllowedHosts: readonly string[];
  /**
   * Port of the sidecar; undefined = the default, which may be replaced by the next free one, except in
   * headless mode without `run`.
   */
  readonly sidecarPort?: number;
  /** gRPC port of the sidecar; `off`: no sidecar listens for gRPC. */
  readonly grpcPort?: number | 'off';
  /** Protocol of apps without an address, and of those whose address has no scheme. */
  readonly appProtocol: Protocol;
  readonly appPort?: number;
  readonly consolePort?: number;
  /** App and sidecar of `sidelight tap`. `apps` is then []. */
  readonly tap?: TapRequest;
  /** Apps; the first one is that of `--app-id` and `--app-url`. */
  readonly apps: readonly AppOption[];
  readonly resources?: string;
  /** Folders of components for some of the apps, instead of one for all; absent or []: none. */
  readonly resourceSets?: readonly ResourceSet[];
  /** FILE, DIR or `-` of `sidelight run -f`, which has the apps and their settings. */
  readonly runFile?: string;
  /** Folder in which the apps of that file look for `.dapr`; absent: `DAPR_RUNTIME_PATH`, else the home folder. */
  readonly runtimePath?: string;
  /** Flags without a meaning beside a file of several apps, as they were written. */
  readonly unusedFlags: readonly string[];
  /** Name of the data folder of a run; absent: the first app's id. */
  readonly runName?: string;
  /** True: every pub/sub component is served from memory, whatever its type is. */
  readonly localPubsub: boolean;
  /** Absolute folder of the data; undefined: the platform's folder for a user's data. */
  readonly dataDir?: string;
  /** True: nothing is kept on disk. */
  readonly ephemeral: boolean;
  readonly profile: ProfileName;
  /** True if `--profile` was given. */
  readonly isProfileGiven: boolean;
  readonly config?: string;
  readonly set: ReadonlyMap<SettingKey, unknown>;
  /** Texts from which `set` was read, `KEY=VALUE` each. */
  readonly setTexts: readonly string[];
  readonly writtenListeners: ReadonlySet<RouterListener>;
  readonly logLevel: LogLevel;
  /** True if the log level was given. */
  readonly isLogLevelGiven: boolean;
  readonly logFormat: 'text' | 'json';
  /** Writes the lines of the log; absent: to stderr. */
  readonly writeLog?: (line: string) => void;
  /** False: other commands do not find this instance as a running one. Default: they do. */
  readonly isListed?: boolean;
  /** Words after `--` in `sidelight run` and `sidelight tap`; [] = no command. */
  readonly command: readonly string[];
  /** Notes on flags that were accepted and have no effect. */
  readonly flagNotes: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shows a file in its folder; only the desktop shell provides it. */
  readonly reveal?: (path: string) => void;
  /** Called every few seconds while a start takes long. */
  readonly onBusy?: (text: string) => void;
}

export type Asked =
  | { readonly kind: 'start'; readonly options: ProductOptions }
  | { readonly kind: 'version' }
  /** Request for help; `of`: the command. */
  | { readonly kind: 'help'; readonly of?: 'run' | 'tap' }
  /** A command with flags of its own, and the words after its name. */
  | { readonly kind: OwnCommand; readonly argv: readonly string[] };

const OWN_COMMANDS = ['router', 'wait', 'test', 'mcp'] as const;
type OwnCommand = (typeof OWN_COMMANDS)[number];
const COMMANDS: readonly string[] = ['run', 'tap', ...OWN_COMMANDS];

/** Reads the arguments after the program's name. Throws UsageError. */
export function readCommandLine(argv: readonly string[], env: ProductOptions['env']): Asked {
  const own = OWN_COMMANDS.find((word) => word === argv[0]);
  if (own !== undefined) return { kind: own, argv: argv.slice(1) };
  // Other programs have these two as commands, and people type them first.
  if (argv.length === 1 && (argv[0] === 'help' || argv[0] === 'version')) return { kind: argv[0] };
  return readStart(argv, env);
}

function readStart(argv: readonly string[], env: ProductOptions['env']): Asked {
  const dashes = argv.indexOf('--');
  const own = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? [] : argv.slice(dashes + 1);
  checkCommand(own);
  const isWord = (wanted: string): boolean =>
    own.some((word, i) => word === wanted && !takesValue(own[i - 1]));
  const flags = parseFlags(own, isWord('run') ? 'run' : isWord('tap') ? 'tap' : undefined);
  const { values, positionals } = flags;
  const [word, ...more] = positionals;
  const subcommand = word === 'run' || word === 'tap' ? word : undefined;
  if (values.help === true) return { kind: 'help', ...withoutUndefined({ of: subcommand }) };
  if (values.version === true) return { kind: 'version' };
  if (word !== undefined && subcommand === undefined) {
    // The word behind `--set KEY` is its value, written apart.
    const open = values.set?.find((text) => !text.includes('='));
    if (open !== undefined) readSets([`${open} ${word}`]);
    throw unknownCommand(word, own);
  }
  // With run a command that has no flags needs no --.
  const isCommand = subcommand === 'run' && dashes < 0;
  if (more.length > 0 && !isCommand)
    throw new UsageError(`unexpected "${shownTyped(more[0] ?? '')}"; put the command to run after --`);
  if (isCommand) checkRunWords(more);
  if (subcommand === undefined && command.length > 0)
    throw new UsageError('a command after -- needs sidelight run: sidelight run [flags] -- CMD');
  return { kind: 'start', options: optionsOf(flags, subcommand, isCommand ? more : command, env) };
}

/** Checks the first word, before the flags behind it are read. Throws UsageError. */
function checkCommand(words: readonly string[]): void {
  const [first] = words;
  if (first === undefined || first.startsWith('-') || COMMANDS.includes(first)) return;
  throw unknownCommand(first, words);
}

function unknownCommand(word: string, words: readonly string[]): UsageError {
  // After npm start the word seems to belong to Sidelight.
  if (word === 'start')
    return new UsageError(
      `unknown command "start"; Sidelight starts without such a word. Expected ${COMMANDS.join(', ')}, or flags only (--help lists them)`,
    );
  const instead = insteadOf(word, words);
  if (instead !== undefined)
    return new UsageError(`"${word}" is a command of the reference, and not one here: ${instead}`);
  const flag = ['help', 'version'].find((name) => name === word);
  const meant = flag === undefined ? (nearest(word, COMMANDS) ?? longerByOne(word)) : `--${flag}`;
  const hint = meant === undefined ? '' : `, did you mean ${meant}?`;
  return new UsageError(
    `unknown command "${shownTyped(word)}"${hint === '' ? ';' : hint} expected ${COMMANDS.join(', ')}, or flags only (--help lists them)`,
  );
}

/** The command that a word of two letters is without one of its three: `run` for `rn`. Words so short are near to many others. */
function longerByOne(word: string): string | undefined {
  return COMMANDS.find(
    (one) => one.length === 3 && [0, 1, 2].some((i) => one.slice(0, i) + one.slice(i + 1) === word),
  );
}

/** Reads the options of a start like `readCommandLine`, without commands, for the desktop shell. */
export function readOptions(argv: readonly string[], env: ProductOptions['env']): ProductOptions {
  const asked = readCommandLine(argv, env);
  if (asked.kind !== 'start') throw new UsageError('the desktop window takes flags only');
  return asked.options;
}

function optionsOf(
  flags: ParsedFlags,
  subcommand: 'run' | 'tap' | undefined,
  command: readonly string[],
  env: ProductOptions['env'],
): ProductOptions {
  const run = subcommand === 'run';
  const ofRun = readRunFlags(flags.ofReference);
  if (ofRun.runFile !== undefined && command.length > 0)
    throw new UsageError('the file says what is started: a command cannot be given with -f');
  const values = withRunFlags(flags.values, ofRun);
  checkTapFlags(values, subcommand === 'tap');
  const appProtocol = protocolOf(values, ofRun, run);
  if (values.ephemeral === true && values['data-dir'] !== undefined) {
    throw new UsageError(
      '--ephemeral keeps nothing on disk, --data-dir says where to keep it; give only one of them',
    );
  }
  const ports = portsOf(values, ofRun);
  const connected =
    subcommand === 'tap' ? tapOptions(values, command) : addressOptions(values, ofRun, run, appProtocol);
  // With run these defaults give way, and the command gets the port of its sidecar in its environment.
  if (subcommand === undefined) refuseDefaultPorts(connected.apps, ports);
  const setTexts = [...ofRun.sets, ...(values.set ?? [])];
  const config = configOf(nameOf(ofRun, 'config'), values.config, run);
  return {
    mode: subcommand !== undefined ? subcommand : values.headless === true ? 'headless' : 'desktop',
    headless: values.headless === true,
    ...listenersOf(values),
    ...ports,
    appProtocol,
    ...connected,
    localPubsub: values['local-pubsub'] === true,
    ...(values['data-dir'] === undefined
      ? {}
      : { dataDir: parseNewFolder('--data-dir', values['data-dir']) }),
    ephemeral: values.ephemeral === true,
    isProfileGiven: values.profile !== undefined,
    profile: profileOf(
      values.profile ?? (subcommand === 'tap' || ofRun.runFile !== undefined ? 'dapr' : 'sidecar'),
    ),
    ...withoutUndefined({ config: config.file }),
    set: readSets(setTexts),
    setTexts,
    writtenListeners: writtenListeners(
      setTexts.map((text) => text.slice(0, text.indexOf('='))),
      config.file,
    ),
    logLevel: oneOf(nameOf(ofRun, 'log-level'), values['log-level'] ?? 'info', LOG_LEVELS),
    isLogLevelGiven: values['log-level'] !== undefined,
    logFormat: oneOf('--log-format', values['log-format'] ?? 'text', ['text', 'json'] as const),
    command,
    flagNotes: [...ofRun.notes, ...config.notes],
    env,
  };
}

/**
 * Protocol of an app whose address has no scheme. With `run` the word is one of the reference's, which also
 * names TLS. Throws UsageError.
 */
function protocolOf(values: FlagValues, ofRun: RunFlags, isRun: boolean): ProductOptions['appProtocol'] {
  if (!isRun) return oneOf('--app-protocol', values['app-protocol'] ?? 'http', PROTOCOLS);
  return ofRun.scheme?.startsWith('grpc') === true ? 'grpc' : 'http';
}

/** The given ports. Throws UsageError. */
function portsOf(
  values: FlagValues,
  ofRun: RunFlags,
): Pick<ProductOptions, 'sidecarPort' | 'grpcPort' | 'appPort' | 'consolePort'> {
  const sidecarPort = parsePort(nameOf(ofRun, 'sidecar-port'), values['sidecar-port']);
  const grpc = values['grpc-port'];
  const grpcPort = grpc === 'off' ? grpc : parsePort(nameOf(ofRun, 'grpc-port'), grpc, ', or off');
  const appPort = parsePort('--app-port', values['app-port']);
  const consolePort = parsePort('--console-port', values['console-port']);
  return {
    ...withoutUndefined({ sidecarPort, grpcPort, appPort, consolePort }),
  };
}

/**
 * Hosts of sidecars and console, and the names under which a browser may open the console. Throws UsageError.
 */
function listenersOf(
  values: FlagValues,
): Pick<ProductOptions, 'sidecarHost' | 'consoleHost' | 'consoleAllowedHosts'> {
  const sidecar = values['sidecar-host'];
  const console = values['console-host'];
  return {
    ...(sidecar === undefined ? {} : { sidecarHost: parseListenAddress('--sidecar-host', sidecar) }),
    ...(console === undefined ? {} : { consoleHost: parseListenAddress('--console-host', console) }),
    consoleAllowedHosts: (values['console-allowed-host'] ?? []).map(checkHostName),
  };
}

/** Options of a tap. It has no own sidecar, so no apps and no components. Throws UsageError. */
function tapOptions(
  values: FlagValues,
  command: readonly string[],
): Pick<ProductOptions, 'apps' | 'tap' | 'unusedFlags'> {
  const tap = readTapRequest(values, checkAppId('--app-id', values['app-id'] ?? 'app'), parsePort);
  checkPlaceholders(command, tap);
  return {
    tap,
    apps: [],
    unusedFlags: [],
  };
}

/** Flags that a file of several apps replaces. */
const OF_ONE_APP = ['app-id', 'app-url', 'app', 'resources'] as const;

/** The apps and their components, or the file that has them. Throws UsageError. */
function addressOptions(
  values: FlagValues,
  ofRun: RunFlags,
  run: boolean,
  appProtocol: Protocol,
): Pick<ProductOptions, 'apps' | 'resources' | 'resourceSets' | 'runFile' | 'runtimePath' | 'unusedFlags'> {
  const { runFile, runtimePath, unused } = ofRun;
  if (runFile !== undefined) {
    const ours = OF_ONE_APP.filter((name) => values[name] !== undefined).map((name) => `--${name}`);
    const looked = runtimePath === undefined ? {} : { runtimePath };
    return { apps: [], runFile, ...looked, unusedFlags: [...unused, ...ours] };
  }
  const apps = appsOf(values, ofRun, run, appProtocol);
  const flag = nameOf(ofRun, 'resources');
  return { apps, ...resourcesOf(flag, values.resources ?? [], apps), unusedFlags: [] };
}

/**
 * Folders of components. One folder is for all; of several, files are named after their folder. Throws
 * UsageError.
 */
function resourcesOf(
  flag: string,
  given: readonly string[],
  apps: readonly AppOption[],
): Pick<ProductOptions, 'resources' | 'resourceSets'> {
  const paths = given.map((one) => checkFolder(flag, one));
  const [only, ...further] = paths;
  if (only === undefined) return {};
  if (further.length === 0) return { resources: only };
  const folders = paths.map((path) => ({ path: resolve(path), label: path }));
  return { resourceSets: [{ folders, appIds: apps.map(({ appId: id }) => id), lookedIn: [] }] };
}

/**
 * Flags of Sidelight, joined with those that the reference names differently. One that is given in both ways
 * is refused.
 */
function withRunFlags(values: FlagValues, ofRun: RunFlags): FlagValues {
  for (const name of ofRun.own.keys())
    if (Object.hasOwn(values, name))
      throw new UsageError(
        `--${name} and ${nameOf(ofRun, name)} are two names of one flag; give one of the two`,
      );
  if (ofRun.appUrl !== undefined && values['app-url'] !== undefined)
    throw new UsageError('--app-port and --app-url both say where the app listens; give one of the two');
  const { resources, ...own } = Object.fromEntries(ofRun.own);
  const folders = resources?.split(',').filter((one) => one !== '');
  return { ...values, ...own, ...withoutUndefined({ resources: folders }) };
}

/** The first app and those of `--app`. Throws UsageError. */
function appsOf(
  values: FlagValues,
  ofRun: RunFlags,
  run: boolean,
  appProtocol: Protocol,
): readonly AppOption[] {
  const given = values['app-url'] ?? ofRun.appUrl;
  const first: AppOption = {
    appId: checkAppId(nameOf(ofRun, 'app-id'), values['app-id'] ?? 'app'),
    ...portNamesOf(ofRun),
    // A program that is started here without an address only publishes.
    ...(given === undefined
      ? run
        ? { noAddress: true }
        : {}
      : reached(
          values['app-url'] === undefined ? (ofRun.appUrlFrom ?? '--app-port') : '--app-url',
          given,
          ofRun.scheme ?? appProtocol,
        )),
  };
  const apps = [first, ...(values.app ?? []).map((text) => readApp(text, appProtocol))];
  for (const [i, app] of apps.entries()) {
    const other = apps.findIndex((one) => one.appId === app.appId);
    if (other < i && (app.url === undefined || apps[other]?.url === undefined)) {
      throw new UsageError(
        `--app: the app id "${app.appId}" is given twice; instances that share an id must all have a URL`,
      );
    }
  }
  return apps;
}

/** Names of the ports of the first app's sidecar, if a flag of the reference gives one of them. */
function portNamesOf(ofRun: RunFlags): Pick<AppOption, 'portNames'> {
  if (!ofRun.own.has('sidecar-port') && !ofRun.own.has('grpc-port')) return {};
  return { portNames: { http: nameOf(ofRun, 'sidecar-port'), grpc: nameOf(ofRun, 'grpc-port') } };
}

/** The flag in messages: the user's own word if it is one of the reference's. */
function nameOf({ written }: RunFlags, flag: string): string {
  return written.get(flag) ?? `--${flag}`;
}

/** Settings of the file. With `run` it may also be a Configuration of the reference, which has no effect. */
function configOf(
  flag: string,
  path: string | undefined,
  run: boolean,
): { readonly file?: string; readonly notes: readonly string[] } {
  if (path === undefined) return { notes: [] };
  const found = checkFile(flag, path);
  if (!run || !isReferenceConfiguration(found)) return { file: found, notes: [] };
  return { notes: [`${flag} ${path} is a Configuration of the reference: nothing in it is used here.`] };
}

/** Hint behind `--app` without an id. */
function appHint(text: string): string {
  if (isAppAddress(text)) return `; for the address of the first app: --app-url ${text}`;
  return APP_ID.test(text) && !text.includes(':') ? `; did you mean ${text}=mock?` : '';
}

/** Reads `ID=URL[,sidecarPort[,grpcPort]]`, or `mock` or `none` instead of the URL. */
function readApp(text: string, protocol: Protocol): AppOption {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      `--app must be ID=URL[,sidecarPort[,grpcPort]], ID=mock[,sidecarPort[,grpcPort]] or ID=none[,sidecarPort[,grpcPort]], got "${shownTyped(text)}"${appHint(text)}`,
    );
  const written = text.slice(at + 1);
  const [to = '', ...ports] = written.split(',');
  const id = checkAppId('--app', text.slice(0, at));
  if (ports.length > 2)
    throw new UsageError(
      `--app ${id}: at most two ports may follow the address, got "${id}=${shownTyped(written)}"`,
    );
  const sidecarPort = parsePort(`--app ${id}: the sidecar port`, ports[0]);
  const grpcPort = parsePort(`--app ${id}: the gRPC port`, ports[1]);
  return {
    appId: id,
    ...(to === 'mock' ? {} : reached(`--app ${id}`, to, protocol, 'mock, ')),
    ...withoutUndefined({ sidecarPort, grpcPort }),
  };
}

/** Address of an app, or that it has none. */
function reached(
  flag: string,
  text: string,
  scheme: string,
  orElse = '',
): Pick<AppOption, 'url' | 'addressFrom' | 'noAddress'> {
  return text === 'none'
    ? { noAddress: true, addressFrom: flag }
    : { url: parseAppUrl(flag, text, scheme, orElse), addressFrom: flag };
}

/**
 * Settings of flags. Throws UsageError.
 * @param block `eventRouter` as a file has it; a flag for one member keeps the others of the file
 */
export function readSets(texts: readonly string[], block?: unknown): ReadonlyMap<SettingKey, unknown> {
  const set = new Map<SettingKey, unknown>();
  for (const text of texts) {
    const at = text.indexOf('=');
    if (at < 1)
      throw new UsageError(
        `--set must be KEY=VALUE, got "${shownTyped(text)}"${withoutValue(shownTyped(text))}`,
      );
    const key = text.slice(0, at);
    const inner = memberOf(key);
    if (inner !== undefined) {
      const before = set.get('eventRouter') ?? block ?? SETTINGS.eventRouter.default;
      const changed = checkSetting('eventRouter', withMember(before, inner, memberValue(text.slice(at + 1))));
      if (!changed.ok)
        throw new UsageError(
          `--set ${key} must be ${changed.complaint.expected}, got ${changed.complaint.found}`,
        );
      set.set('eventRouter', changed.value);
      continue;
    }
    const written = text.slice(at + 1);
    if (!isSettingKey(key))
      throw new UsageError(
        `--set: ${wholeSetting(key, memberValue(written), setFlag) ?? unknownAmongKnown(key)}`,
      );
    const checked = checkSetting(key, parseSettingText(key, written));
    if (!checked.ok)
      throw new UsageError(
        `--set ${key} must be ${checked.complaint.expected}, got ${checked.complaint.found}${noJson(written)}`,
      );
    set.set(key, checked.value);
  }
  return set;
}

function setFlag(key: string, json: string): string {
  return `--set '${key}=${json}'`;
}

/** Hint for a text that looks like JSON and is none: a shell takes the quotes away. */
function noJson(text: string): string {
  if (!/^[[{]/.test(text) || tryParse(text) !== undefined) return '';
  return ', which is not JSON: names need double quotes, and a shell needs single quotes around the whole';
}

/** Hint behind `--set KEY` without a value. */
function withoutValue(text: string): string {
  const [key = '', value = '…'] = text.split(/[:\s]+/);
  const meant = isSettingKey(key) ? key : nearest(key, SETTING_KEYS);
  return meant === undefined ? '' : `; did you mean ${meant}=${value}?`;
}

/**
 * Path of a member inside the block, for example `eventRouter.delivery.timeScale`; undefined: the key is
 * none.
 */
function memberOf(key: string): readonly string[] | undefined {
  const [block, ...path] = key.split('.');
  return block === 'eventRouter' && path.length > 0 ? path : undefined;
}

/** Reads a value: JSON, or a plain word. */
function memberValue(text: string): unknown {
  return tryParse(text)?.value ?? (text === 'null' ? null : text);
}

function parsePort(flag: string, text: string | undefined, orElse = ''): number | undefined {
  if (text === undefined) return undefined;
  const n = Number(text);
  if (!/^\d{1,5}$/.test(text) || n > LAST_PORT) throw new UsageError(noPort(flag, text, orElse));
  return n;
}

function checkAppId(flag: string, text: string): string {
  if (!APP_ID.test(text))
    throw new UsageError(`${flag} must be ${APP_ID_WORDS}, got "${shownTyped(text)}"${appIdHint(text)}`);
  return text;
}

/**
 * Reads an address.
 * @param scheme scheme of an address that has none
 */
function parseAppUrl(flag: string, text: string, scheme: string, orElse = ''): string {
  const whole = withScheme(text, scheme);
  if (!isAppAddress(whole)) {
    const hint = addressHint(text, scheme, [...orElse.split(/[, ]+/).filter(Boolean), 'none']);
    throw new UsageError(
      `${flag} must be ${orElse}none or ${APP_ADDRESS_WORDS}, got "${shownTyped(text)}"${hint}`,
    );
  }
  return whole.replace(/\/+$/, '');
}

/** Reads an IP address in its shortest form, so that each address has one spelling everywhere. Throws UsageError. */
function parseListenAddress(flag: string, text: string): string {
  const version = isIP(text);
  // A zone (`%eth0`) has no place in a URL.
  if (version === 0 || text.includes('%'))
    throw new UsageError(
      `${flag} must be an IP address of this machine, such as 127.0.0.1 or ::1 (all of them: 0.0.0.0 or ::), got "${shownTyped(text)}"${listenHint(text)}`,
    );
  return version === 4 ? text : shortest(text);
}

/** An IPv6 address in its shortest form. One that stands for an address of IPv4 becomes that: both reach the same listener. */
function shortest(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const short = hostname.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === '') return short;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

/** Reads a host name. Throws UsageError. */
function checkHostName(text: string): string {
  const [, name = '', port = '1'] = /^([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (/\w/.test(name) && Number(port) >= 1 && Number(port) <= LAST_PORT) return text;
  const { host, port: near } = hostAndPort(withoutUser(text));
  const meant = near === '' || host === '' ? host : `${host}:${near}`;
  const hint = meant === text || !/\w/.test(meant) ? '' : `; did you mean ${meant}?`;
  throw new UsageError(
    `--console-allowed-host must be a name such as sidelight or sidelight:8080, got "${shownTyped(text)}"${hint}`,
  );
}

function checkFolder(flag: string, path: string): string {
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new UsageError(
      `${flag} must be a folder that exists, got "${path}"${lookedAt(path)}${pathHint(path, 'folder')}`,
    );
  return path;
}

/** Reads a folder, which may be missing and is then created. */
function parseNewFolder(flag: string, path: string): string {
  if (path === '' || (existsSync(path) && !statSync(path).isDirectory()))
    throw new UsageError(`${flag} must be a folder, got "${path}"`);
  return resolve(path);
}

function checkFile(flag: string, path: string): string {
  if (!existsSync(path) || !statSync(path).isFile())
    throw new UsageError(
      `${flag} must be a file that exists, got "${path}"${lookedAt(path)}${pathHint(path, 'file')}`,
    );
  return path;
}

function profileOf(text: string): ProfileName {
  const alias = Object.hasOwn(PROFILE_ALIASES, text) ? PROFILE_ALIASES[text] : undefined;
  return alias ?? oneOf('--profile', text, PROFILE_NAMES);
}

function oneOf<const T extends string>(flag: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === text);
  if (found === undefined)
    throw new UsageError(`${flag} must be ${eitherOf(allowed)}, got "${text}"${wordHint(text, allowed)}`);
  return found;
}
