/** Sentences about what a delivery waits for. */
import { expect, test } from 'vitest';
import type { DeliveryTurn } from '../../core/contract/message.ts';
import { TURN_REASONS } from '../../core/contract/message.ts';
import { publishAgainText, turnText } from '../../renderer/format/turn.ts';

function text(turn: DeliveryTurn | undefined, appId = 'shop'): string | undefined {
  const subscription = { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' } as const;
  return turnText({ appId, subscription, ...(turn === undefined ? {} : { turn }) });
}

test.each<[DeliveryTurn, string]>([
  [
    { reason: 'calls', ahead: 3, now: 10, most: 10 },
    'Waiting for a call to end: 10 calls of this subscription are running, and the limit is 10 (delivery.concurrency). 3 deliveries go first.',
  ],
  [
    { reason: 'calls', ahead: 0, now: 1, most: 1 },
    'Waiting for a call to end: 1 call of this subscription is running, and the limit is 1 (delivery.concurrency). It is the next one.',
  ],
  [
    { reason: 'app-calls', ahead: 1, now: 2, most: 2 },
    'Waiting for a call to end: 2 calls to app shop are running, and the limit is 2 (app.maxConcurrency). 1 delivery goes first.',
  ],
  [
    { reason: 'app-calls', ahead: 0, now: 2, most: 2, own: true },
    'Waiting for a call to end: 2 calls to app shop are running, and the limit is 2 (the limit of this app). It is the next one.',
  ],
  [{ reason: 'turn', ahead: 0 }, 'Its call is about to start.'],
  [{ reason: 'turn', ahead: 1200 }, 'Waiting for its turn. 1,200 deliveries go first.'],
  [{ reason: 'act' }, 'Waiting for an action on this delivery to end.'],
  [
    { reason: 'bodies', ahead: 2, now: 63_000_000, most: 67_108_864 },
    'Waiting for room in memory: running calls to app shop hold bodies of 63 MB, and the limit is 67.1 MB. 2 deliveries go first.',
  ],
  [
    { reason: 'rules', ahead: 1 },
    'Its route is not known yet: match rules of other messages are evaluated first. 1 delivery goes first.',
  ],
  [
    { reason: 'earlier-call' },
    'Its batch is sent in several calls, one after another. Waiting for an earlier call to end.',
  ],
])('the reason %j is described in words', (turn, says) => {
  expect(text(turn)).toBe(says);
});

test('the words name why a message waits for a republish, with the time of the next attempt', () => {
  expect(publishAgainText({ reason: 'There is no component pubsub now.' })).toBe(
    'There is no component pubsub now.',
  );
  expect(
    publishAgainText({ reason: 'OOM command not allowed.', nextTryAt: '2026-03-01T10:00:01.000Z' }),
  ).toMatch(/^OOM command not allowed\. Next try at \d\d:\d\d:\d\d\.$/);
});

test('a batch says how full it is and when it goes; no reason is without a sentence', () => {
  expect(
    text({ reason: 'batch', ahead: 0, now: 1, most: 100, latestAt: '2026-03-01T10:00:01.000Z' }),
  ).toMatch(
    /^Waiting for its batch \(bulkSubscribe\): 1 of 100 messages has arrived\. The batch is sent at \d\d:\d\d:\d\d at the latest\.$/,
  );
  const said = TURN_REASONS.map((reason) => text({ reason, ahead: 1, now: 1, most: 1 }));
  expect(said.every((sentence) => sentence !== undefined && !sentence.includes('{'))).toBe(true);
  expect(new Set(said).size).toBe(TURN_REASONS.length);
  expect(text(undefined)).toBeUndefined();
});
