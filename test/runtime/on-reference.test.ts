/** Hints about the reference: in the list of subscriptions, in the log once per discovery, in explained routes; in profile dapr only. */
import { expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import type { ReferenceHint } from '../../core/contract/reference-hint.ts';
import { OnReference } from '../../core/runtime/queries/on-reference.ts';
import type { OnReferenceDependencies } from '../../core/runtime/queries/on-reference.ts';
import { component } from '../support/listed-components.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

const TRIMMED = { match: 'event.type.trim() == "a"', path: '/a' };
const RISKY = {
  topic: 'orders',
  routes: { rules: [TRIMMED], default: '/orders' },
  deadLetterTopic: 'orders-dead',
};
const PLAIN = { topic: 'plain', route: '/plain' };
const RISKY_IDS = ['rule-extension-function', 'dead-letter-at-once'];

function hintsOf(stand: Stand, topic: string): readonly string[] {
  const row = stand.runtime.topology.subscriptions().find((one) => one.topic === topic);
  return (row?.onReference ?? []).map(({ id }) => id);
}

const linesOf = (stand: Stand): string[] =>
  stand.lines.filter(({ part, level }) => part === 'reference' && level === 'warn').map(({ text }) => text);

test('in profile dapr a subscription has its hints, and another one has none', async () => {
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, RISKY, PLAIN));
  expect(hintsOf(stand, 'orders')).toEqual(RISKY_IDS);
  const [row] = stand.runtime.topology.subscriptions();
  expect(row?.onReference?.[0]).toMatchObject({
    effect: 'fails',
    rule: 0,
    found: `rule 1, at trim(): ${TRIMMED.match}`,
    documented: 'docs/reference-differences.md#rule-extension-function',
  });
  const plain = stand.runtime.topology.subscriptions().find(({ topic }) => topic === 'plain');
  expect(plain).toMatchObject({ topic: 'plain' });
  expect(plain).not.toHaveProperty('onReference');
});

test('hints stay as they are however often the list is asked for', async () => {
  const long = { match: `event.type == "${'a'.repeat(3000)}"`, path: '/a' };
  const stand = await started({ profile: 'dapr' }, (it) =>
    subscribe(it, { topic: 'orders', routes: { rules: [TRIMMED, long], default: '/orders' } }),
  );
  for (let asked = 0; asked < 100; asked += 1) stand.runtime.topology.subscriptions();
  expect(hintsOf(stand, 'orders')).toEqual(['rule-extension-function']);
});

test('in profile sidecar nothing has hints', async () => {
  const stand = await started({}, (it) => subscribe(it, RISKY, PLAIN));
  const rows = stand.runtime.topology.subscriptions();
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).not.toHaveProperty('onReference');
  const event = { type: 'a', traceid: 5 };
  const [told] = await stand.runtime.topology.explain({ pubsubname: 'pubsub', topic: 'orders', event });
  expect(told).toBeDefined();
  expect(told).not.toHaveProperty('onReference');
  expect(linesOf(stand)).toEqual([]);
});

test('each hint is logged once for each discovery', async () => {
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, RISKY, PLAIN));
  const first = linesOf(stand);
  expect(first).toHaveLength(2);
  expect(first[0]).toContain(`app: pubsub/orders does not work on the reference 1.13: `);
  expect(first[0]).toContain(`(rule 1, at trim(): ${TRIMMED.match})`);
  expect(first[1]).toContain('app: pubsub/orders differs on the reference 1.13: ');
  stand.runtime.topology.subscriptions();
  await stand.runtime.resources.reload();
  expect(linesOf(stand)).toEqual(first);
  await stand.runtime.rediscovery.ask();
  expect(linesOf(stand)).toEqual([...first, ...first]);
});

test('hints about a file that is added at run time are logged then, once', async () => {
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, PLAIN));
  expect(linesOf(stand)).toEqual([]);
  const spec = { pubsubname: 'pubsub', topic: 'filed', routes: { rules: [TRIMMED], default: '/f' } };
  stand.components.subscriptions = [
    { apiVersion: 'dapr.io/v2alpha1', kind: 'Subscription', metadata: { name: 'filed' }, spec },
  ];
  await stand.runtime.resources.reload();
  await stand.runtime.resources.reload();
  expect(hintsOf(stand, 'filed')).toEqual(['rule-extension-function']);
  expect(linesOf(stand)).toHaveLength(1);
});

test('an explained route has the hints of its subscription, and that of the event', async () => {
  const raw = { topic: 'bytes', route: '/bytes', metadata: { rawPayload: 'true' } };
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, RISKY, PLAIN, raw));
  const explain = async (topic: string, event: unknown): Promise<readonly string[]> => {
    const told = await stand.runtime.topology.explain({ pubsubname: 'pubsub', topic, event });
    return told.flatMap(({ onReference = [] }) => onReference.map(({ id }) => id));
  };
  expect(await explain('orders', { type: 'a' })).toEqual(RISKY_IDS);
  expect(await explain('orders', { type: 'a', traceid: 5 })).toEqual([...RISKY_IDS, 'trace-not-text']);
  expect(await explain('plain', { type: 'a', traceid: 'text' })).toEqual([]);
  expect(await explain('plain', '{"type":"a","traceid":5}')).toEqual(['trace-not-text']);
  expect(await explain('bytes', { type: 'a', traceid: 5 })).toEqual([]);
  expect(await explain('plain', 'no JSON')).toEqual([]);
});

test('the hint of an event is short and made once, however many subscriptions the event has', async () => {
  const many = Array.from({ length: 300 }, (_, n) => ({ topic: `${'p'.repeat(n + 1)}*`, route: '/p' }));
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, ...many));
  let read = 0;
  const traceid = { toJSON: () => ((read += 1), 'x'.repeat(10_000).split('')) };
  const event = { type: 'a', traceid };
  const told = await stand.runtime.topology.explain({ pubsubname: 'pubsub', topic: 'p'.repeat(400), event });
  expect(told).toHaveLength(300);
  // Once for the text of the event, once for the hint.
  expect(read).toBe(2);
  for (const { onReference = [] } of told) {
    const [hint] = onReference.filter(({ id }) => id === 'trace-not-text');
    expect(hint?.found.length).toBeLessThan(600);
  }
});

test('a hint that a release makes untrue is given in no answer of its profile', async () => {
  const stand = await started({ profile: 'dapr-1.18' }, (it) => subscribe(it, PLAIN));
  const event = { type: 'a', traceid: 5 };
  const [told] = await stand.runtime.topology.explain({ pubsubname: 'pubsub', topic: 'plain', event });
  expect(hintsOf(stand, 'plain')).toEqual(['lost-after-one-attempt']);
  expect(told?.onReference?.map(({ id }) => id)).toEqual(['lost-after-one-attempt']);
});

test('a retry policy, or a single attempt, removes the hint about dead letters', async () => {
  const dead = { topic: 'orders', route: '/orders', deadLetterTopic: 'orders-dead' };
  const stand = await started({ profile: 'dapr' }, (it) => subscribe(it, dead));
  expect(hintsOf(stand, 'orders')).toEqual(['dead-letter-at-once']);
  stand.set('delivery.retryByTopic', { 'pubsub/orders': { maxAttempts: 1 } });
  expect(hintsOf(stand, 'orders')).toEqual([]);
  stand.set('delivery.retryByTopic', {});
  const policies = { retries: { few: { policy: 'constant', duration: '1s', maxRetries: 3 } } };
  const targets = { components: { pubsub: { inbound: { retry: 'few' } } } };
  stand.components.resiliency = [
    {
      apiVersion: 'dapr.io/v1alpha1',
      kind: 'Resiliency',
      metadata: { name: 'r' },
      spec: { policies, targets },
    },
  ];
  await stand.runtime.resources.reload();
  expect(hintsOf(stand, 'orders')).toEqual([]);
});

test('a subscription to the dead letters of another has the hint about expired ones', async () => {
  const stand = await started({ profile: 'dapr' }, (it) =>
    subscribe(it, RISKY, { topic: 'orders-dead', route: '/dead' }),
  );
  expect(hintsOf(stand, 'orders-dead')).toEqual(['expired-dead-letter']);
});

test('settings of the component count, secrets do not; one about the component is logged once', async () => {
  const shop = component('shop', 'pubsub.redis', { redeliverInterval: '30s', processingTimeout: '5s' });
  const stand = await started({ profile: 'dapr' }, (it) => {
    it.components.components = [
      // The component's server is not there: the hints do not need it.
      { ...shop, failed: 'not started in this test' },
      component(
        'hidden',
        'pubsub.redis',
        { redeliverInterval: '30s' },
        { failed: 'no', shown: { redeliverInterval: '***' } },
      ),
      component('pubsub', 'pubsub.in-memory'),
    ];
    subscribe(
      it,
      { pubsubname: 'shop', topic: 'a', route: '/a' },
      { pubsubname: 'shop', topic: 'b', route: '/b' },
      { pubsubname: 'hidden', topic: 'c', route: '/c' },
    );
  });
  expect(hintsOf(stand, 'a')).toEqual(['redis-redelivery', 'redis-redeliver-interval']);
  expect(hintsOf(stand, 'c')).toEqual(['redis-redelivery']);
  const about = linesOf(stand).filter((line) => line.includes('redeliverInterval: 30s'));
  expect(about).toEqual([expect.stringContaining('app: component shop differs on the reference 1.13: ')]);
});

/** Apps with subscriptions whose dead letters go to `dead`; counts how often one of them is looked at. */
function manyApps(count: number) {
  let looks = 0;
  const row = (topic: string) => ({
    subscription: {
      pubsubname: 'pubsub',
      topic,
      rules: [],
      metadata: {},
      get deadLetterTopic() {
        looks += 1;
        return 'dead';
      },
    },
  });
  const apps = Array.from({ length: count }, (_, n) => ({ appId: `app-${n}`, rows: [row(`t${n}`)] }));
  const deps = {
    apps: () => apps,
    components: { settingsOf: () => undefined },
    policies: { retryFor: () => ({ maxAttempts: 10 }), declaresRetry: () => false },
  } as unknown as OnReferenceDependencies;
  const shared = { profile: PROFILES.dapr, log: { write: () => undefined } as never };
  return { apps, row, hints: new OnReference(shared, deps), looks: () => looks };
}

/** The hint that some dead letters come to a subscription to this topic later; undefined: it has none. */
function deadLetterHint(hints: OnReference, topic = 'dead'): ReferenceHint | undefined {
  const subscription = {
    appId: 'other',
    pubsubname: 'pubsub',
    topic,
    rules: [],
    metadata: {},
    rawPayload: false,
  };
  return hints
    .now()(subscription as never)
    .find(({ id }) => id === 'expired-dead-letter');
}

const takesDeadLetters = (hints: OnReference): boolean => deadLetterHint(hints) !== undefined;

test('hints of hundreds of apps read each subscription once, not with every app again', () => {
  const { apps, hints, looks } = manyApps(200);
  for (let n = 0; n < apps.length; n += 1) hints.now();
  expect(looks()).toBe(200 * looksOfOne());
});

function looksOfOne(): number {
  const { hints, looks } = manyApps(1);
  hints.now();
  return looks();
}

test('hints follow subscriptions that change, also of an app that is removed', () => {
  const { apps, row, hints } = manyApps(2);
  expect(takesDeadLetters(hints)).toBe(true);
  const [first] = apps;
  if (first === undefined) throw new Error('there is no app');
  first.rows = [row('t1'), row('t1')];
  expect(takesDeadLetters(hints)).toBe(true);
  apps.pop();
  expect(takesDeadLetters(hints)).toBe(true);
  first.rows = [];
  expect(takesDeadLetters(hints)).toBe(false);
  first.rows = [row('t3')];
  expect(takesDeadLetters(hints)).toBe(true);
  apps.pop();
  expect(takesDeadLetters(hints)).toBe(false);
});

test.each([['dead'], ['d*']])('the hint of a subscription to %s names few topics of many', (topic) => {
  const { apps, row, hints } = manyApps(1);
  const [first] = apps;
  if (first === undefined) throw new Error('there is no app');
  first.rows = Array.from({ length: 3000 }, (_, n) => row(`t${'x'.repeat(40)}${3000 + n}`));
  const found = deadLetterHint(hints, topic)?.found ?? '';
  expect(found).toMatch(/^dead-letter topic of tx+3000, tx+3001, .* and others$/);
  expect(found.length).toBeLessThan(1000);
});

test.each([['dead'], ['d*']])(
  'the hint of a subscription to %s is the same whichever app was asked last',
  (topic) => {
    const { apps, row, hints } = manyApps(3);
    const before = deadLetterHint(hints, topic)?.found;
    expect(before).toBe('dead-letter topic of t0, t1, t2');
    const [first] = apps;
    if (first === undefined) throw new Error('there is no app');
    first.rows = [row('t0')];
    expect(deadLetterHint(hints, topic)?.found).toBe(before);
  },
);
