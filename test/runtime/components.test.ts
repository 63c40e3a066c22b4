/** Components: refusing, replaced while messages are open, forbidden to an app, broken. */
import { describe, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { OTHER_KIND } from '../../core/domain/unknown-members.ts';
import type { ComponentSpec } from '../../core/ports/component-source.ts';
import type { PubSub } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { Stand, started, subscribe } from '../support/runtime-stand.ts';

test('a message that its component refuses is kept as refused, and its publisher gets the reason', async () => {
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', { failPublish: 'poison' })];
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  await expect(stand.publish('orders', 'poison')).rejects.toMatchObject({
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: { topic: 'orders', pubsubname: 'pubsub', reason: 'the message contains "poison" (failPublish)' },
  });
  const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
  expect(items).toMatchObject([{ stage: 'refused', deliveries: [] }]);
  stand.crash();
  await stand.start();
  expect(stand.app.calls).toHaveLength(0);
});

test.each([
  ['with an app', ['app'], 'info'],
  ['in a run that only watches sidecars of others', [], 'debug'],
])('%s the log says that a component is ready', async (_, apps, level) => {
  const stand = await new Stand({ apps }).start();
  expect(stand.lines).toContainEqual(
    expect.objectContaining({ level, text: 'Component pubsub (pubsub.in-memory) is ready.' }),
  );
});

test('an entry that the component refuses is a failed entry', async () => {
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', { failPublish: 'poison' })];
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const entry = (entryId: string, event: string): object => ({ entryId, event, contentType: 'text/plain' });
  const { messageIds, failedEntries } = await stand.runtime.publishByHand.bulk({
    pubsubname: 'pubsub',
    topic: 'orders',
    body: JSON.stringify([entry('1', 'fine'), entry('2', 'poison'), entry('3', 'fine')]),
    metadata: {},
  });
  expect(failedEntries.map(({ entryId }) => entryId)).toEqual(['2']);
  expect(messageIds).toHaveLength(3);
  await stand.settle();
  expect(stand.app.calls).toHaveLength(2);
});

describe('a component that is replaced while it is used', () => {
  test('continues open deliveries, and delivers new messages once', async () => {
    const stand = await started();
    stand.app.next.push('hang', 'RETRY');
    const attempting = await stand.publish('orders');
    const retrying = await stand.publish('orders');
    await stand.runtime.holds.add({ at: 'delivery', filter: 'id:none OR data.n:1' });
    const held = await stand.publish('orders', { n: 1 });
    stand.components.components = [component('pubsub', 'pubsub.in-memory', { consumerID: 'other' })];
    await stand.runtime.resources.reload();
    expect(await stand.states(held)).toEqual(['held']);
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    stand.app.calls[0]?.answer(200);
    await stand.pass(1000);
    expect([await stand.states(attempting), await stand.states(retrying)]).toEqual([
      ['processed'],
      ['processed'],
    ]);
    await stand.runtime.deliveryActions.release({ messageId: held });
    await stand.settle();
    expect(await stand.states(held)).toEqual(['processed']);
    expect(stand.app.calls).toHaveLength(5);
  });

  test('loses no message published during its new subscription', async () => {
    const stand = await started({}, (it) => {
      it.components.own.set('pubsub', () => slowPubSub());
      subscribe(it, { topic: 'orders', route: '/orders' });
    });
    stand.components.components = [component('pubsub', 'pubsub.in-memory', { changed: 'yes' })];
    const reloading = stand.runtime.resources.reload();
    const published: string[] = [];
    // In between, the new component accepts messages without a subscription yet.
    for (let i = 0; i < 40; i += 1) {
      await Promise.resolve();
      await stand.publish('orders', i).then(
        (id) => published.push(id),
        () => undefined,
      );
    }
    await reloading;
    await stand.settle();
    const states = await Promise.all(published.map((id) => stand.states(id)));
    expect(published.length).toBeGreaterThan(0);
    expect(states.every(([state, ...more]) => state === 'processed' && more.length === 0)).toBe(true);
  });

  test('is not said to wait for subscriptions that its app has reported', async () => {
    const stand = await started({}, (it) => {
      it.components.own.set('pubsub', () => slowPubSub());
      subscribe(it, { topic: 'orders', route: '/orders' });
    });
    stand.set('delivery.backlog', 1);
    stand.app.answerWith = () => 'hang';
    await stand.publish('orders');
    stand.components.components = [component('pubsub', 'pubsub.in-memory', { changed: 'yes' })];
    const reloading = stand.runtime.resources.reload();
    const reasons: string[] = [];
    for (let i = 0; i < 40; i += 1) {
      await Promise.resolve();
      await stand.publish('orders', i).catch((error: unknown) => {
        if (error instanceof Refusal) reasons.push(String(error.params['reason']));
      });
    }
    await reloading;
    expect(reasons.some((reason) => reason.startsWith('the backlog limit of 1 '))).toBe(true);
    expect(reasons.filter((reason) => reason.includes('has not reported its subscriptions'))).toEqual([]);
  });

  test('is not created again if it is unchanged', async () => {
    let made = 0;
    const stand = await started({}, (it) => {
      it.components.own.set('pubsub', () => {
        made += 1;
        return slowPubSub();
      });
    });
    stand.components.changed();
    await stand.settle();
    expect(made).toBe(1);
  });
});

test('a broken component does not stop the start, is listed with the reason, and both probes name it', async () => {
  const stand = await started({}, (it) => {
    it.components.components = [
      component('pubsub', 'pubsub.in-memory'),
      component('wrong', 'pubsub.nothing'),
      component('ignored', 'pubsub.nothing', {}, { ignoreErrors: true }),
    ];
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  expect(stand.runtime.topology.components().map(({ name, state }) => [name, state])).toEqual([
    ['pubsub', 'ready'],
    ['wrong', 'failed'],
    ['ignored', 'failed'],
  ]);
  expect(stand.runtime.topology.components()[1]?.reason).toMatch(
    /^unknown type pubsub.nothing\/v1; known types: /,
  );
  expect(stand.runtime.health.of().healthz.healthy).toBe(false);
  expect(stand.runtime.health.of().outbound.healthy).toBe(false);
  expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
  await expect(stand.publish('orders', 'x', { pubsubname: 'wrong' })).rejects.toMatchObject({
    code: 'ERR_PUBSUB_NOT_FOUND',
  });
});

test('an app that is not asked says whether a component is missing or not ready', async () => {
  const whyOf = async (own: readonly ComponentSpec[]): Promise<string | undefined> => {
    const stand = await started({}, (it) => {
      it.components.own.set('away', () => ({
        ...slowPubSub(),
        start: () => Promise.reject(new Error('away')),
      }));
      it.components.components = [...own];
    });
    return stand.runtime.topology.apps()[0]?.discovery.error;
  };
  expect(await whyOf([])).toBe('no pub/sub component is loaded for it');
  expect(await whyOf([component('away', 'pubsub.redis')])).toBe(
    'its pub/sub component away is not ready (to try without its server: --local-pubsub)',
  );
});

test('a publish to a component that is not ready is refused with the reason', async () => {
  const stand = await started({}, (it) => {
    it.components.own.set('away', () => ({
      ...slowPubSub(),
      start: () => Promise.reject(new Error('Redis at localhost:6379 cannot be reached')),
    }));
    it.components.components.push(
      component('away', 'pubsub.redis'),
      component('store', 'secretstores.nothing'),
      component('elsewhere', 'pubsub.nothing', {}, { scopes: ['other'] }),
    );
  });
  const message = 'pubsub away is not ready: Redis at localhost:6379 cannot be reached';
  const code = 'ERR_PUBSUB_NOT_FOUND';
  await expect(stand.publish('orders', 'x', { pubsubname: 'away' })).rejects.toMatchObject({ code, message });
  const bulk = { topic: 'orders', body: '[]', metadata: {} };
  await expect(stand.runtime.publishByHand.bulk({ ...bulk, pubsubname: 'away' })).rejects.toMatchObject({
    ...{ code, message },
    variant: 'bulk-not-ready',
  });
  // A component that is no pub/sub component, or is for another app, is not found.
  for (const pubsubname of ['store', 'elsewhere'])
    await expect(stand.publish('orders', 'x', { pubsubname })).rejects.toMatchObject({
      message: `pubsub ${pubsubname} is not found`,
    });
  expect(stand.logged('error').filter((text) => text.includes('away'))).toEqual([
    'Component away (pubsub.redis) could not be initialised: Redis at localhost:6379 cannot be reached. Sidelight tries again. To try without its server: --local-pubsub.',
  ]);
});

test('the log names each mistake of a file by path, line and column', async () => {
  const stand = await started({}, (it) => {
    it.components.pathOf = (file) => `/shop/components/${file}`;
    const mistakes = [4, 7].map((line) => ({
      ...{ file: 'bad.yaml', document: 1, line, column: 3, severity: 'error' as const },
      message: `YAML: mistake in line ${line}.`,
    }));
    const failed = 'YAML: mistake in line 4. (bad.yaml:4:3); YAML: mistake in line 7. (bad.yaml:7:3)';
    it.components.components.push(component('bad', '', {}, { failed, problems: mistakes }));
    it.components.problems.push({ file: 'other.yaml', line: 2, message: 'It is empty.', severity: 'error' });
  });
  expect(stand.logged('error')).toEqual([
    'Component bad could not be initialised: /shop/components/bad.yaml:4:3: YAML: mistake in line 4.; /shop/components/bad.yaml:7:3: YAML: mistake in line 7.',
    '/shop/components/other.yaml:2: It is empty.',
  ]);
  expect(stand.runtime.topology.components().find(({ name }) => name === 'bad')?.reason).toContain(
    '(bad.yaml:4:3)',
  );
});

test('a component that starts too slowly fails, and its reason names the time', async () => {
  const stuck: PubSub = { ...slowPubSub(), start: () => new Promise(() => undefined) };
  const stand = await started({}, (it) => it.components.own.set('slow', () => stuck));
  stand.components.components.push(component('slow', 'any', {}, { initTimeoutMs: 1500 }));
  const reloading = stand.runtime.resources.reload();
  await stand.pass(1500);
  await reloading;
  expect(stand.runtime.topology.components().find(({ name }) => name === 'slow')).toMatchObject({
    state: 'failed',
    reason: 'init timeout for component slow exceeded after 1500ms',
  });
});

test('a component that is scoped to another app does not exist for this one', async () => {
  const stand = await started({ apps: ['one', 'two'] }, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', {}, { scopes: ['one'] })];
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  await expect(stand.publish('orders', 'x', { appId: 'two' })).rejects.toMatchObject({
    code: 'ERR_PUBSUB_NOT_FOUND',
  });
  await stand.publish('orders', 'x', { appId: 'one' });
  expect([stand.appOf('one').calls.length, stand.appOf('two').calls.length]).toEqual([1, 0]);
});

test('a publish to a forbidden topic is refused, and nothing is kept', async () => {
  const stand = await started({}, (it) => {
    it.components.components = [component('pubsub', 'pubsub.in-memory', { publishingScopes: 'app=orders' })];
  });
  await expect(stand.publish('secret')).rejects.toMatchObject({ code: 'ERR_PUBSUB_FORBIDDEN' });
  expect((await stand.journal.stats()).messages).toBe(0);
});

describe('a message that another program published to the broker', () => {
  test('is kept, flagged and delivered; after a restart it is not published by us', async () => {
    const broker = slowPubSub();
    const stand = await started({}, (it) => {
      it.components.own.set('pubsub', () => broker);
      subscribe(it, { topic: 'orders', route: '/orders' });
    });
    stand.app.next.push('hang');
    const wire = JSON.stringify({ id: 'x1', type: 't', source: 's', specversion: '1.0', data: 1 });
    const taken = broker.hand({ topic: 'orders', wire: bufferCodec.fromText(wire), metadata: {} });
    await stand.settle();
    const { items } = await stand.journal.page({ order: 'oldest', limit: 10, nowMs: stand.clock.now() });
    const flags = ['Put into the broker by someone else.'];
    expect(items).toMatchObject([{ eventId: 'x1', source: 'elsewhere', flags }]);
    expect(stand.app.last.text).toBe(wire);
    stand.app.last.answer(200);
    await stand.settle();
    expect(await taken).toEqual(['done']);
    stand.crash();
    broker.published = 0;
    await stand.start();
    expect(broker.published).toBe(0);
  });

  test('joins its open delivery if the broker delivers it twice', async () => {
    const broker = slowPubSub();
    const stand = await started({}, (it) => {
      it.components.own.set('pubsub', () => broker);
      subscribe(it, { topic: 'orders', route: '/orders' });
    });
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    const again = broker.hand({ messageId: id, topic: 'orders', wire: '{}', metadata: {} });
    await stand.settle();
    stand.app.last.answer(200);
    await stand.settle();
    expect(await again).toEqual(['done']);
    expect(stand.app.calls).toHaveLength(1);
    expect(await broker.hand({ messageId: id, topic: 'orders', wire: '{}', metadata: {} })).toEqual(['done']);
    expect(stand.app.calls).toHaveLength(1);
  });
});

type Take = Parameters<PubSub['subscribe']>[2];
type Inbound = Parameters<Take>[0];

interface SlowPubSub extends PubSub {
  published: number;
  /** Hands a message to every subscriber, as a broker does that others write to. */
  hand(message: Inbound): Promise<string[]>;
}

/** A broker in memory whose every step takes a moment. */
function slowPubSub(): SlowPubSub {
  const takers = new Map<object, { readonly topic: string; readonly take: Take }>();
  const moment = async (): Promise<void> => {
    for (let i = 0; i < 5; i += 1) await Promise.resolve();
  };
  const hand = (message: Inbound): Promise<string[]> =>
    Promise.all(
      [...takers.values()].filter(({ topic }) => topic === message.topic).map(({ take }) => take(message)),
    );
  const pubsub: SlowPubSub = {
    published: 0,
    features: {
      bulkPublish: false,
      bulkSubscribe: false,
      ttl: false,
      wildcards: false,
      keepsHistory: false,
      redelivers: false,
    },
    capabilities: [],
    hand,
    start: moment,
    close: moment,
    publish: async ({ messageId, topic, wire }) => {
      await moment();
      pubsub.published += 1;
      void hand({ messageId, topic, wire, metadata: {} });
    },
    subscribe: async (topic, _options, take) => {
      await moment();
      const key = {};
      takers.set(key, { topic, take });
      return {
        close: async () => {
          takers.delete(key);
          await moment();
        },
      };
    },
  };
  return pubsub;
}

test('metadata with added attributes has a limit, and present keys can still be changed', async () => {
  const stand = await started();
  const sidecar = stand.runtime.sidecar('app');
  for (let n = 0; n < 1000; n += 1) sidecar.setMetadata(`k${n}`, 'v');
  const refused = { code: 'ERR_MALFORMED_REQUEST', params: { reason: 'at most 1000 are kept' } };
  expect(() => sidecar.setMetadata('one more', 'v')).toThrow(expect.objectContaining(refused));
  sidecar.setMetadata('k7', 'other');
  const { extended } = sidecar.metadata();
  expect(Object.keys(extended as object)).toHaveLength(1001);
  expect(extended).toMatchObject({ k7: 'other', k999: 'v' });
  const long = 'x'.repeat(8 * 1024 * 1024);
  expect(() => sidecar.setMetadata('k7', long)).toThrow(
    expect.objectContaining({ code: 'ERR_MALFORMED_REQUEST' }),
  );
});

test('a document of a kind that is known and not used is no warning', async () => {
  const message = 'Sidelight does not use kind Configuration and skips the document.';
  const stand = await started({}, (it) => {
    it.components.problems.push({ file: 'a.yaml', code: OTHER_KIND, message, severity: 'warning' });
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const lines = stand.lines.filter(({ level }) => level !== 'debug').map(({ level, text }) => [level, text]);
  expect(lines).toContainEqual(['info', `a.yaml: ${message}`]);
  expect(stand.logged('warn')).toEqual([]);
});

test('a warning is logged once, an error at each load', async () => {
  const skipped = 'Sidelight does not use kind Configuration and skips the document.';
  const stand = await started({}, (it) =>
    it.components.problems.push(
      { file: 'a.yaml', message: skipped, severity: 'warning' },
      { file: 'b.yaml', message: 'broken', severity: 'error' },
    ),
  );
  await stand.runtime.resources.reload();
  expect(stand.logged('warn').filter((text) => text.includes(skipped))).toHaveLength(1);
  expect(stand.logged('error').filter((text) => text.includes('broken'))).toHaveLength(2);
});
