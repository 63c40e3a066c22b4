/** Settings of `pubsub.jetstream`, read from the component's metadata. */
import { eitherOf } from '../../contract/list-text.ts';
import { flagOf, timeIn, timeOf, wholeOf } from '../setting-values.ts';
import type { ReadSetting } from '../setting-values.ts';

export interface JetStreamSettings {
  /** `host:port` of each server to connect to. */
  readonly servers: readonly string[];
  /** Name of the connection at the servers; "" = sidelight. */
  readonly name: string;
  readonly user: string;
  readonly password: string;
  readonly token: string;
  readonly jwt: string;
  readonly seedKey: string;
  /** Texts in PEM; "" = none given. undefined: not encrypted, unless the server requires it. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string } | undefined;
  /** Name of the stream; "" = the stream that stores the topic. */
  readonly streamName: string;
  /** First part of the consumers' names; "" = the id of the app that subscribes. */
  readonly group: string;
  readonly start: Start;
  /** The server delivers a message again if it gets no answer in this time. */
  readonly ackWaitMs: number;
  /** Waits before the second, third, … delivery by the server; the last one repeats. [] = ackWait. */
  readonly backOffMs: readonly number[];
  /** Maximum number of deliveries of one message by the server; undefined: no limit. */
  readonly maxDeliver: number | undefined;
  /** Maximum number of open messages of one topic and group. */
  readonly maxAckPending: number;
  /** Replicas of a stream that the component creates. */
  readonly replicas: number;
  readonly memoryStorage: boolean;
  readonly heartbeatMs: number | undefined;
  readonly domain: string;
  readonly apiPrefix: string;
  /** Whether a group gets one message at a time. */
  readonly single: boolean;
}

/** Where a new consumer begins to read. */
export type Start =
  | { readonly policy: 'all' | 'last' | 'new' }
  | { readonly policy: 'sequence'; readonly sequence: number }
  /** Time in ISO 8601. */
  | { readonly policy: 'time'; readonly time: string };

const DEFAULT_PORT = 4222;
const DEFAULT_ACK_WAIT_MS = 30_000;
/** Default of maxAckPending. It is bounded because a message stays in memory while the app has it. */
const DEFAULT_ACK_PENDING = 10_000;
const MAX_ACK_PENDING = 100_000;
const MIN_ACK_WAIT_MS = 100;
const MIN_HEARTBEAT_MS = 500;
const MAX_HEARTBEAT_MS = 30_000;
const EXPECTED_URL = 'nats://host:port, several separated by commas';
/** Form of a valid stream or consumer name. */
const NAME = /^[^\s.*>/\\]+$/;
/** A prefix or domain is part of a subject. */
/** Most deliveries of a message that a consumer can count to: 32 bits with a sign. */
const MAX_DELIVERIES = 2_147_483_647;
const SUBJECT_PART = /^[^\s*>]+$/;

/** Throws an Error that names the setting, what was expected and what was found (secrets excepted). */
export function readJetStreamSettings(setting: ReadSetting): JetStreamSettings {
  refuseWhatPullCannot(setting);
  const address = readAddress(setting('natsURL').trim());
  const backOffMs = timesOf(setting, 'backOff');
  const maxDeliver = wholeOf(setting, 'maxDeliver', 1, MAX_DELIVERIES);
  if (maxDeliver !== undefined && maxDeliver <= backOffMs.length)
    throw new Error(
      `maxDeliver must be more than the ${backOffMs.length} waits in backOff, got "${maxDeliver}"`,
    );
  const { isEncrypted, ...server } = address;
  return {
    ...server,
    ...readIdentity(setting, address),
    name: setting('name').trim(),
    tls: tlsOf(setting, isEncrypted),
    streamName: nameOf(setting, 'streamName'),
    group:
      nameOf(setting, 'durableName') || nameOf(setting, 'queueGroupName') || setting('consumerID').trim(),
    start: startOf(setting),
    ackWaitMs: atLeast('ackWait', timeOf(setting, 'ackWait', DEFAULT_ACK_WAIT_MS), MIN_ACK_WAIT_MS),
    backOffMs,
    maxDeliver,
    maxAckPending: wholeOf(setting, 'maxAckPending', 1, MAX_ACK_PENDING) ?? DEFAULT_ACK_PENDING,
    replicas: wholeOf(setting, 'replicas', 1, 5) ?? 1,
    memoryStorage: flagOf(setting, 'memoryStorage'),
    heartbeatMs: heartbeatOf(setting),
    domain: subjectPart(setting, 'domain'),
    apiPrefix: subjectPart(setting, 'apiPrefix'),
    single: wordOf(setting, 'concurrency', ['parallel', 'single']) === 'single',
  };
}

/** Address of the servers in log lines and errors. */
export function addressOf({ servers }: Pick<JetStreamSettings, 'servers'>): string {
  return servers.join(', ');
}

/** Refuses settings that pull consumers cannot follow. Ignoring them would lose messages or deliver them faster than allowed. */
function refuseWhatPullCannot(setting: ReadSetting): void {
  wordOf(setting, 'ackPolicy', ['explicit']);
  if ((wholeOf(setting, 'rateLimit', 0, Number.MAX_SAFE_INTEGER) ?? 0) > 0)
    throw new Error('rateLimit is not supported: messages are pulled; limit delivery.concurrency instead');
  // Pulling is flow control already, so this setting needs no more than a check.
  flagOf(setting, 'flowControl');
}

interface Address {
  readonly servers: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly isEncrypted: boolean;
}

function readAddress(given: string): Address {
  if (given === '') throw new Error(`natsURL is missing; expected ${EXPECTED_URL}`);
  const urls = given.split(',').map((one) => readUrl(one.trim()));
  const known = urls.find(({ username }) => username !== '');
  return {
    servers: urls.map(({ hostname, port }) => `${hostname}:${port === '' ? DEFAULT_PORT : port}`),
    user: decoded(known?.username ?? ''),
    password: decoded(known?.password ?? ''),
    isEncrypted: urls.some(({ protocol }) => protocol === 'tls:'),
  };
}

/** Parses one URL. The error leaves the value out, because it may contain a user and a password. */
function readUrl(given: string): URL {
  const whole = given.includes('://') ? given : `nats://${given}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const isPlain = url !== undefined && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search === '';
  if (!isPlain || !['nats:', 'tls:'].includes(url.protocol))
    throw new Error(`natsURL must be ${EXPECTED_URL}`);
  return url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new Error('user and password in natsURL must be percent-encoded', { cause: error });
  }
}

function readIdentity(
  setting: ReadSetting,
  { user, password }: Address,
): Pick<JetStreamSettings, 'user' | 'password' | 'token' | 'jwt' | 'seedKey'> {
  const [token, jwt, seedKey] = [setting('token').trim(), setting('jwt').trim(), setting('seedKey').trim()];
  if ((jwt === '') !== (seedKey === ''))
    throw new Error(`jwt and seedKey go together; ${jwt === '' ? 'jwt' : 'seedKey'} is missing`);
  if (seedKey !== '' && !/^SU[A-Z2-7]{56}$/.test(seedKey))
    throw new Error('seedKey must be the seed of a user, 58 characters that begin with SU');
  if ([token, jwt, user].filter((one) => one !== '').length > 1)
    throw new Error('give only one of token, jwt with seedKey, and a user in natsURL');
  // A user without a password in the address is a token.
  return user !== '' && password === ''
    ? { user: '', password: '', token: user, jwt, seedKey }
    : { user, password, token, jwt, seedKey };
}

function tlsOf(setting: ReadSetting, isEncrypted: boolean): JetStreamSettings['tls'] {
  const ca = setting('caCert');
  const [cert, key] = [setting('tls_client_cert'), setting('tls_client_key')];
  if ((cert === '') !== (key === ''))
    throw new Error(
      `tls_client_cert and tls_client_key go together; ${cert === '' ? 'tls_client_cert' : 'tls_client_key'} is missing`,
    );
  for (const [name, text] of [
    ['caCert', ca],
    ['tls_client_cert', cert],
    ['tls_client_key', key],
  ] as const) {
    if (text !== '' && !text.includes('-----BEGIN ')) throw new Error(`${name} must be text in PEM format`);
  }
  return isEncrypted || ca !== '' || cert !== '' ? { ca, cert, key } : undefined;
}

function startOf(setting: ReadSetting): Start {
  const policy = wordOf(setting, 'deliverPolicy', ['all', 'last', 'new', 'sequence', 'time']);
  const sequence = wholeOf(setting, 'startSequence', 1, Number.MAX_SAFE_INTEGER);
  const seconds = wholeOf(setting, 'startTime', 0, 253_402_300_799);
  if (policy === 'sequence') {
    if (sequence === undefined) throw new Error('startSequence is missing; deliverPolicy sequence needs it');
    return { policy, sequence };
  }
  if (policy === 'time') {
    if (seconds === undefined)
      throw new Error('startTime is missing; deliverPolicy time needs it, in seconds since 1970');
    return { policy, time: new Date(seconds * 1000).toISOString() };
  }
  if (sequence !== undefined) throw new Error('startSequence goes with deliverPolicy sequence only');
  if (seconds !== undefined) throw new Error('startTime goes with deliverPolicy time only');
  return { policy };
}

function timesOf(setting: ReadSetting, name: string): readonly number[] {
  const given = setting(name).trim();
  if (given === '') return [];
  return given.split(',').map((one) => atLeast(name, timeIn(name, one.trim()), MIN_ACK_WAIT_MS));
}

function heartbeatOf(setting: ReadSetting): number | undefined {
  const ms = timeOf(setting, 'heartbeat', 0);
  if (ms === 0) return undefined;
  if (ms > MAX_HEARTBEAT_MS) throw new Error(`heartbeat must be at most 30s, got ${ms}ms`);
  return atLeast('heartbeat', ms, MIN_HEARTBEAT_MS);
}

function atLeast(name: string, ms: number, least: number): number {
  if (ms >= least) return ms;
  throw new Error(`${name} must be at least ${least}ms, got ${ms}ms`);
}

function nameOf(setting: ReadSetting, name: string): string {
  const given = setting(name).trim();
  if (given === '' || NAME.test(given)) return given;
  throw new Error(`${name} must be a name without spaces and . * > / \\, got "${given}"`);
}

function subjectPart(setting: ReadSetting, name: string): string {
  const given = setting(name).trim();
  if (given === '' || SUBJECT_PART.test(given)) return given;
  throw new Error(`${name} must be a part of a subject, without spaces, * and >, got "${given}"`);
}

/** Reads one of the given words; the first one is the default. */
function wordOf<W extends string>(setting: ReadSetting, name: string, words: readonly [W, ...W[]]): W {
  const given = setting(name).trim().toLowerCase();
  if (given === '') return words[0];
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw new Error(`${name} must be ${eitherOf(words)}, got "${given}"`);
}
