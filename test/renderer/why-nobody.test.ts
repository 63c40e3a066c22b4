/** Why no subscription took a message, and why messages wait for a person: the true reason, never a guess. */
import { expect, test } from 'vitest';
import type { Result } from '../../core/contract/console.ts';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import {
  illnessOf,
  isInOtherCase,
  nearest,
  noneText,
  notHandedText,
  unusedOf,
  usersOf,
} from '../../renderer/components/detail/WhyLine.tsx';
import { listReasons } from '../../renderer/format/list-reasons.ts';
import { reasonFilters } from '../../renderer/views/messages/WaitingForYou.tsx';

type Items = Result<'subscriptions.list'>['items'];
type Files = Result<'components.list'>['files'];

const row = (change: Partial<Items[number]>): Items[number] => ({
  appId: 'app',
  pubsubname: 'pubsub',
  topic: 'orders',
  source: 'declarative',
  rules: [],
  metadata: {},
  rawPayload: false,
  state: 'active',
  counts: {},
  ...change,
});

const document = {
  kind: 'Subscription' as const,
  name: 'orders',
  document: 2,
  line: 12,
  used: false,
  reason: 'None of the running apps is in its scopes (billing).',
  of: { pubsubname: 'pubsub', topic: 'orders' },
};
const files: Files = [{ file: 'subs.yaml', documents: [document], problems: [] }];

test('a subscription that its scopes leave out is named with file, line and scopes', () => {
  expect(unusedOf([], files, 'orders', 'pubsub')).toEqual([
    'The one in subs.yaml, line 12, is not used: None of the running apps is in its scopes (billing).',
  ]);
  expect(unusedOf([], files, 'orders', 'other')).toEqual([]);
});

test('an unused subscription is listed once, with its reason', () => {
  const items = [row({ state: 'forbidden', reason: 'Not in the allowed topics.', file: 'subs.yaml' })];
  expect(unusedOf(items, files, 'orders', 'pubsub')).toEqual([
    'The subscription of the app in subs.yaml is not used: Not in the allowed topics.',
  ]);
  const reported = row({ appId: 'shop', source: 'programmatic', state: 'inert', reason: 'No component.' });
  expect(unusedOf([reported], [], 'orders', 'pubsub')).toEqual([
    'The subscription of app shop is not used: No component.',
  ]);
});

test('only another spelling or another component is called near', () => {
  const items = [row({ topic: 'Orders' }), row({ pubsubname: 'other' }), row({ state: 'invalid' })];
  expect(nearest(items, 'orders', 'pubsub')).toEqual([
    'There is a subscription for topic Orders on pubsub.',
    'There is a subscription for this topic on another component, other.',
  ]);
});

test('a topic with a letter less is called near, a dead-letter topic of it is not', () => {
  const items = [row({ topic: 'orders' }), row({ topic: 'orders-dead' })];
  expect(nearest(items, 'order', 'pubsub')).toEqual(['There is a subscription for topic orders on pubsub.']);
});

const URL = 'http://127.0.0.1:8080/sidecar/subscribe';
const NEITHER = { unused: [], hasMistake: false, isCopy: false, differsInCase: false };

const discovery = (
  state: 'failed' | 'waiting' | 'asking' | 'done',
  more: { readonly error?: string } = {},
): Result<'subscriptions.list'>['discovery'] => [{ appId: 'app', state, url: URL, count: 0, ...more }];

test('all apps are not named while the subscriptions of one are unknown', () => {
  const said = (...[state, items = []]: [Parameters<typeof discovery>[0], Items?]): string =>
    noneText({ items, discovery: discovery(state) }, NEITHER);
  expect(said('done')).toMatch(/no app subscribes to anything/);
  expect(said('done', [row({})])).toBe('No subscription for topic {topic} on {pubsub}.');
  for (const state of ['failed', 'waiting', 'asking'] as const) {
    expect(said(state)).toBe('No known subscription matches topic {topic} on {pubsub}.');
    expect(said(state, [row({})])).toBe('No known subscription matches topic {topic} on {pubsub}.');
  }
  expect(noneText(undefined, NEITHER)).not.toMatch(/no app/);
});

test('an app that the scopes of the component leave out is not said to be unknown', () => {
  const at = (...scopes: readonly string[]) =>
    usersOf([{ name: 'pubsub', scopes }], 'pubsub')({ appId: 'app' });
  expect([at(), at('app', 'shop'), at('shop')]).toEqual([true, true, false]);
  expect(usersOf([], 'pubsub')({ appId: 'app' })).toBe(true);
});

test('the rule about upper and lower case is said where the case is the difference, and nowhere else', () => {
  const said = (topic: string, pubsubname = 'pubsub'): string => {
    const items = [row({})];
    const differsInCase = isInOtherCase(items, topic, pubsubname);
    return noneText({ items, discovery: discovery('done') }, { ...NEITHER, differsInCase });
  };
  expect(said('Orders')).toMatch(/: names are compared exactly, upper and lower case included\.$/);
  expect(said('orders', 'PubSub')).toMatch(/upper and lower case included/);
  expect(said('order')).toBe('No subscription for topic {topic} on {pubsub}.');
  expect(said('stock')).toBe('No subscription for topic {topic} on {pubsub}.');
});

test('a list with a mistake is not said to be empty, and a dead-letter copy is not said to be misspelt', () => {
  const known = { items: [], discovery: discovery('done') };
  expect(noneText(known, { ...NEITHER, hasMistake: true })).toBe(
    'No subscription in use matches topic {topic} on {pubsub}.',
  );
  const copy = { ...NEITHER, isCopy: true };
  expect(noneText(known, copy)).toBe(
    'A dead-letter copy. Nobody subscribes to {topic} on {pubsub}: it stays here to be looked at or replayed.',
  );
  expect(noneText({ ...known, items: [row({})] }, { ...copy, hasMistake: true })).toBe(noneText(known, copy));
  expect(noneText({ ...known, discovery: discovery('failed') }, copy)).toMatch(/^No known subscription/);
});

const mistaken = (appId: string, ...topics: readonly string[]) => ({
  appId,
  discovery: { state: 'done' as const, url: URL, status: 200, count: 0, unused: topics.length },
  problems: topics.map((topic, at) => ({
    code: 'unusable-subscription',
    topic,
    message: `Subscription ${at + 1} (${topic}): pubsubname must be a name, found nothing.`,
  })),
});
const routeless = (appId: string, url = URL, status = 404) => ({
  appId,
  discovery: { state: 'done' as const, url, status, count: 0 },
  problems: [],
});
const reasons = (
  apps: Parameters<typeof listReasons>[1],
  items: Items = [],
): Omit<ReturnType<typeof listReasons>, 'hasMistake'> => {
  const { first, later } = listReasons({ items, discovery: [] }, apps, 'orders');
  return { first, later };
};

test('a mistake in the list of an app is named first if it is about the topic, or nothing else is known', () => {
  const orders =
    'A mistake in the list of app shop: Subscription 2 (orders): pubsubname must be a name, found nothing.';
  const paid =
    'The subscription list of the app has a mistake: Subscription 1 (paid): pubsubname must be a name, found nothing.';
  const apps = [mistaken('app', 'paid'), mistaken('shop', 'paid', 'orders'), mistaken('shop', 'orders')];
  expect(reasons(apps)).toEqual({ first: [orders, paid], later: [] });
  expect(reasons(apps, [row({})])).toEqual({ first: [orders], later: [paid] });
  expect(listReasons(undefined, apps, 'orders').hasMistake).toBe(true);
});

test('an app without a discovery route is named with the path of its address; one of another profile with its profile', () => {
  const text =
    'The app declares no subscriptions: it answers 404 to GET http://127.0.0.1:8080/orders/sidecar/subscribe. Sidelight puts the path /orders of its address before every route. The app gets messages only by subscriptions in files.';
  const wrongPath = routeless('app', 'http://127.0.0.1:8080/orders/sidecar/subscribe');
  expect(reasons([wrongPath])).toEqual({ first: [text], later: [] });
  expect(reasons([wrongPath], [row({})])).toEqual({ first: [], later: [text] });
  const grpc = routeless('shop', 'grpc://127.0.0.1:8080/x.AppCallback/ListTopicSubscriptions', 12);
  expect(reasons([grpc]).first).toEqual([
    'App shop declares no subscriptions: it answers UNIMPLEMENTED to grpc://127.0.0.1:8080/x.AppCallback/ListTopicSubscriptions. The app gets messages only by subscriptions in files.',
  ]);
  const message = 'The app speaks profile dapr.';
  expect(reasons([{ ...wrongPath, problems: [{ code: 'other-profile', message }] }]).first).toEqual([
    message,
  ]);
  expect(reasons(['a', 'b', 'c', 'd'].map((appId) => routeless(appId))).first).toHaveLength(3);
});

test('an app whose subscriptions are unknown is named with its answer', () => {
  const near = (found: Result<'subscriptions.list'>['discovery']): readonly string[] =>
    listReasons({ items: [], discovery: found }, [], 'orders').later;
  expect(near(discovery('failed', { error: 'The app answered 500.' }))).toEqual([
    'The subscriptions of the app could not be read: The app answered 500.',
  ]);
  expect(near(discovery('waiting'))).toEqual([
    "Can't reach the app at http://127.0.0.1:8080/sidecar/subscribe; retrying.",
  ]);
  expect(near(discovery('asking'))).toEqual([
    'Asking http://127.0.0.1:8080/sidecar/subscribe for subscriptions.',
  ]);
  expect(near(discovery('done'))).toEqual([]);
});

test('a delivery that waits for an app that is not healthy, or was removed, says so', () => {
  const message = 'The app is not healthy: its health check /healthz answered 500. Its messages wait.';
  const apps = [{ appId: 'app', problems: [{ code: 'not-healthy', severity: 'warning' as const, message }] }];
  expect(illnessOf(apps, { appId: 'app', state: 'queued' })).toBe(message);
  expect(illnessOf(apps, { appId: 'other', state: 'retrying' })).toBe(
    'There is no app other now. The delivery waits until an app with this id is added.',
  );
  expect(illnessOf(apps, { appId: 'app', state: 'processed' })).toBeUndefined();
  const away = 'Nothing listens at http://127.0.0.1:8080.';
  const absent = [{ appId: 'app', problems: [{ code: 'nobody-listens', message: away }] }];
  expect(illnessOf(absent, { appId: 'app', state: 'queued', turn: { reason: 'discovery' } })).toBe(away);
  expect(illnessOf(absent, { appId: 'app', state: 'queued', turn: { reason: 'calls' } })).toBeUndefined();
});

test('a message that a subscription could get was not delivered here, unless a broker still has it', () => {
  const here = { name: 'pubsub', type: 'pubsub.in-memory' };
  expect(notHandedText([here], 'pubsub')).toContain(
    'Replay it to deliver it to {app}. It was published before',
  );
  expect(notHandedText([{ ...here, type: 'pubsub.redis', insteadOf: 'pubsub.redis' }], 'pubsub')).toContain(
    'Replay it to deliver it to {app}. It was published before',
  );
  for (const components of [[{ ...here, type: 'pubsub.redis' }], []])
    expect(notHandedText(components, 'pubsub')).toContain("or went to another program of the app's group");
});

test('each reason of a state has a valid filter, and no message counts twice', () => {
  for (const reasons of ['parkedBy', 'deadLetteredBy'] as const) {
    const filters = reasonFilters(reasons);
    expect(filters.filter(({ filter }) => !parseFilter(filter).ok)).toEqual([]);
    for (const [index, { filter }] of filters.entries()) {
      for (const { rule } of filters.slice(0, index))
        expect(filter).toMatch(new RegExp(` -lastrule:(parked|dead-lettered)/${rule}`));
    }
  }
});
