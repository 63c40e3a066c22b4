/** Turns the flags of the reference that `sidelight run` was given into flags and settings of Sidelight. */
import { withoutUndefined } from '../contract/without-undefined.ts';
import { hostAndPort, isAppAddress } from '../domain/names.ts';
import { shownTyped, withoutUser } from '../domain/redact.ts';
import { SETTINGS } from './setting-table.ts';
import { UsageError } from './flags.ts';
import type { GivenReferenceFlag } from './flags.ts';
import { LAST_PORT, noPort, wordHint } from './flag-hints.ts';
import { FLAGS_BESIDE_FILE, REFERENCE_FLAGS } from './reference-flags.ts';
import { wholeNumber } from './reference-numbers.ts';

export interface RunFlags {
  /** Values of Sidelight's flags, by name; several folders of resources are joined by commas. */
  readonly own: ReadonlyMap<string, string>;
  /** The words of the command line that gave those values, by the same names: complaints name them. */
  readonly written: ReadonlyMap<string, string>;
  /** Settings, `KEY=VALUE` each. */
  readonly sets: readonly string[];
  /** Address of the app; undefined: no port was given. */
  readonly appUrl?: string;
  /** The flag of its port, as it was written. */
  readonly appUrlFrom?: string;
  /** Scheme of an address that has none; undefined: not given. */
  readonly scheme?: string;
  /** FILE, DIR or `-`: several apps are run, and flags about one app are not read. */
  readonly runFile?: string;
  /** Folder in which apps without folders of their own look for resources; only with such a file. */
  readonly runtimePath?: string;
  /** Flags about one app beside such a file, as they were written. */
  readonly unused: readonly string[];
  /** A note for each flag without effect. */
  readonly notes: readonly string[];
}

const LOCAL = '127.0.0.1';

export const PROTOCOLS: Readonly<Record<string, string>> = {
  http: 'http',
  h2c: 'h2c',
  https: 'https',
  grpc: 'grpc',
  grpcs: 'grpcs',
};
export const OVER_TLS: Readonly<Record<string, string>> = { http: 'https', grpc: 'grpcs' };

/** Reads the flags. Throws UsageError for a flag that cannot be served and for a bad value. */
export function readRunFlags(given: readonly GivenReferenceFlag[]): RunFlags {
  // The last one counts, as with every flag that has one value.
  const files = given.filter(({ name }) => name === 'run-file');
  const runFile = files.at(-1)?.value;
  if (runFile === undefined) return { ...readEach(given), unused: [] };
  const beside = given.filter(({ name }) => FLAGS_BESIDE_FILE.has(name));
  const unused = given.filter(({ name }) => name !== 'run-file' && !FLAGS_BESIDE_FILE.has(name));
  const runtimePath = given.findLast(({ name }) => name === 'runtime-path')?.value;
  const each = readEach(beside.filter(({ name }) => name !== 'runtime-path'));
  const notRead = files.slice(0, -1).filter(({ value }) => value !== runFile);
  return {
    ...each,
    notes: [
      ...notRead.map(
        ({ written, value }) => `${written} ${value} is not read: the last of several files counts.`,
      ),
      ...each.notes,
    ],
    runFile,
    ...withoutUndefined({ runtimePath }),
    unused: unused.map(({ written }) => written),
  };
}

function readEach(given: readonly GivenReferenceFlag[]): Omit<RunFlags, 'unused'> {
  const own = new Map<string, string>();
  const written = new Map<string, string>();
  const sets: string[] = [];
  const notes: string[] = [];
  const address = new Map<string, GivenReferenceFlag>();
  const health = new Map<string, unknown>();
  for (const flag of given) {
    const { name, value } = flag;
    const { takes, means = { kind: 'silent' } } = REFERENCE_FLAGS[name] ?? {};
    const isSwitchedOff = takes === undefined && value === 'false';
    if (isSwitchedOff && (means.kind === 'refused' || means.kind === 'ignored')) continue;
    switch (means.kind) {
      case 'own':
        setOwn(own, means.flag, means.value === undefined ? value : means.value(value), flag);
        written.set(means.flag, flag.written);
        break;
      case 'setting':
        sets.push(`${means.key}=${settingText(flag, means.value(value))}`);
        break;
      case 'address':
        address.set(means.part, flag);
        break;
      case 'health':
        health.set(means.member, healthValue(flag, means.member, means.toMs));
        break;
      case 'ignored':
        notes.push(`${flag.written} has no effect here: in the reference it would ${means.would}.`);
        break;
      case 'refused':
        throw new UsageError(`${flag.written}: ${means.why}`);
      case 'file':
      case 'silent':
        break;
    }
  }
  if (health.get('enabled') === true) sets.push(`app.health=${JSON.stringify(healthOf(health))}`);
  return { own, written, sets, notes, ...addressOf(address) };
}

function setOwn(
  own: Map<string, string>,
  flag: string,
  value: string | undefined,
  given: GivenReferenceFlag,
): void {
  const isSwitchedOff = REFERENCE_FLAGS[given.name]?.takes === undefined && given.value === 'false';
  if (isSwitchedOff || value === undefined) return;
  const before = flag === 'resources' ? own.get(flag) : undefined;
  own.set(flag, before === undefined ? value : `${before},${value}`);
}

function settingText(
  { written, value }: GivenReferenceFlag,
  read: { text: string } | { expected: string },
): string {
  if ('text' in read) return read.text;
  throw new UsageError(`${written} must be ${read.expected}, got "${value}"`);
}

function healthValue({ written, value }: GivenReferenceFlag, member: string, toMs?: number): unknown {
  if (member === 'enabled') return value !== 'false';
  if (member === 'path') return value.startsWith('/') ? value : `/${value}`;
  const number = wholeNumber(value) ?? -1;
  if (number < 0) throw new UsageError(`${written} must be a number, got "${value}"`);
  return number * (toMs ?? 1);
}

/** Health settings; zero stands for the default. Throws UsageError for a timeout that is longer than the interval. */
function healthOf(given: ReadonlyMap<string, unknown>): object {
  const set = Object.fromEntries([...given].filter(([, value]) => value !== 0));
  const health = { ...SETTINGS['app.health'].default, ...set };
  const { timeoutMs, intervalMs } = health;
  if (timeoutMs <= intervalMs) return health;
  throw new UsageError(
    `--app-health-probe-timeout (${timeoutMs} ms) must not be longer than --app-health-probe-interval (${intervalMs} ms)`,
  );
}

function addressOf(
  given: ReadonlyMap<string, GivenReferenceFlag>,
): Pick<RunFlags, 'appUrl' | 'appUrlFrom' | 'scheme'> {
  const word = given.get('protocol');
  const lower = word?.value.toLowerCase() ?? '';
  const protocol = Object.hasOwn(PROTOCOLS, lower) ? PROTOCOLS[lower] : undefined;
  if (word !== undefined && protocol === undefined)
    throw new UsageError(
      `${word.written} must be http, https, grpc, grpcs or h2c, got "${word.value}"${wordHint(word.value, Object.keys(PROTOCOLS))}`,
    );
  const isTls = given.has('tls') && given.get('tls')?.value !== 'false';
  const scheme = isTls ? (OVER_TLS[protocol ?? 'http'] ?? protocol) : protocol;
  const port = given.get('port');
  const named = scheme === undefined ? {} : { scheme };
  if (port === undefined) return named;
  const number = wholeNumber(port.value);
  if (number === undefined || number > LAST_PORT) throw new UsageError(noPort(port.written, port.value));
  if (number <= 0) return named;
  const host = given.get('host')?.value ?? LOCAL;
  const appUrl = `${scheme ?? 'http'}://${host.includes(':') ? `[${host}]` : host}:${number}`;
  if (!isAppAddress(appUrl)) {
    const meant = hostAndPort(withoutUser(host)).host;
    const hint = meant === '' || meant === host || !/[:/]/.test(host) ? '' : `; did you mean ${meant}?`;
    throw new UsageError(`--app-channel-address must be a host, got "${shownTyped(host)}"${hint}`);
  }
  return { ...named, appUrl, appUrlFrom: port.written };
}
