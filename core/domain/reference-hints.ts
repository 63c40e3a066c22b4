/** The table of hints about the reference sidecar, and how a row becomes a hint. docs/reference-differences.md has the same rows. */
import { shortened } from '../contract/cut-place.ts';
import type { Differences } from '../contract/profile.ts';
import type { ReferenceHint, ReferenceHintId } from '../contract/reference-hint.ts';

export interface HintRow {
  readonly effect: ReferenceHint['effect'];
  readonly title: string;
  /** Condition under which the hint is given. */
  readonly when: string;
  readonly reference: string;
  readonly here: string;
}

const PAGE = 'docs/reference-differences.md';

export const REFERENCE_HINTS: Readonly<Record<ReferenceHintId, HintRow>> = {
  'rule-extension-function': {
    effect: 'fails',
    title: 'The rule calls a function that the reference does not have',
    when: 'A rule calls a function outside the standard rule language, for example `lowerAscii`, `trim`, `substring`, `split`, `join` or `re2matches`.',
    reference:
      'The reference hangs while it reads the subscriptions: its health route stays at 500 and no subscription of the app gets a message. If a file declares it, release 1.18 opens no port at all.',
    here: 'The function works.',
  },
  'rule-refused': {
    effect: 'fails',
    title: 'The reference refuses the rule',
    when: 'A rule compares numbers of different types outside a macro such as `all` (whole with decimal, or signed with unsigned as in `1u < 2`), hands a text function a value that is not text, has a whole number beyond 64 bits, asks a map that it writes out for a key of another type (`{"a": 1}[1]`), goes through the members of the whole event (`event.all(k, k != "")`), has a choice inside of a choice without brackets (`a ? b ? c : d : e`), has its own quote in a text without escapes (`r"\\""`), or is not an expression of the rule language.',
    reference:
      'The reference refuses the rule. If the app declares it, the app loses all its subscriptions, those of files too. If a file declares it, release 1.13 loses this subscription alone, and release 1.18 ends at its start.',
    here: 'The rule is used, and the other subscriptions do not depend on it.',
  },
  'rule-unquoted-word': {
    effect: 'fails',
    title: 'The rule compares with a word that has no quotes',
    when: 'A rule compares with a value that has no quotes and that Sidelight reads as text.',
    reference:
      'The reference takes a word as the name of a variable that does not exist: the rule fails with every message. It compares a number, `true`, `false` or a type name as such: the rule never holds for a text. A word such as `event.created` is a member of the event there: without that member the rule fails too.',
    here: 'The word is text, as if it had quotes.',
  },
  'rule-not-compared': {
    effect: 'differs',
    title: 'The rule is too long to be compared with the reference',
    when: 'A rule has more than 4,000 characters, or the rules of the app have more than 100,000 characters together.',
    reference:
      'What happens there is not known. Sidelight reads no more than that for its hints, because longer rules would delay other work.',
    here: 'The rule is used.',
  },
  'raw-payload-quoted': {
    effect: 'fails',
    title: 'The value of rawPayload is quoted twice',
    when: 'The metadata value `rawPayload` of a subscription contains quotes of its own.',
    reference: 'The reference cannot read the value: every delivery of the subscription fails.',
    here: 'The value is read without its quotes.',
  },
  'batch-drop-split': {
    effect: 'fails',
    title: 'A dropped entry of a part of a batch ends the reference',
    when: 'A bulk subscription on a component other than `pubsub.in-memory` has a dead-letter topic, and more than one path or a Resiliency policy that retries.',
    reference:
      'If the app answers DROP for an entry of a batch that is split over several paths, or of which only some entries are tried again, the process of the reference can end.',
    here: 'The entry goes to the dead-letter topic.',
  },
  'trace-not-text': {
    effect: 'fails',
    title: 'A traceid that is not text ends the reference',
    when: 'The event that is explained has a member `traceid` that is not text and no `traceparent`, or beside a `traceid` a `traceparent` that is not text, and the subscription is not raw.',
    reference: 'The process of the reference ends when it delivers the event.',
    here: 'The member is ignored and the event is delivered.',
  },
  'dead-letter-at-once': {
    effect: 'differs',
    title: 'Dead letter after the first failure',
    when: 'A subscription has a dead-letter topic, no Resiliency policy holds for its component, and more than one attempt is made here.',
    reference: 'A message that fails once goes to the dead-letter topic at once.',
    here: 'The message goes to the dead-letter topic after the attempts of the setting `delivery.retry`, 10 by default.',
  },
  'expired-dead-letter': {
    effect: 'differs',
    title: 'Expired messages do not arrive on the dead-letter topic',
    when: 'A subscription takes the dead-letter topic of another subscription and is not raw.',
    reference:
      'A copy of an expired message still carries its expiry, so it expires again and is not delivered. Only a raw subscription gets it.',
    here: 'The copy is delivered.',
  },
  'redis-redelivery': {
    effect: 'differs',
    title: 'Redis hands a failed message over again much later, and without end',
    when: 'A subscription on `pubsub.redis` has no dead-letter topic.',
    reference:
      'A message that failed is handed over again when `processingTimeout` is over and the next look of `redeliverInterval` comes: after 60 to 75 s by default. This repeats until the app accepts the message.',
    here: 'The message is tried again by the setting `delivery.retry` or a Resiliency policy, and is parked after the last attempt.',
  },
  'redis-redeliver-interval': {
    effect: 'differs',
    title: 'The reference ignores redeliverInterval',
    when: 'A `pubsub.redis` component has a `redeliverInterval` with a unit, other than 15 s.',
    reference:
      'Only a bare number of milliseconds counts. A value with a unit is ignored, and the default of 15 s applies.',
    here: 'A value with a unit counts.',
  },
  'redis-batch-size': {
    effect: 'differs',
    title: 'Smaller batches over Redis',
    when: 'A bulk subscription on `pubsub.redis` allows more messages in a batch than the `concurrency` of the component, 10 by default.',
    reference: 'A batch has at most as many entries as the `concurrency` of the component.',
    here: 'A batch has up to `maxMessagesCount` entries.',
  },
  'lost-after-one-attempt': {
    effect: 'fails',
    title: 'A message that fails once is lost',
    when: 'In profile `dapr-1.18`, a subscription has no dead-letter topic, no Resiliency policy holds for its component, and more than one attempt is made here.',
    reference: 'A message is tried once. When the app fails, the message is gone, in memory and on Redis.',
    here: 'The message is tried again by the setting `delivery.retry`, and is parked after the last attempt.',
  },
  'batch-also-to-root': {
    effect: 'differs',
    title: 'Entries that no rule takes go to the root path of the app',
    when: 'In profile `dapr-1.18`, a bulk subscription has rules and no default route.',
    reference: 'An entry that no rule takes is also posted to `/` of the app.',
    here: 'An entry that no rule takes is not sent.',
  },
};

/** Page and heading of the documentation of a hint. */
export function documentedAt(id: ReferenceHintId): string {
  return `${PAGE}#${id}`;
}

/** Maximum number of characters of what a hint found: topics, paths and values may be very long. */
const MAX_FOUND_LENGTH = 500;

/** Makes a hint of the table for the text in which it was found. */
export function hintOf(
  id: ReferenceHintId,
  found: string,
  more: Pick<ReferenceHint, 'rule' | 'component'> = {},
): ReferenceHint {
  const { effect, title, reference, here } = REFERENCE_HINTS[id];
  const place = shortened(found, MAX_FOUND_LENGTH);
  return { id, effect, title, found: place, reference, here, documented: documentedAt(id), ...more };
}

/** The hints that hold for the release of a profile. */
export function hintsThatHold(
  hints: readonly ReferenceHint[],
  { untrueHints }: Pick<Differences, 'untrueHints'>,
): readonly ReferenceHint[] {
  return hints.filter(({ id }) => !untrueHints.includes(id));
}

/** A hint as a line of the log: the difference, where it was found, and what happens here and there. */
export function hintText(hint: ReferenceHint, release: string): string {
  const { effect, title, found, reference, here, documented } = hint;
  const start =
    effect === 'fails' ? `does not work on the reference ${release}` : `differs on the reference ${release}`;
  return `${start}: ${title} (${found}). Here: ${here} On the reference: ${reference} See ${documented}.`;
}
