/** Converts settings to the texts of their fields and back. */
import { isObject } from '../../../core/contract/is-object.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { numberText, readNumber, type Read, type Unit } from '../../format/written-number.ts';
import type { Policy } from './retry-words.ts';

export type Texts<M extends string> = Readonly<Record<M, string>>;

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
