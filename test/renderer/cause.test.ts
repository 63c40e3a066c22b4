/** The sentence of every rule, filled from what happened. */
import { describe, expect, test } from 'vitest';
import { RULE_IDS, type DeliveryState, type RuleId } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, MessageDetail, Transition } from '../../core/contract/message.ts';
import { CAUSE_SENTENCES } from '../../core/contract/cause-sentences.ts';
import { OUTCOME_TABLES } from '../../renderer/copy/rules.ts';
import { attemptOf, causeSentence, isInterfaceRule, outcomeOf } from '../../renderer/format/cause.ts';
import { attemptWith, transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

interface Story {
  readonly rule: RuleId;
  readonly to: DeliveryState;
  readonly attempt?: Partial<Attempt>;
  readonly delivery?: Partial<Delivery>;
  readonly message?: Partial<MessageDetail>;
  readonly transition?: Partial<Transition>;
  readonly says: string;
}

const status = (code: number, body = '', word?: string): Partial<Attempt> => ({
  response: { status: code, headers: {}, body },
  ...(word === undefined ? {} : { word }),
});
const none = (code: 'refused' | 'timeout', message: string): Partial<Attempt> => ({
  error: { code, message },
  durationMs: 60_000,
});
const inBatch = (body: string, code = 200): Partial<Attempt> => ({
  bulk: { entryId: 'e7', batchSize: 3 },
  response: { status: code, headers: {}, body },
});

const STORIES: readonly Story[] = [
  {
    rule: 'single.2xx.empty',
    to: 'processed',
    attempt: status(204),
    says: 'The app answered 204 without a status: treated as SUCCESS.',
  },
  { rule: 'single.2xx.success', to: 'processed', says: 'The app answered SUCCESS.' },
  { rule: 'single.2xx.retry', to: 'retrying', says: 'The app asked for a retry.' },
  {
    rule: 'single.2xx.drop',
    to: 'dropped',
    attempt: status(200, '{"status":"DROP"}', 'DROP'),
    says: 'The app answered 200 DROP: it asked to drop the message. A warning was logged.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"Status":"WAT"}', 'WAT'),
    says: '"WAT" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"STATUS":"drop"}', 'drop'),
    says: '"drop" is not SUCCESS, RETRY or DROP: treated as an error, to be retried.',
  },
  {
    // An older history: the attempt does not say which word was read, and the answer is not read again.
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: status(200, '{"status":"MAYBE"}'),
    says: 'The app answered 200 with a status other than SUCCESS, RETRY and DROP: treated as an error, to be retried.',
  },
  {
    rule: 'single.2xx.invalid',
    to: 'processed',
    says: "The answer's body could not be read and was ignored: processed.",
  },
  { rule: 'single.404', to: 'dropped', says: 'The app answered 404: dropped. An error was logged.' },
  {
    rule: 'single.other',
    to: 'retrying',
    attempt: status(503),
    says: 'The app answered 503: to be retried. A warning was logged.',
  },
  {
    // The app answered 503, and a person put another answer in its place.
    rule: 'single.2xx.drop',
    to: 'dropped',
    attempt: {
      ...status(503, '', 'DROP'),
      instead: { response: { status: 200, headers: {}, body: '{"status":"DROP"}' } },
    },
    says: 'A person answered 200 DROP: it asked to drop the message. A warning was logged.',
  },
  {
    rule: 'bulk.2xx.retry',
    to: 'retrying',
    attempt: inBatch('{"statuses":[{"entryId":"e7","status":"RETRY"}]}'),
    says: 'For entry e7 the app answered RETRY.',
  },
  {
    rule: 'bulk.2xx.missing',
    to: 'retrying',
    attempt: inBatch('{"statuses":[]}'),
    says: 'The answer has no status for entry e7: treated as RETRY.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    attempt: { ...inBatch('{"Statuses":[{"EntryId":"e7","Status":"LATER"}]}'), word: 'LATER' },
    says: 'For entry e7 the app answered "LATER", which is not SUCCESS, RETRY or DROP: to be retried. An error was logged.',
  },
  {
    rule: 'bulk.2xx.other',
    to: 'retrying',
    attempt: inBatch('{"statuses":[{"entryId":"e7","status":"LATER"}]}'),
    says: 'For entry e7 the app answered a status other than SUCCESS, RETRY and DROP: to be retried. An error was logged.',
  },
  {
    rule: 'bulk.404',
    to: 'dropped',
    attempt: inBatch('', 404),
    says: 'The app answered 404 to the batch: all 3 entries dropped. An error was logged.',
  },
  {
    rule: 'bulk.other',
    to: 'retrying',
    attempt: inBatch('', 500),
    says: 'The app answered 500 to the batch: all 3 entries to be retried. A warning was logged.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('refused', 'connection refused'),
    says: 'No answer: connection refused. To be retried.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: none('timeout', 'timed out'),
    says: 'No answer within 1 min. To be retried.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 10 },
    says: 'All 10 attempts used. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.dead-letter',
    to: 'dead-lettered',
    attempt: { number: 10 },
    delivery: { deadLetter: { topic: 'orders-dlq', messageId: 'msg_9' } },
    says: 'All 10 attempts used: published to orders-dlq.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 4 },
    delivery: { transitions: [transitionBy('stream.closed', 'queued', { sequence: 1 })] },
    says: 'All 3 attempts used. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    says: 'Only one attempt was allowed. Parked: retry, replay or drop it.',
  },
  {
    rule: 'policy.exhausted',
    to: 'parked',
    attempt: { number: 3 },
    transition: { note: 'The copy for orders-dlq could not be published: no broker.' },
    says: 'No attempt is left after attempt 3. The copy for orders-dlq could not be published: no broker. Parked: retry, replay or drop it.',
  },
  { rule: 'policy.accepted', to: 'queued', says: 'Accepted for app.' },
  {
    rule: 'policy.retry',
    to: 'attempting',
    attempt: { number: 2 },
    transition: { at: '2026-03-01T14:32:08.400Z' },
    says: 'Attempt 2 of 10.',
  },
  {
    rule: 'policy.retry',
    to: 'attempting',
    attempt: { number: 2 },
    delivery: { maxAttempts: 0 },
    says: 'Attempt 2.',
  },
  {
    rule: 'ttl.expired',
    to: 'expired',
    message: { metadata: { ttlInSeconds: '3' } },
    transition: { at: '2026-03-01T14:32:11.412Z' },
    says: 'It expired 3 s after publishing (ttlInSeconds = 3).',
  },
  {
    rule: 'hold.matched',
    to: 'held',
    delivery: { heldBy: 'hold_1' },
    says: 'Held by "orders before delivery".',
  },
  {
    rule: 'hold.released',
    to: 'queued',
    transition: { from: 'held', note: 'hold_1', at: '2026-03-01T14:32:10.000Z', sequence: 5 },
    delivery: {
      transitions: [transitionBy('hold.matched', 'held', { at: '2026-03-01T14:32:08.000Z', sequence: 1 })],
    },
    says: 'Released by "orders before delivery" after 2 s.',
  },
  {
    rule: 'single.other',
    to: 'retrying',
    attempt: { ...status(503), tap: 'shop' },
    says: 'The app answered 503: its sidecar decides whether it tries again. A warning was logged.',
  },
  {
    rule: 'single.2xx.other',
    to: 'retrying',
    attempt: { ...status(200, '{"status":"LATER"}', 'LATER'), tap: 'shop' },
    says: '"LATER" is not SUCCESS, RETRY or DROP: treated as an error: its sidecar decides whether it tries again.',
  },
  {
    rule: 'bulk.other',
    to: 'retrying',
    attempt: { ...inBatch('', 500), tap: 'shop' },
    says: 'The app answered 500 to the batch: its sidecar decides whether it tries again. A warning was logged.',
  },
  {
    rule: 'policy.no-answer',
    to: 'retrying',
    attempt: { ...none('refused', 'connection refused'), tap: 'shop' },
    says: 'No answer: connection refused. Its sidecar decides whether it tries again.',
  },
  {
    rule: 'restart.requeued',
    to: 'queued',
    attempt: { number: 4 },
    says: 'Sidelight ended during attempt 4, so the answer is not known. The message is delivered again (at least once).',
  },
  { rule: 'user.retry', to: 'queued', says: 'You retried it.' },
  { rule: 'user.cancel', to: 'retrying', says: 'You cancelled the call. To be retried.' },
  { rule: 'router.any', to: 'queued', says: 'The embedded router decided this (router.any).' },
];

describe('sentences', () => {
  test.each(STORIES)('$rule: $says', (story) => {
    const attempts = [attemptWith(story.attempt)];
    const delivery = wholeDelivery({ attempts, ...story.delivery });
    const message = wholeMessage({ ...story.message });
    const transition = transitionBy(story.rule, story.to, story.transition);
    const name = (id: string): string | undefined => (id === 'hold_1' ? 'orders before delivery' : undefined);
    expect(causeSentence(transition, delivery, message, name)).toBe(story.says);
  });

  test.each(RULE_IDS)('%s has a sentence without an unfilled place', (rule) => {
    expect(CAUSE_SENTENCES[rule]).not.toBe('');
    const delivery = wholeDelivery({
      attempts: [attemptWith({ bulk: { entryId: 'e', batchSize: 2 } })],
      deadLetter: { topic: 't', messageId: 'm' },
    });
    const transition = transitionBy(rule, 'retrying', { note: 'a note' });
    const sentence = causeSentence(transition, delivery, wholeMessage(), () => 'a hold');
    expect(sentence).not.toMatch(/[{}]/);
    expect(sentence.endsWith('.')).toBe(true);
  });
});

describe('tables of the interface', () => {
  test('every row of the two outcome tables names its rules, and only those are the interface’s', () => {
    const listed = OUTCOME_TABLES.flatMap(({ rows }) => rows.flatMap(({ rules }) => rules));
    const expected = RULE_IDS.filter((rule) => /^(single|bulk)\./.test(rule) && rule !== 'bulk.2xx.other');
    expect([...listed].toSorted()).toEqual([...expected].toSorted());
    expect(isInterfaceRule('single.404')).toBe(true);
    expect(isInterfaceRule('bulk.2xx.other')).toBe(false);
    expect(isInterfaceRule('policy.exhausted')).toBe(false);
  });

  test('the tables have eight and four rows', () => {
    expect(OUTCOME_TABLES.map(({ rows }) => rows.length)).toEqual([8, 4]);
  });
});

describe('attempts and transitions', () => {
  const at = (ms: number): string => new Date(Date.parse('2026-03-01T14:32:00.000Z') + ms).toISOString();
  const accepted = transitionBy('policy.accepted', 'queued', { from: null, at: at(0), sequence: 1 });
  const began = (ms: number, sequence: number): Transition =>
    transitionBy('policy.retry', 'attempting', { from: 'retrying', at: at(ms), sequence });
  const ended = (ms: number, sequence: number): Transition =>
    transitionBy('single.other', 'retrying', { at: at(ms), sequence });
  const attemptAt = (attemptId: string, from: number, to: number): Attempt =>
    attemptWith({ attemptId, startedAt: at(from), endedAt: at(to) });

  test('are paired in order, even where rounding puts the end of the call after its transition', () => {
    const [first, second] = [attemptAt('a1', 0, 3), attemptAt('a2', 2, 3)];
    const transitions = [accepted, began(0, 2), ended(2, 3), began(2, 4), ended(2, 5)];
    const delivery = wholeDelivery({ attempts: [first, second], transitions });
    expect(outcomeOf(delivery, first)?.sequence).toBe(3);
    expect(outcomeOf(delivery, second)?.sequence).toBe(5);
    expect(transitions.map((each) => attemptOf(delivery, each)?.attemptId)).toEqual([
      undefined,
      'a1',
      'a1',
      'a2',
      'a2',
    ]);
  });

  test('an attempt that runs has no outcome yet', () => {
    const attempt = attemptAt('a1', 0, 1);
    const delivery = wholeDelivery({ attempts: [attempt], transitions: [accepted, began(0, 2)] });
    expect(outcomeOf(delivery, attempt)).toBeUndefined();
  });

  test('a call that a restart cut may have left no attempt', () => {
    const attempt = attemptAt('a1', 5000, 5010);
    const cut = transitionBy('restart.requeued', 'queued', { at: at(1000), sequence: 3, cause: 'restart' });
    const transitions = [accepted, began(0, 2), cut, began(5000, 4), ended(5010, 5)];
    const delivery = wholeDelivery({ attempts: [attempt], transitions });
    expect(outcomeOf(delivery, attempt)?.sequence).toBe(5);
  });

  test('a later transition shows the last attempt', () => {
    const attempt = attemptAt('a1', 0, 1);
    const parked = transitionBy('policy.exhausted', 'parked', { from: 'retrying', at: at(9), sequence: 9 });
    const delivery = wholeDelivery({
      attempts: [attempt],
      transitions: [accepted, began(0, 2), ended(1, 3), parked],
    });
    expect(attemptOf(delivery, parked)?.attemptId).toBe('a1');
  });
});
