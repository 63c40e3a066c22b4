/** Settings of `pubsub.redis`, read from the component's metadata. Behaviour 5.4. */
import { flagOf, timeOf, wholeOf } from '../setting-values.ts';
import type { ReadSetting } from '../setting-values.ts';

export interface RedisSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly db: number;
  /** undefined: not encrypted. Texts in PEM; "" = none given. */
  readonly tls:
    | {
        readonly ca: string;
        readonly cert: string;
        readonly key: string;
        /** Whether the server's certificate is verified. */
        readonly verify: boolean;
      }
    | undefined;
  /** Consumer group; "" = the id of the app that subscribes. */
  readonly consumerId: string;
  /** Time after which an entry without acknowledgement is delivered again; 0 = never. */
  readonly processingTimeoutMs: number;
  /** Time between two searches for such entries; 0 = never. */
  readonly redeliverIntervalMs: number;
  /** Maximum number of entries in one read. */
  readonly queueDepth: number;
  /** Maximum number of entries of one group that the app has at once, over all topics; undefined: only the app's own limits count. */
  readonly concurrency: number | undefined;
  /** Approximate length to which each publish trims its stream; 0 = not trimmed. */
  readonly maxLenApprox: number;
  /** Approximate age beyond which each publish trims entries; 0 = not trimmed. `maxLenApprox` takes precedence. */
  readonly streamTtlMs: number;
}

const DEFAULT_PORT = 6379;
const DEFAULT_PROCESSING_TIMEOUT_MS = 60_000;
const DEFAULT_REDELIVER_INTERVAL_MS = 15_000;
const DEFAULT_QUEUE_DEPTH = 100;
/** A stream entry is kept in memory while the app has it, so one read is bounded. */
const MAX_AT_ONCE = 10_000;

const ADDRESS = /^(?:\[(?<v6>[0-9a-f:.%]+)\]|(?<name>[^\s:/@]+))(?::(?<port>\d{1,5}))?$/i;

/**
 * Throws an Error that names the setting, what was expected and what was found (without secrets).
 * @param verifiesTls whether the server's certificate is verified if the settings do not say it
 */
export function readRedisSettings(setting: ReadSetting, verifiesTls = true): RedisSettings {
  refuseOtherServers(setting);
  return {
    ...readAddress(setting('redisHost').trim(), setting),
    username: setting('redisUsername'),
    password: setting('redisPassword'),
    db: wholeOf(setting, 'redisDB', 0, 1_000_000) ?? 0,
    tls: flagOf(setting, 'enableTLS') ? readTls(setting, verifiesTls) : undefined,
    consumerId: setting('consumerID').trim(),
    processingTimeoutMs: timeOf(setting, 'processingTimeout', DEFAULT_PROCESSING_TIMEOUT_MS),
    redeliverIntervalMs: timeOf(setting, 'redeliverInterval', DEFAULT_REDELIVER_INTERVAL_MS),
    queueDepth: wholeOf(setting, 'queueDepth', 1, MAX_AT_ONCE) ?? DEFAULT_QUEUE_DEPTH,
    concurrency: wholeOf(setting, 'concurrency', 1, MAX_AT_ONCE),
    maxLenApprox: wholeOf(setting, 'maxLenApprox', 0, Number.MAX_SAFE_INTEGER) ?? 0,
    streamTtlMs: timeOf(setting, 'streamTTL', 0),
  };
}

/** `host:port` of the server, for log lines and errors. */
export function addressOf({ host, port }: Pick<RedisSettings, 'host' | 'port'>): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Refuses settings for server types that are not supported: ignoring them would send messages to the wrong server. */
function refuseOtherServers(setting: ReadSetting): void {
  const type = setting('redisType');
  if (type !== '' && type !== 'node') throw new Error(`redisType must be node, got "${type}"`);
  if (flagOf(setting, 'failover')) throw new Error('failover is not supported: name one server in redisHost');
  for (const name of ['sentinelMasterName', 'sentinelUsername', 'sentinelPassword'])
    if (setting(name) !== '')
      throw new Error(
        `${name} is not supported: Sidelight does not ask sentinels, name one server in redisHost`,
      );
  if (flagOf(setting, 'useEntraID'))
    throw new Error('useEntraID is not supported: give redisUsername and redisPassword');
}

/** Reads the TLS settings. Giving the certificate of an authority turns verification on. */
function readTls(setting: ReadSetting, verifiesTls: boolean): NonNullable<RedisSettings['tls']> {
  const ca = setting('caCert');
  const verify =
    setting('insecureSkipTLSVerify') === ''
      ? verifiesTls || ca !== ''
      : !flagOf(setting, 'insecureSkipTLSVerify');
  return { ca, cert: setting('clientCert'), key: setting('clientKey'), verify };
}

function readAddress(given: string, setting: ReadSetting): { readonly host: string; readonly port: number } {
  const expected = 'a host with a port, for example 127.0.0.1:6379';
  if (given === '') throw new Error(`redisHost is missing; expected ${expected}`);
  const parts = ADDRESS.exec(given)?.groups;
  const host = parts?.['v6'] ?? parts?.['name'];
  const named = parts?.['port'] === undefined ? undefined : Number(parts['port']);
  // The error leaves the value out, because it may contain a user and a password.
  if (host === undefined || (named !== undefined && (named < 1 || named > 65_535)))
    throw new Error(`redisHost must be ${expected}`);
  const own = wholeOf(setting, 'redisPort', 1, 65_535);
  if (named !== undefined && own !== undefined && named !== own)
    throw new Error(
      `redisPort is ${own} and redisHost names port ${named}: give one of them, or the same port in both`,
    );
  return { host, port: named ?? own ?? DEFAULT_PORT };
}
