/** The reason in the head of a message without a delivery: what is known now says nothing about a recording. */
import { expect, test } from 'vitest';
import { WhyLine } from '../../renderer/components/detail/WhyLine.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';
import { transitionBy, wholeDelivery, wholeMessage } from './samples.ts';

const NOTHING = { items: [], nextCursor: null, discovery: [], problems: [] };
const topology = {
  subscriptions: known(NOTHING),
  components: known({ items: [], files: [] }),
  apps: known({ items: [] }),
};

function said(message: ReturnType<typeof wholeMessage>, more: object = {}): string {
  const holds = { list: known({ items: [] }) };
  return wordsOf(drawn(<WhyLine message={message} delivery={undefined} />, { topology, holds, ...more }));
}

test('the line of a message without a subscription has the present reason, and in a recording only its own facts', () => {
  const message = { ...wholeMessage(), topic: 'orders', pubsubname: 'pubsub', deliveries: [] };
  expect(said(message)).toContain(
    'No subscription for topic orders on pubsub: no app subscribes to anything.',
  );
  expect(said(message, { readOnly: 'read-only' })).toBe(
    'The recording has no delivery of this message: no subscription to topic orders on pubsub had received it by then.',
  );
});

/** An active subscription to orders. */
const ROW = { appId: 'app', pubsubname: 'pubsub', topic: 'orders', source: 'programmatic', state: 'active' };

test('the line begins with the near name, with a mistake in the list of the app, or with what a dead-letter copy is', () => {
  const message = { ...wholeMessage(), topic: 'order', pubsubname: 'pubsub', deliveries: [] };
  const subscribed = { ...topology, subscriptions: known({ ...NOTHING, items: [ROW] }) };
  expect(said(message, { topology: subscribed })).toMatch(
    /^There is a subscription for topic orders on pubsub\. No subscription for topic order on pubsub\. no subscription$/,
  );
  const mistake = {
    code: 'unusable-subscription',
    topic: 'order',
    message: 'Subscription 1 (order): no route.',
  };
  const discovery = { state: 'done', url: 'http://127.0.0.1:9/sidecar/subscribe', count: 0, unused: 1 };
  const apps = known({ items: [{ appId: 'app', problems: [mistake], discovery }] });
  expect(said(message, { topology: { ...topology, apps } })).toMatch(
    /^A mistake in the list of the app: Subscription 1 \(order\): no route\. No subscription in use matches topic order on pubsub\./,
  );
  const deadLetterOf = { messageId: 'm', deliveryId: 'd', topic: 'orders' };
  expect(said({ ...message, topic: 'orders-dead', deadLetterOf }, { topology: subscribed })).toMatch(
    /^A dead-letter copy\. Nobody subscribes to orders-dead on pubsub: it stays here to be looked at or replayed\./,
  );
});

test('a message that a subscription could take is not said to have none', () => {
  const taken = { ...topology, subscriptions: known({ ...NOTHING, items: [ROW] }) };
  const message = { ...wholeMessage(), topic: 'orders', pubsubname: 'pubsub', deliveries: [] };
  const words = said(message, { topology: taken });
  expect(words).toContain('There is a subscription for topic orders on pubsub (the app)');
  expect(words).not.toContain('no subscription');
});

test('the line of a message that waits for an app has the present discovery, but not in a recording', () => {
  const url = 'http://127.0.0.1:9/sidecar/subscribe';
  const asked = {
    ...topology,
    subscriptions: known({ ...NOTHING, discovery: [{ appId: 'app', state: 'waiting', url, count: 0 }] }),
  };
  const message = { ...wholeMessage(), deliveries: [], stage: 'waiting' as const, waitingFor: ['app'] };
  expect(said(message, { topology: asked })).toBe(
    `Waiting for the app to report its subscriptions. Can't reach the app at ${url}; retrying.`,
  );
  expect(said(message, { topology: asked, readOnly: 'read-only' })).toBe(
    'It was waiting for the app to report its subscriptions when it was recorded.',
  );
  expect(said({ ...message, waitingFor: ['app', 'shop'] }, { topology: asked, readOnly: 'read-only' })).toBe(
    'It was waiting for apps app, shop to report their subscriptions when it was recorded.',
  );
});

test('a recording says nothing in the present tense, and offers no act', () => {
  const then = { readOnly: 'read-only' };
  const parked = wholeDelivery({
    state: 'parked',
    transitions: [transitionBy('policy.exhausted', 'parked', { from: 'retrying' })],
  });
  const holds = { list: known({ items: [] }) };
  const line = (more: object): string =>
    wordsOf(drawn(<WhyLine message={wholeMessage()} delivery={parked} />, { topology, holds, ...more }));
  expect(line({})).toContain('Parked: retry, replay or drop it.');
  expect(line(then)).toContain('Parked.');
  expect(line(then)).not.toContain('replay');
  const before = { ...wholeMessage(), deliveries: [] };
  expect(said({ ...before, stage: 'held' }, then)).toContain('It was still held when it was recorded.');
  expect(said({ ...before, stage: 'dropped' })).toContain('replay it to publish it');
  expect(said({ ...before, stage: 'dropped' }, then)).toContain('A person dropped it');
  expect(said({ ...before, stage: 'waiting' })).toContain('Waiting for component');
  expect(said({ ...before, stage: 'waiting' }, then)).toBe(
    'It was waiting for component pubsub to accept it when it was recorded.',
  );
  const late = { stage: 'waiting' as const, waitingFor: ['app'], expiresAt: '2026-03-01T14:32:10.000Z' };
  expect(said({ ...before, ...late }, then)).toBe(
    'It was waiting for the app to report its subscriptions when it was recorded.',
  );
});

test('a recording names a hold as it was written then, not by the holds of now', () => {
  const held = wholeDelivery({
    state: 'held',
    heldBy: 'hold_1',
    transitions: [transitionBy('hold.matched', 'held', { from: 'queued' })],
  });
  const holds = { list: known({ items: [{ holdId: 'hold_1', name: 'renamed since', filter: '' }] }) };
  const line = (more: object): string =>
    wordsOf(drawn(<WhyLine message={wholeMessage()} delivery={held} />, { topology, holds, ...more }));
  expect(line({})).toContain('Held by &quot;renamed since&quot;.');
  expect(line({ readOnly: 'read-only' })).not.toContain('renamed since');
});

test('a message whose time passed while it waits for its app says when it expires', () => {
  const message = { ...wholeMessage(), deliveries: [], stage: 'waiting' as const, waitingFor: ['app'] };
  const over =
    /Its time to live ended at [\d:]+, so it will not be delivered\. It expires as soon as the app has reported/;
  expect(said({ ...message, expiresAt: '2026-03-01T14:32:10.000Z' })).toMatch(over);
  expect(said({ ...message, expiresAt: '9026-03-01T14:32:10.000Z' })).not.toMatch(over);
  expect(said(message)).not.toMatch(over);
});

test('the line of a delivery that waits for its rules says so, but not in a recording', () => {
  const begun = { from: null, to: 'queued', at: '2026-03-01T10:00:00.000Z', sequence: 1 } as const;
  const accepted = { ...begun, cause: 'policy', rule: 'policy.accepted' } as const;
  const holds = { list: known({ items: [] }) };
  const apps = known({ items: [{ appId: 'app', problems: [] }] });
  const words = (delivery: ReturnType<typeof wholeDelivery>, more: object = {}, expiresAt?: string): string =>
    wordsOf(
      drawn(
        <WhyLine message={wholeMessage(expiresAt === undefined ? {} : { expiresAt })} delivery={delivery} />,
        {
          topology: { ...topology, apps },
          holds,
          ...more,
        },
      ),
    );
  const waits = wholeDelivery({ state: 'queued', attempts: [], transitions: [] });
  expect(words({ ...waits, turn: { reason: 'rules', ahead: 0 } })).toBe(
    'Its route is not known yet: match rules of other messages are evaluated first. It is the next one.',
  );
  const queued = wholeDelivery({ state: 'queued', attempts: [], transitions: [accepted] });
  expect(words(queued, { readOnly: 'read-only' })).toContain(
    'It was waiting for its turn when it was recorded. A recording does not say for what.',
  );
  expect(words(queued)).not.toContain('recorded');
  const unasked = { ...queued, turn: { reason: 'discovery' } } as const;
  expect(words(unasked)).not.toContain('time to live ended');
  expect(words(unasked, {}, '2026-03-01T10:00:01.000Z')).toContain('Its time to live ended');
});

test('the line of a message expected by an app here does not say that nobody subscribes, also in a recording', () => {
  const message = {
    ...wholeMessage(),
    topic: 'orders',
    pubsubname: 'stream',
    deliveries: [],
    expectedBy: ['shop'],
  };
  expect(said(message)).toBe(
    "It was not delivered here, though app shop subscribed to topic orders on stream when it was published. It may still wait in the broker, or another program of the app's group took it. If nobody got it, replay it.",
  );
  expect(said(message, { readOnly: 'read-only' })).toBe(
    "The recording has no delivery of it, though app shop subscribed to topic orders on stream when it was published. It may have waited in the broker by then, or another program of the app's group took it.",
  );
});

test('the line of a held answer names the hold, and does not say that a call is running', () => {
  const released = transitionBy('user.release', 'queued', { from: 'held', sequence: 2, cause: 'user' });
  const began = transitionBy('policy.attempt', 'attempting', {
    from: 'queued',
    sequence: 3,
    cause: 'policy',
  });
  const delivery = wholeDelivery({
    state: 'attempting',
    heldAt: 'response',
    heldBy: 'hld_1',
    transitions: [released, began],
  });
  const words = (holds: readonly object[]): string =>
    wordsOf(
      drawn(<WhyLine message={wholeMessage()} delivery={delivery} />, {
        topology,
        holds: { list: known({ items: holds }) },
      }),
    );
  const hold = { holdId: 'hld_1', filter: 'status:5xx' };
  expect(words([{ ...hold, name: 'bad answers' }])).toBe(
    'Hold &quot;bad answers&quot; keeps back the answer to attempt 1.',
  );
  expect(words([hold])).toBe('Hold &quot;status:5xx&quot; keeps back the answer to attempt 1.');
  expect(words([{ ...hold, filter: '' }])).toBe(
    'Hold &quot;everything&quot; keeps back the answer to attempt 1.',
  );
  expect(words([])).toBe('The answer to attempt 1 is held.');
});
