/** The flags of the reference sidecar that `sidelight run` accepts, and the meaning of each here. */
import { A_PORT } from './flag-hints.ts';
import { PROFILES } from '../contract/profile.ts';
import { sizeInBytes, wholeNumber } from './reference-numbers.ts';

const { brandWord } = PROFILES.dapr;

/** Meaning of a flag of the reference. */
export type FlagMeaning =
  /**
   * A flag of Sidelight with the same meaning. `value` rewrites the given value; undefined: the flag counts
   * as not given.
   */
  | { readonly kind: 'own'; readonly flag: string; readonly value?: (given: string) => string | undefined }
  /** A setting. `value` makes its text, or says what was expected. */
  | { readonly kind: 'setting'; readonly key: string; readonly value: (given: string) => SettingText }
  /** One part of the app's address. */
  | { readonly kind: 'address'; readonly part: 'port' | 'host' | 'protocol' | 'tls' }
  /** One part of the setting `app.health`; `toMs` turns a number into milliseconds. */
  | { readonly kind: 'health'; readonly member: HealthMember; readonly toMs?: number }
  /** The file that names the apps. Flags about one app have no meaning beside it. */
  | { readonly kind: 'file' }
  /** No effect here, and no user misses it. */
  | { readonly kind: 'silent' }
  /** Accepted without effect; `would` says what it does in the reference. */
  | { readonly kind: 'ignored'; readonly would: string }
  /** Refused: the command line cannot be served. */
  | { readonly kind: 'refused'; readonly why: string };

type HealthMember = 'enabled' | 'path' | 'intervalMs' | 'timeoutMs' | 'threshold';

/** The text of a setting, or what was expected. */
export type SettingText = { readonly text: string } | { readonly expected: string };

/** Flags about the whole run, which also count beside a file of several apps. */
export const FLAGS_BESIDE_FILE: ReadonlySet<string> = new Set([
  'config',
  'log-level',
  'log-as-json',
  'kubernetes',
  'runtime-path',
]);

export interface ReferenceFlag {
  /** One letter, without its dash. */
  readonly short?: string;
  /** Name of its value; absent: the flag is a switch. */
  readonly takes?: string;
  readonly means: FlagMeaning;
}

const SEVERE: readonly string[] = ['fatal', 'panic'];
const own = (flag: string): FlagMeaning => ({ kind: 'own', flag });
/** A port; a negative number means that none is given. */
const ownPort = (flag: string): FlagMeaning => ({
  kind: 'own',
  flag,
  value: (given) => {
    const number = wholeNumber(given);
    if (number === undefined) return given;
    return number < 0 ? undefined : String(number);
  },
});
const ignored = (would: string): FlagMeaning => ({ kind: 'ignored', would });

/** The flags by name, without dashes. Those that do something here come first, in the order of `sidelight --help`. */
export const REFERENCE_FLAGS: Readonly<Record<string, ReferenceFlag>> = {
  [`${brandWord}-http-port`]: { short: 'H', takes: A_PORT, means: ownPort('sidecar-port') },
  'app-port': {
    short: 'p',
    takes: 'the port that the app listens on',
    means: { kind: 'address', part: 'port' },
  },
  [`${brandWord}-grpc-port`]: {
    short: 'G',
    takes: A_PORT,
    means: ownPort('grpc-port'),
  },
  'app-protocol': {
    short: 'P',
    takes: 'http, https, grpc, grpcs or h2c',
    means: { kind: 'address', part: 'protocol' },
  },
  'app-id': { short: 'a', takes: 'an app id', means: own('app-id') },
  'app-channel-address': {
    takes: 'the host that the app listens on',
    means: { kind: 'address', part: 'host' },
  },
  'app-ssl': { means: { kind: 'address', part: 'tls' } },
  'resources-path': { takes: 'a folder', means: own('resources') },
  'components-path': { short: 'd', takes: 'a folder', means: own('resources') },
  config: { short: 'c', takes: 'a file', means: own('config') },
  'app-max-concurrency': {
    takes: 'a number',
    means: { kind: 'setting', key: 'app.maxConcurrency', value: atLeastNone },
  },
  'enable-app-health-check': { means: { kind: 'health', member: 'enabled' } },
  'app-health-check-path': { takes: 'a path', means: { kind: 'health', member: 'path' } },
  'app-health-probe-interval': {
    takes: 'a number of seconds',
    means: { kind: 'health', member: 'intervalMs', toMs: 1000 },
  },
  'app-health-probe-timeout': {
    takes: 'a number of milliseconds',
    means: { kind: 'health', member: 'timeoutMs', toMs: 1 },
  },
  'app-health-threshold': { takes: 'a number', means: { kind: 'health', member: 'threshold' } },
  'max-body-size': {
    takes: 'a size such as 4Mi',
    means: { kind: 'setting', key: 'http.maxBodyBytes', value: bytesOf },
  },
  [`${brandWord}-http-max-request-size`]: {
    takes: 'a number of MB',
    means: { kind: 'setting', key: 'http.maxBodyBytes', value: megabytesOf },
  },
  'log-level': {
    takes: 'debug, info, warn, error, fatal or panic',
    means: {
      kind: 'own',
      flag: 'log-level',
      value: (given) => (SEVERE.includes(given.toLowerCase()) ? 'error' : given.toLowerCase()),
    },
  },
  'log-as-json': { means: { kind: 'own', flag: 'log-format', value: () => 'json' } },
  'run-file': {
    short: 'f',
    takes: 'a file, a folder, or - for standard input',
    means: { kind: 'file' },
  },
  'enable-api-logging': { means: { kind: 'silent' } },
  'placement-host-address': { takes: 'an address', means: { kind: 'silent' } },
  'scheduler-host-address': { takes: 'an address', means: { kind: 'silent' } },
  'metrics-port': { short: 'M', takes: A_PORT, means: ignored('serve metrics on a port') },
  'enable-profiling': { means: ignored('open a port for profiles of the sidecar') },
  'profile-port': { takes: A_PORT, means: ignored('be the port for profiles of the sidecar') },
  [`${brandWord}-internal-grpc-port`]: {
    short: 'I',
    takes: A_PORT,
    means: ignored('be the port on which sidecars call each other'),
  },
  'read-buffer-size': { takes: 'a size', means: ignored('limit the size of request headers') },
  [`${brandWord}-http-read-buffer-size`]: {
    takes: 'a number of KB',
    means: ignored('limit the size of request headers'),
  },
  [`${brandWord}-listen-addresses`]: {
    takes: 'addresses',
    means: ignored('choose where the sidecar listens; here that is --sidecar-host'),
  },
  [`${brandWord}-graceful-shutdown-seconds`]: {
    takes: 'a number of seconds',
    means: ignored('limit how long running calls may take at the end; here that is 5 seconds'),
  },
  'allowed-origins': {
    takes: 'origins',
    means: ignored('choose the web pages that may call; here that is --set http.allowedOrigins=…'),
  },
  'unix-domain-socket': { short: 'u', takes: 'a folder', means: ignored('listen on a socket file') },
  'runtime-path': { takes: 'a folder', means: ignored('say where the reference is installed') },
  kubernetes: {
    short: 'k',
    means: { kind: 'refused', why: 'Sidelight starts apps on this machine only, not in Kubernetes' },
  },
};

/** A number; below 1 means no limit. */
function atLeastNone(given: string): SettingText {
  const number = wholeNumber(given);
  return number === undefined ? { expected: 'a number' } : { text: String(Math.max(0, number)) };
}

const STANDARD_BYTES = 4 * 1024 * 1024;

/** Bytes of a size such as `10Mi`. A negative size means the default of 4 MiB. */
export function bytesOf(given: string): SettingText {
  const bytes = sizeInBytes(given);
  if (bytes === undefined) return { expected: 'a size such as 4Mi or 1000000' };
  return { text: String(bytes < 0 ? STANDARD_BYTES : bytes) };
}

/** Bytes of a number of MB. */
function megabytesOf(given: string): SettingText {
  const number = wholeNumber(given);
  return number === undefined ? { expected: 'a number of MB' } : bytesOf(`${number}Mi`);
}
