/** Matches the messages of two recordings. */
import type { JoinedBy } from '../../contract/recording.ts';
import { comparableType } from './given-type.ts';

/** The values by which messages are matched. */
export interface JoinKeys {
  readonly pubsubname: string;
  readonly topic: string;
  readonly eventType: string | undefined;
  readonly subject: string | undefined;
  readonly eventId: string | undefined;
  /** Digest of the payload. Two messages have equal digests exactly if their payloads are equal. */
  readonly data: string;
}

/** Positions of a message in the two lists; absent: that list has no match. */
export interface Joined {
  readonly before?: number;
  readonly after?: number;
  readonly joinedBy?: JoinedBy;
}

type KeyOf = (keys: JoinKeys) => string | undefined;

/** Ways to match, in order. A later way only sees messages that are still without a match. */
const STEPS: readonly (readonly [JoinedBy, KeyOf])[] = [
  ['id', ({ pubsubname, topic, eventId }) => eventId && JSON.stringify([pubsubname, topic, eventId])],
  ['data', (keys) => JSON.stringify([kindOf(keys), keys.data])],
  ['order', (keys) => JSON.stringify(kindOf(keys))],
];

function kindOf({ pubsubname, topic, eventType, subject }: JoinKeys): readonly (string | undefined)[] {
  return [pubsubname, topic, comparableType(eventType), subject];
}

/**
 * Matches messages of the same topic: first by id; then by type, subject and data; then by type, subject and
 * order, because a restarted app uses new ids. Several equal messages are matched in order. The result is in
 * the order of `before`; a message that is only in `after` follows the one before it in `after`.
 */
export function joinMessages(before: readonly JoinKeys[], after: readonly JoinKeys[]): readonly Joined[] {
  const partner = new Map<number, { readonly at: number; readonly by: JoinedBy }>();
  const taken = new Set<number>();
  for (const [by, keyOf] of STEPS) {
    const waiting = new Map<string, number[]>();
    for (const [at, keys] of after.entries()) {
      const key = taken.has(at) ? undefined : keyOf(keys);
      if (key !== undefined) append(waiting, key, at);
    }
    const next = new Map<string, number>();
    for (const [at, keys] of before.entries()) {
      const key = partner.has(at) ? undefined : keyOf(keys);
      if (key === undefined) continue;
      const place = next.get(key) ?? 0;
      const found = waiting.get(key)?.[place];
      if (found === undefined) continue;
      next.set(key, place + 1);
      partner.set(at, { at: found, by });
      taken.add(found);
    }
  }
  return inOrder(before.length, after.length, partner, taken);
}

function append(to: Map<string, number[]>, key: string, at: number): void {
  const list = to.get(key);
  if (list === undefined) to.set(key, [at]);
  else list.push(at);
}

function inOrder(
  before: number,
  after: number,
  partner: ReadonlyMap<number, { readonly at: number; readonly by: JoinedBy }>,
  taken: ReadonlySet<number>,
): readonly Joined[] {
  const joined: Joined[] = [];
  let told = 0;
  const reportUpTo = (end: number): void => {
    for (; told < end; told += 1) if (!taken.has(told)) joined.push({ after: told });
  };
  for (let at = 0; at < before; at += 1) {
    const found = partner.get(at);
    if (found === undefined) {
      joined.push({ before: at });
      continue;
    }
    reportUpTo(found.at);
    joined.push({ before: at, after: found.at, joinedBy: found.by });
  }
  reportUpTo(after);
  return joined;
}
