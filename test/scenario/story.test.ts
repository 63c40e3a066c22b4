/** The story of a message tells each step in the sentence that the console has for its rule, and nothing of one run alone. */
import { expect, test } from 'vitest';
import { CAUSE_SENTENCES } from '../../core/contract/cause-sentences.ts';
import { steadySentence } from '../../core/contract/cause.ts';
import { RULE_IDS } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { seenOf, problemsBehind, storyOf } from '../../core/scenario/story.ts';
import { messageRow } from '../adapters/journal-records.ts';

const at = (ms: number): string => new Date(ms).toISOString();
const step = (given: Partial<Transition> & Pick<Transition, 'to' | 'rule'>): Transition => ({
  from: null,
  at: at(0),
  sequence: 1,
  cause: 'policy',
  ...given,
});

const REFUSED: Attempt = {
  attemptId: 'att_1',
  number: 1,
  startedAt: at(1),
  request: { body: '', method: 'POST', url: 'http://127.0.0.1:45123/orders', headers: {} },
  error: { code: 'refused', message: 'connect ECONNREFUSED 127.0.0.1:45123' },
  nextWait: { policy: 'constant', ms: 5 },
};

function delivery(transitions: readonly Transition[], attempts: readonly Attempt[]): Delivery {
  return {
    deliveryId: 'dlv_1',
    messageId: 'msg_1',
    appId: 'app',
    subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
    route: { path: '/orders' },
    state: 'retrying',
    attempts,
    transitions,
    maxAttempts: 3,
  };
}

const MESSAGE = { number: 7, topic: 'orders', pubsubname: 'pubsub', at: at(0), metadata: {} };

test('the story of a message without a delivery says what it waits for', () => {
  const waiting = { ...MESSAGE, deliveries: [], stage: 'waiting' } as const;
  expect(storyOf(waiting)).toEqual([
    'message 7 on orders: waits for component pubsub, to be published again',
  ]);
  expect(storyOf({ ...waiting, waitingFor: ['app'] })).toEqual([
    'message 7 on orders: waits until app has reported its subscriptions',
  ]);
});

test('the story of a message that no subscription matched names the apps that subscribe to it now', () => {
  const nobody = { ...MESSAGE, deliveries: [] };
  const none = 'message 7 on orders: no subscription matched its topic on pubsub';
  expect(storyOf(nobody)).toEqual([none]);
  expect(storyOf(nobody, { apps: [], mayBeElsewhere: false })).toEqual([none]);
  expect(storyOf(nobody, { apps: ['app'], mayBeElsewhere: false })).toEqual([
    `${none} when it was published. app subscribes to it now: replay the message to deliver it`,
  ]);
  expect(storyOf(nobody, { apps: ['app', 'shop'], mayBeElsewhere: false })).toEqual([
    `${none} when it was published. app, shop subscribe to it now: replay the message to deliver it`,
  ]);
  expect(storyOf(nobody, { apps: ['app'], mayBeElsewhere: true })[0]).toContain('still waits in pubsub');
});

test('a story has the sentences of the rules, without addresses, times and names of one run', () => {
  const one = delivery(
    [
      step({ to: 'queued', rule: 'policy.accepted' }),
      step({ from: 'queued', to: 'held', rule: 'hold.matched', note: 'hold_5c1', sequence: 2 }),
      step({ from: 'held', to: 'queued', rule: 'hold.released', note: 'hold_5c1', at: at(900), sequence: 3 }),
      step({ from: 'queued', to: 'attempting', rule: 'policy.attempt', at: at(1), sequence: 4 }),
      step({ from: 'attempting', to: 'retrying', rule: 'policy.no-answer', at: at(2), sequence: 5 }),
    ],
    [REFUSED],
  );
  expect(storyOf({ ...MESSAGE, deliveries: [one] })).toEqual([
    'message 7 on orders',
    '  to app at /orders: retrying after 1 attempt',
    '    Accepted for app. (queued by policy.accepted)',
    '    Held. (held by hold.matched)',
    '    Released by its hold. (queued by hold.released)',
    '    attempt 1: No answer (refused). To be retried. (retrying by policy.no-answer, next after 5 ms)',
  ]);
});

const saidOf = (rule: (typeof RULE_IDS)[number]): string => {
  const transition = step({ to: 'queued', rule, at: at(61_234) });
  return steadySentence(transition, delivery([transition], []), MESSAGE);
};

test.each(RULE_IDS)('%s has a sentence without a time', (rule) => {
  expect(saidOf(rule)).not.toMatch(/\d+(\.\d)? (ms|s|min|h|d)\b/);
  expect(saidOf(rule).length).toBeGreaterThan(4);
});

test.each(RULE_IDS.filter((rule) => !CAUSE_SENTENCES[rule].includes('{')))(
  '%s has the words of the console in a story',
  (rule) => expect(saidOf(rule)).toBe(CAUSE_SENTENCES[rule]),
);

test('control characters in foreign texts are escaped in a story', () => {
  const topic = 'a\u001b[2J\n\u202eb';
  const shown = 'a\\u{1b}[2J\\u{a}\\u{202e}b';
  const one = { ...delivery([], []), route: { path: '/\u001b[31m' } };
  expect(storyOf({ ...MESSAGE, topic, deliveries: [one] })).toEqual([
    `message 7 on ${shown}`,
    '  to app at /\\u{1b}[31m: retrying after 0 attempts',
  ]);
  expect(storyOf({ ...MESSAGE, topic, deliveries: [] })[0]).toContain(shown);
  expect(seenOf([messageRow(1, { topic })])).toContain(`1 on ${shown} (`);
});

test('the messages of a topic to which nobody subscribes are counted in words', () => {
  const nobody = messageRow(1, { topic: 'lost', deliveries: [] });
  expect(seenOf([nobody])).toBe('1 message: 1 on lost (1 without a subscription)');
});

test('behind a message that nobody got stand the problems of the apps, once each', () => {
  const message = 'The app speaks profile dapr: start with --profile dapr.';
  const apps = [{ problems: [{ message }] }, { problems: [{ message }] }, { problems: [] }];
  const nobody = { ...MESSAGE, deliveries: [] };
  expect(problemsBehind([nobody], apps)).toEqual([`problem: ${message}`]);
  expect(problemsBehind([{ ...nobody, stage: 'held' }], apps)).toEqual([]);
  expect(problemsBehind([{ ...nobody, tap: 'shop' }], apps)).toEqual([]);
});
