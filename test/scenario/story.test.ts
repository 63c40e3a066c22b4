/** The story of a message tells each step in the sentence that the console has for its rule, and nothing of one run alone. */
import { expect, test } from 'vitest';
import { CAUSE_SENTENCES } from '../../core/contract/cause-sentences.ts';
import { steadySentence } from '../../core/contract/cause.ts';
import { RULE_IDS } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { noComponent } from '../../core/runtime/apps/connection-mistakes.ts';
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
  expect(storyOf({ ...waiting, waitingFor: ['app', 'shop'] })).toEqual([
    'message 7 on orders: waits until app and shop have reported their subscriptions',
  ]);
});

test('a message that one app has and another may get says what it still waits for', () => {
  const had = delivery([step({ to: 'queued', rule: 'policy.accepted' })], []);
  const message = { ...MESSAGE, deliveries: [had], stage: 'waiting', waitingFor: ['shop'] } as const;
  expect(storyOf(message).at(-1)).toBe('  waits until shop has reported its subscriptions');
});

test('of a tapped app only its sidecar knows whether a call is repeated', () => {
  const calls = [
    step({ from: 'queued', to: 'attempting', rule: 'policy.attempt', sequence: 1 }),
    step({ from: 'attempting', to: 'retrying', rule: 'policy.no-answer', sequence: 2, at: at(2) }),
    step({ to: 'dead-lettered', rule: 'tap.dead-letter', sequence: 3, note: 'The copy is message msg_2.' }),
  ];
  const told = storyOf({ ...MESSAGE, deliveries: [delivery(calls, [{ ...REFUSED, tap: 'app' }])] });
  expect(told.slice(2)).toEqual([
    '    attempt 1: No answer (refused). Its sidecar decides whether it tries again. (retrying by policy.no-answer, next after 5 ms)',
    '    The sidecar gave up and published a copy to –, where the tap saw it. (dead-lettered by tap.dead-letter)',
  ]);
});

const { error: _none, ...answered } = REFUSED;

/** Lines of the story for one attempt with this answer. */
function toldAnswer(
  body: string,
  {
    ended = {},
    more = {},
    response = {},
  }: {
    readonly ended?: Partial<Transition>;
    readonly more?: Partial<Attempt>;
    readonly response?: Partial<NonNullable<Attempt['response']>>;
  } = {},
): readonly string[] {
  const steps = [
    step({ from: 'queued', to: 'attempting', rule: 'policy.attempt', sequence: 1 }),
    step({ from: 'attempting', to: 'dropped', rule: 'single.404', sequence: 2, at: at(2), ...ended }),
  ];
  const attempt = { ...answered, response: { status: 404, headers: {}, body, ...response }, ...more };
  return storyOf({ ...MESSAGE, deliveries: [delivery(steps, [attempt])] }).slice(3);
}

test('what the app answered beside its status follows the line of a failed attempt, without secrets of addresses', () => {
  expect(toldAnswer('{"error":"ledger locked"}')).toEqual(['      answer: {"error":"ledger locked"}']);
  expect(toldAnswer('no\n\tledger \u001b[31m\n')).toEqual(['      answer: no ledger \\u{1b}[31m']);
  expect(toldAnswer('no redis://me:pw@ledger')).toEqual(['      answer: no redis://***@ledger']);
  expect(toldAnswer('x'.repeat(100_000))).toEqual([`      answer: ${'x'.repeat(200)}…`]);
  expect(toldAnswer('<html><h1>No ledger</h1></html>')).toEqual([
    '      answer: an HTML page that begins with "No ledger"',
  ]);
  const instead = { response: { status: 404, headers: {}, body: 'by hand' } };
  expect(toldAnswer('no ledger', { more: { instead } })).toEqual(['      answer: by hand']);
});

test('an answer that says no more than the line of its attempt is not told', () => {
  expect(toldAnswer(' \n')).toEqual([]);
  expect(toldAnswer('AAEC', { response: { bodyBase64: true } })).toEqual([]);
  expect(toldAnswer('{"n":1}', { ended: { to: 'processed', rule: 'single.2xx.success' } })).toEqual([]);
  const drop = { ended: { rule: 'single.2xx.drop' }, more: { word: 'DROP' } } as const;
  expect(toldAnswer('{"status":"DROP"}', drop)).toEqual([]);
  expect(toldAnswer('{"status":"DROP","why":"no ledger"}', drop)).toHaveLength(1);
  const bulk = { entryId: 'e1', batchSize: 2 };
  expect(toldAnswer('{"statuses":[1,2],"n":1}', { ...drop, more: { word: 'DROP', bulk } })).toEqual([]);
});

test('an answer that a hold keeps back is told', () => {
  const held: Delivery = {
    ...delivery([step({ to: 'queued', rule: 'policy.accepted' })], [answered]),
    state: 'attempting',
    heldAt: 'response',
  };
  expect(storyOf({ ...MESSAGE, deliveries: [held] }).at(-1)).toBe('    the answer to attempt 1 is held');
});

test('a copy on a dead-letter topic is told once, without the id that it has in this run', () => {
  const note =
    'Rule 2 "event.data.x > 1" could not be evaluated: no such key. A copy was published to dead: message msg_2.';
  const ended = step({ to: 'dead-lettered', rule: 'policy.route-error', note });
  expect(storyOf({ ...MESSAGE, deliveries: [delivery([ended], [])] })[2]).toBe(
    '    Rule 2 could not be evaluated: no such key. The message was not sent. A copy was published to dead. (dead-lettered by policy.route-error, Rule 2 "event.data.x > 1" could not be evaluated: no such key)',
  );
  const dropped = step({
    to: 'dropped',
    rule: 'user.drop',
    note: 'A copy was published to dead: message msg_2.',
  });
  expect(storyOf({ ...MESSAGE, deliveries: [delivery([dropped], [])] })[2]).toBe(
    '    You dropped it. (dropped by user.drop, A copy was published to dead)',
  );
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
    '    Accepted for the app. (queued by policy.accepted)',
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
  const message = 'The app answers nothing.';
  const closed = { code: 'nobody-listens', message: 'Nothing listens at http://127.0.0.1:1.' };
  const apps = [{ problems: [{ message }] }, { problems: [closed, { message }] }, { problems: [] }];
  const nobody = { ...MESSAGE, deliveries: [] };
  expect(problemsBehind([nobody], apps)).toEqual([`problem: ${message}`]);
  expect(problemsBehind([{ ...nobody, stage: 'held' }], apps)).toEqual([]);
  expect(problemsBehind([{ ...nobody, tap: 'shop' }], apps)).toEqual([]);
});

test('what Sidelight says of an app names members of the file, because a scenario has no flags', () => {
  const nobody = { ...MESSAGE, deliveries: [] };
  const left = noComponent('app', { pubsubname: 'p', topics: ['t'], others: undefined, ofList: true }, []);
  const told = (message: string): string => problemsBehind([nobody], [{ problems: [{ message }] }]).join('');
  expect(told(left.message)).toMatch(/until resources names a folder with p, or/);
  expect(
    told('It answers GET /x. Start with --profile dapr-1.18. Until then it gets no messages.'),
  ).toContain('Start with profile: dapr-1.18. Until');
  const scheme = (spoken: string): string =>
    told(
      `Give its address as ${spoken}://h:1. With --app-port of sidelight run, give --app-protocol ${spoken}.`,
    );
  expect(scheme('grpc')).toMatch(/h:1\. For an app that a file starts, give appProtocol: grpc\.$/);
  expect(scheme('https')).toMatch(/https:\/\/h:1\.$/);
  expect(told('check this address, which --set app.url gave')).toContain('which settings: app.url gave');
});
