/** Every setting: key, default, meaning and check. The host decides on sources and their order. */
import { shortened } from '../contract/cut-place.ts';
import { APP_ADDRESS_WORDS, isAppAddress } from './names.ts';
import { nearest } from './filter/mistakes.ts';
import type { EventRouterSettings } from '../contract/event-router/settings.ts';
import { tryParse } from './json.ts';
import { no } from './result.ts';
import type { Result } from './result.ts';
import type { RetryPolicy } from './retry.ts';
import {
  MAX_TIMER_MS,
  also,
  decimal,
  flag,
  integer,
  listOf,
  members,
  recordOf,
  someMembers,
  text,
  word,
} from './setting-checks.ts';
import type { SettingComplaint, SettingRow } from './setting-checks.ts';

export interface AppHealthSettings {
  readonly enabled: boolean;
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly threshold: number;
}

export interface SettingValues {
  readonly 'delivery.retry': RetryPolicy;
  /** Retry settings that differ, by `pubsubname/topic`. */
  readonly 'delivery.retryByTopic': Readonly<Record<string, Partial<RetryPolicy>>>;
  readonly 'delivery.attemptTimeoutMs': number;
  readonly 'delivery.concurrency': number;
  readonly 'delivery.defaultTtlSeconds': number;
  readonly 'delivery.backlog': number;
  readonly 'delivery.backlogBytes': number;
  readonly 'delivery.bulkBytes': number;
  /** Address (http or https) by app id. */
  readonly 'app.address': Readonly<Record<string, string>>;
  readonly 'app.maxConcurrency': number;
  readonly 'app.health': AppHealthSettings;
  readonly 'discovery.again': 'on-reconnect' | 'never';
  readonly 'http.maxBodyBytes': number;
  /** Allowed origins; `loopback` stands for every origin on this machine. */
  readonly 'http.allowedOrigins': readonly string[];
  readonly 'journal.sync': 'full' | 'normal';
  readonly 'storage.maxMessages': number;
  readonly 'storage.maxBytes': number;
  /** Longest age of messages in days; 0 = no limit. */
  readonly 'storage.maxDays': number;
  readonly eventRouter: EventRouterSettings;
}

export type SettingKey = keyof SettingValues;

const RETRY: RetryPolicy = { maxAttempts: 10, firstDelayMs: 100, factor: 1.5, maxDelayMs: 5000, jitter: 0 };
const HEALTH: AppHealthSettings = {
  enabled: false,
  path: '/healthz',
  intervalMs: 5000,
  timeoutMs: 500,
  threshold: 3,
};

/** Upper limit of sizes: more than any memory or history has. A larger number is a slip. */
const TEBIBYTE = 1024 ** 4;

const retryChecks = {
  maxAttempts: integer(0, 1_000_000),
  firstDelayMs: integer(0, MAX_TIMER_MS),
  factor: decimal(1, 1000),
  maxDelayMs: integer(0, MAX_TIMER_MS),
  jitter: decimal(0, 1),
};

type SettingRows = { readonly [K in SettingKey]: SettingRow<SettingValues[K]> };

/** The settings of the sidecar. The host adds the rows of other rooms. */
export const SIDECAR_SETTINGS: Omit<SettingRows, 'eventRouter'> = {
  'delivery.retry': {
    default: RETRY,
    check: members(retryChecks, RETRY),
    meaning:
      'Number of attempts and waits between them; maxAttempts 0 = no limit, factor 1 = constant waits.',
  },
  'delivery.retryByTopic': {
    default: {},
    check: recordOf(
      text('pubsubname/topic', (key) => /^[^/]+\/.+$/.test(key)),
      someMembers(retryChecks),
    ),
    meaning: 'What differs from delivery.retry for one topic.',
  },
  'delivery.attemptTimeoutMs': {
    default: 60_000,
    check: integer(0, MAX_TIMER_MS),
    meaning: 'Longest one call to the app may take, from connecting to the last byte; 0 = no limit.',
  },
  'delivery.concurrency': {
    default: 10,
    check: integer(1, 10_000),
    meaning: 'Concurrent calls per subscription; 1 = strictly one after another.',
  },
  'delivery.defaultTtlSeconds': {
    default: 0,
    check: decimal(0, 1e10),
    meaning: 'Time to live of messages that bring none; 0 = none.',
  },
  'delivery.backlog': {
    default: 100_000,
    check: integer(1, 10_000_000),
    meaning:
      'Most unfinished deliveries and waiting messages; above it publishes are refused. One topic alone fills at most nine tenths.',
  },
  'delivery.backlogBytes': {
    default: 1_073_741_824,
    check: integer(1_048_576, TEBIBYTE),
    meaning:
      'Most bytes of unfinished messages; above it publishes are refused. One topic alone fills at most nine tenths.',
  },
  'delivery.bulkBytes': {
    default: 16_777_216,
    check: integer(1024, 134_217_728),
    meaning:
      'Largest body of one bulk delivery, over gRPC 4 MiB at most; what does not fit goes in the next call. A single entry is always sent.',
  },
  'app.address': {
    default: {},
    check: recordOf(
      text('an app id', (id) => id !== ''),
      text(APP_ADDRESS_WORDS, isAppAddress),
    ),
    meaning: 'Addresses by app id: where the deliveries of an app go instead of to its mock app.',
  },
  'app.maxConcurrency': {
    default: 0,
    check: integer(0, 100_000),
    meaning: 'Concurrent calls per app; 0 = no limit.',
  },
  'app.health': {
    default: HEALTH,
    check: also(
      members(
        {
          enabled: flag(),
          path: text('a path that begins with /', (path) => path.startsWith('/')),
          intervalMs: integer(1, MAX_TIMER_MS),
          timeoutMs: integer(1, MAX_TIMER_MS),
          threshold: integer(1, 1000),
        },
        HEALTH,
      ),
      'timeoutMs not above intervalMs',
      ({ timeoutMs, intervalMs }) => timeoutMs <= intervalMs,
    ),
    meaning:
      'Health checks of the app. Sidelight asks it for its subscriptions once it has answered one, and delivers nothing while it answers none.',
  },
  'discovery.again': {
    default: 'on-reconnect',
    check: word(['on-reconnect', 'never']),
    meaning: "Whether Sidelight asks an app for its subscriptions again when the app's port comes back.",
  },
  'http.maxBodyBytes': {
    default: 4_194_304,
    check: integer(0, TEBIBYTE),
    meaning: 'Largest body of a publish and a bulk publish; 0 = no limit.',
  },
  'http.allowedOrigins': {
    default: ['loopback'],
    check: listOf(text('an origin such as http://localhost:3000, or loopback', isOrigin)),
    meaning: 'Web pages that may call the sidecar. Requests without an Origin header are not checked.',
  },
  'journal.sync': {
    default: 'full',
    check: word(['full', 'normal']),
    meaning: "full: on disk before the publisher's answer; normal: a power loss may lose the last moments.",
  },
  'storage.maxMessages': {
    default: 100_000,
    check: integer(1000, 1_000_000),
    meaning: 'Most messages to keep; only finished ones that are not pinned are removed.',
  },
  'storage.maxBytes': {
    default: 1_073_741_824,
    check: integer(1_048_576, TEBIBYTE),
    meaning: 'Room on disk for the history.',
  },
  'storage.maxDays': {
    default: 7,
    check: decimal(0, 36_500),
    meaning: 'Days the history is kept; 0 = no limit.',
  },
};

export interface SettingTable {
  readonly SETTINGS: SettingRows;
  readonly SETTING_KEYS: readonly SettingKey[];
  readonly isSettingKey: (key: string) => key is SettingKey;
  /** The values of all settings, where each one is a default or has passed `checkSetting`. */
  readonly valuesOf: (valueOf: (key: SettingKey) => unknown) => SettingValues;
  readonly defaultSettings: () => SettingValues;
  /** Complaint about a key that does not exist. */
  readonly describeUnknown: (key: string) => string;
  /**
   * Checks a value. The result is the value with all defaults, or what was expected. Unknown keys are a
   * complaint too.
   */
  readonly checkSetting: CheckSetting;
  /**
   * Parses a value of a command line without checking it: JSON, or a plain word; a list also as words joined
   * by commas.
   */
  readonly parseSettingText: (key: string, value: string) => unknown;
}

/** Characters of an unknown key that a sentence repeats. */
const MAX_KEY_LENGTH = 200;

export interface CheckSetting {
  <K extends SettingKey>(key: K, value: unknown): Result<SettingValues[K], SettingComplaint>;
  (key: string, value: unknown): Result<unknown, SettingComplaint>;
}

/** Makes the table of settings from its rows. */
export function createSettingTable(rows: SettingRows): SettingTable {
  const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(rows, key);
  const keys = Object.keys(rows).filter(isSettingKey);

  function checkSetting(key: string, value: unknown): Result<never, SettingComplaint>;
  function checkSetting(key: string, value: unknown): Result<unknown, SettingComplaint> {
    if (!isSettingKey(key)) return no(unknownKey(key, keys));
    const read = rows[key].check.read(value);
    if (read.ok || read.complaint.field === undefined) return read;
    const { field, expected, found: what } = read.complaint;
    // An unknown member is named by `what` itself.
    const holder = what.startsWith('the member ') ? field.replace(/(?:^|\.)[^.]*$/, '') : field;
    return no({ field, expected, found: holder === '' ? what : `${what} in ${holder}` });
  }

  const valuesOf: SettingTable['valuesOf'] = (valueOf) =>
    // Each key has its value, of the type that the check of its row gives.
    Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as unknown as SettingValues;

  return {
    SETTINGS: rows,
    SETTING_KEYS: keys,
    isSettingKey,
    valuesOf,
    defaultSettings: () => valuesOf((key) => rows[key].default),
    describeUnknown: (key) => {
      const near = nearKey(key, keys) ?? nearGroup(key, keys);
      return `unknown setting "${shortened(key, MAX_KEY_LENGTH)}"${near === undefined ? '' : `, did you mean ${near}?`}`;
    },
    checkSetting,
    parseSettingText(key, value) {
      const isList = isSettingKey(key) && Array.isArray(rows[key].default);
      const plain = isList ? value.split(',') : value;
      if (checkSetting(key, plain).ok) return plain;
      return tryParse(value)?.value ?? plain;
    },
  };
}

/** The key that was probably meant; undefined: none is similar. */
function nearKey(key: string, known: readonly SettingKey[]): string | undefined {
  const lower = key.toLowerCase();
  return (
    known.find((each) => each.toLowerCase() === lower || each.endsWith(`.${key}`)) ?? nearest(key, known)
  );
}

/** The group that was probably meant by a group of a file, such as `delivrey`; undefined: none is similar. */
function nearGroup(key: string, known: readonly SettingKey[]): string | undefined {
  return nearest(key, [...new Set(known.flatMap((each) => /^(.*)\./.exec(each)?.[1] ?? []))]);
}

function unknownKey(key: string, known: readonly SettingKey[]): SettingComplaint {
  const near = nearKey(key, known);
  const expected = near === undefined ? `one of ${known.join(', ')}` : `${near} (did you mean it?)`;
  return { expected, found: `the key ${key}` };
}

function isOrigin(origin: string): boolean {
  return origin === 'loopback' || /^https?:\/\/(?:[\w.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i.test(origin);
}
