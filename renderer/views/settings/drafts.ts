/** Converts settings to the texts of their fields and back. */
import { isObject } from '../../../core/contract/is-object.ts';
import { SETTINGS } from '../../copy/settings.ts';
import type { Policy } from './retry-words.ts';
import type { Unit } from './setting-kinds.ts';

export type Texts<M extends string> = Readonly<Record<M, string>>;

/** A value, or the mistake in its text. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mistake: string };

export const RETRY_MEMBERS = ['maxAttempts', 'firstDelayMs', 'factor', 'maxDelayMs', 'jitter'] as const;
export type RetryMember = (typeof RETRY_MEMBERS)[number];

/** Unit of each member. */
const RETRY_UNITS: Readonly<Record<RetryMember, Unit>> = {
  maxAttempts: 'amount',
  firstDelayMs: 'ms',
  factor: 'amount',
  maxDelayMs: 'ms',
  jitter: 'amount',
};

/** One topic of `delivery.retryByTopic`; an empty text means the member of the general policy. */
export interface TopicDraft {
  readonly topic: string;
  readonly texts: Texts<RetryMember>;
}

/** A member of a value as the text of a field; empty if it is absent. */
export function memberText(value: unknown, member: string): string {
  const found = isObject(value) ? value[member] : undefined;
  if (found === undefined || found === null) return '';
  return typeof found === 'string' ? found : JSON.stringify(found);
}

/** Units that may follow a number, with their sizes, by the unit of its setting; the smallest is first. */
const STEPS: Readonly<Record<Unit, readonly (readonly [name: string, size: number])[]>> = {
  bytes: [
    ['B', 1],
    ['KiB', 1024],
    ['MiB', 1024 ** 2],
    ['GiB', 1024 ** 3],
    ['TiB', 1024 ** 4],
  ],
  ms: [
    ['ms', 1],
    ['s', 1000],
    ['min', 60_000],
    ['h', 3_600_000],
    ['d', 86_400_000],
  ],
  seconds: [
    ['s', 1],
    ['min', 60],
    ['h', 3600],
    ['d', 86_400],
  ],
  amount: [],
};

/** Digits of a number, which may have a comma before each three. */
const NUMBER = /^(-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*([a-z]*)$/i;

/** Reads a number as a person writes it, in a larger unit too: "4 MiB" as bytes. The host checks its range. */
export function readNumber(text: string, unit: Unit = 'amount'): Read<number> {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, mistake: SETTINGS.needed };
  const [, digits, word = ''] = NUMBER.exec(trimmed) ?? [];
  // Flags and filters write minutes as m.
  const named = word === 'm' ? 'min' : word.toLowerCase();
  const step = STEPS[unit].find(([name]) => name.toLowerCase() === named);
  const size = word === '' ? 1 : step?.[1];
  if (digits === undefined || size === undefined) return { ok: false, mistake: SETTINGS.notNumber[unit] };
  const value = Number(digits.replaceAll(',', '')) * size;
  // A person who writes a larger unit means the nearest whole number, but not 0, which may stand for no limit.
  return { ok: true, value: size === 1 ? value : Math.round(value) || value };
}

/** A number of the host as text, in the largest unit that needs no fraction: 4194304 bytes as "4 MiB", 90000 ms as "90 s". */
export function numberText(value: unknown, unit: Unit): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  const [smallest] = STEPS[unit];
  if (value <= 0 || smallest === undefined) return String(value);
  const [name, size] = STEPS[unit].findLast((step) => value % step[1] === 0) ?? smallest;
  return `${value / size} ${name}`;
}

/** A value of any kind as JSON. */
export function readJson(text: string): Read<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    // JSON.parse throws only for text that is not JSON, which the result reports.
    return { ok: false, mistake: SETTINGS.notJson };
  }
}

/** Lines that are not empty, trimmed. */
export function readLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** A member of a value that is a number, as the text of a field; empty if it is absent. */
export function memberNumber(value: unknown, member: string, unit: Unit): string {
  const found = isObject(value) ? value[member] : undefined;
  return typeof found === 'number' ? numberText(found, unit) : memberText(value, member);
}

/** The fields of a retry policy. */
export function retryTexts(value: unknown): Texts<RetryMember> {
  const textOf = (member: RetryMember): string => memberNumber(value, member, RETRY_UNITS[member]);
  return {
    maxAttempts: textOf('maxAttempts'),
    firstDelayMs: textOf('firstDelayMs'),
    factor: textOf('factor'),
    maxDelayMs: textOf('maxDelayMs'),
    jitter: textOf('jitter'),
  };
}

/** Reads one member of a retry policy. */
export function readMember(member: RetryMember, text: string): Read<number> {
  return readNumber(text, RETRY_UNITS[member]);
}

/** The policy of the fields; undefined: one of them is no number. */
export function readPolicy(texts: Texts<RetryMember>): Policy | undefined {
  const read = RETRY_MEMBERS.map((member) => readMember(member, texts[member]));
  const [maxAttempts, firstDelayMs, factor, maxDelayMs, jitter] = read.map((each) =>
    each.ok ? each.value : undefined,
  );
  if (
    maxAttempts === undefined ||
    firstDelayMs === undefined ||
    factor === undefined ||
    maxDelayMs === undefined ||
    jitter === undefined
  )
    return undefined;
  return { maxAttempts, firstDelayMs, factor, maxDelayMs, jitter };
}

/** The topics of `delivery.retryByTopic`, in order. */
export function topicDrafts(value: unknown): readonly TopicDraft[] {
  if (!isObject(value)) return [];
  return Object.entries(value).map(([topic, policy]) => ({ topic, texts: retryTexts(policy) }));
}

/** The members that a topic sets; undefined: one of them is no number. */
export function readTopic({ texts }: TopicDraft): Readonly<Partial<Policy>> | undefined {
  const given = RETRY_MEMBERS.filter((member) => texts[member].trim() !== '');
  const read = given.map((member) => ({ member, read: readMember(member, texts[member]) }));
  if (read.some(({ read: each }) => !each.ok)) return undefined;
  return Object.fromEntries(read.map(({ member, read: each }) => [member, each.ok ? each.value : 0]));
}

/** Whether a text has the form `component/topic`. */
export function isTopicKey(text: string): boolean {
  return /^[^/\s]+\/\S.*$/.test(text.trim());
}
