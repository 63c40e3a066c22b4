/**
 * Acknowledged messages that a crash left without a record that their component had them: at the next start that component may be missing.
 */
import { expect, test } from 'vitest';
import { PublishFailure } from '../../core/ports/pubsub.ts';
import type { LostConnection } from '../../core/ports/pubsub.ts';
import { component } from '../support/listed-components.ts';
import { componentBack, started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';
import { cutAfterAccepted } from './cut-after-accepted.ts';

test.each([
  ['removed from the files', (stand: Stand) => void (stand.components.components = [])],
  [
    'not to be reached',
    (stand: Stand) => {
      stand.components.components = [component('pubsub', 'pubsub.away')];
      stand.components.own.set('pubsub', () => {
        throw new Error('the server is away');
      });
    },
  ],
])(
  'a message whose component is %s waits for it over restarts, and is published once it is back',
  async (_, goes) => {
    const stand = await started();
    const id = await cutAfterAccepted(stand);
    for (let i = 0; i < 2; i += 1) {
      goes(stand);
      await stand.start();
      await stand.pass(60_000);
      const message = await stand.message(id);
      expect(message).toMatchObject({ stage: 'waiting', deliveries: [] });
      expect(message.flags).toEqual([
        expect.stringContaining('is published again once the component is ready'),
      ]);
      expect(stand.runtime.resources.began).toMatchObject({ republished: 0, wentOn: 1 });
      expect(stand.runtime.status()).toMatchObject({ forApp: 1 });
      stand.crash();
    }
    goes(stand);
    await stand.start();
    await componentBack(stand);
    await stand.pass(200);
    const message = await stand.message(id);
    expect(message.deliveries.map(({ state }) => state)).toEqual(['processed']);
    expect(message).not.toHaveProperty('stage');
    expect(message).not.toHaveProperty('flags');
    expect(stand.app.calls).toHaveLength(1);
  },
);

/** A component over a server that hands over again: it may be away, or refuse what it is given. */
function overServer(stand: Stand, name = 'pubsub', keepsHistory = true) {
  const server = {
    isAway: false,
    /** Whether the broker leaves each publish without an answer. */
    hangs: false,
    /** The broker answers publishes when this has ended. */
    answersAfter: undefined as Promise<void> | undefined,
    refusal: undefined as string | undefined,
    /** Ids of messages that it would refuse each time. */
    never: new Set<string>(),
    /** Id of the one message that it refuses. */
    refuses: undefined as string | undefined,
    lost: undefined as LostConnection | undefined,
    tried: [] as string[],
    given: [] as string[],
  };
  const told: (() => void)[] = [];
  stand.components.own.set(name, () => ({
    features: {
      bulkPublish: false,
      bulkSubscribe: false,
      ttl: false,
      wildcards: false,
      keepsHistory,
      redelivers: true,
    },
    capabilities: [],
    onConnection: (tell) => void told.push(tell),
    start: async () => {
      if (server.isAway) throw new Error('the server is away');
    },
    close: async () => undefined,
    lost: () => server.lost,
    publish: async ({ messageId }) => {
      server.tried.push(messageId);
      if (server.hangs) await new Promise<void>(() => undefined);
      await server.answersAfter;
      if (server.never.has(messageId))
        throw new PublishFailure(503, 'it is larger than a megabyte', { isForGood: true });
      if (server.refuses === messageId) throw new Error('it closed the connection');
      if (server.refusal !== undefined) throw new Error(server.refusal);
      server.given.push(messageId);
    },
    subscribe: async () => ({ close: async () => undefined }),
  }));
  const changed = async (): Promise<void> => {
    for (const tell of told) tell();
    await stand.settle();
  };
  return { server, changed };
}

test('a message whose server is away at the start is published when its component starts', async () => {
  const stand = await started();
  const id = await cutAfterAccepted(stand);
  const { server } = overServer(stand);
  server.isAway = true;
  await stand.start();
  await stand.pass(1000);
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting' });
  server.isAway = false;
  await stand.pass(120_000);
  expect(server.given).toEqual([id]);
  expect(await stand.message(id)).not.toHaveProperty('stage');
});

test('a message refused after the restart is published again when the connection changes', async () => {
  const stand = await started();
  const id = await cutAfterAccepted(stand);
  const { server, changed } = overServer(stand);
  server.refusal = 'it is read-only now';
  await stand.start();
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting' });
  expect(stand.logged('warn').join()).toContain('which waits for another try: it is read-only now.');
  await changed();
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting' });
  server.refusal = undefined;
  await changed();
  expect(server.given).toEqual([id]);
  expect(await stand.message(id)).not.toHaveProperty('stage');
});

test('a message refused after the restart waits for its component, not for an app that was not asked yet', async () => {
  const stand = await started();
  const id = await cutAfterAccepted(stand);
  const { server, changed } = overServer(stand, 'pubsub', false);
  server.refusal = 'it is read-only now';
  await stand.start();
  const message = await stand.message(id);
  expect(message).toMatchObject({ stage: 'waiting' });
  expect(message).not.toHaveProperty('waitingFor');
  expect(message.flags).toEqual([expect.stringContaining('is published again once the component is ready')]);
  expect(message.publishAgain).toMatchObject({ reason: 'it is read-only now' });
  server.refusal = undefined;
  await changed();
  expect(server.given).toEqual([id]);
  expect(await stand.message(id)).not.toHaveProperty('stage');
});

/** A promise that ends when a test says so. */
function later(): { readonly ended: Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((go) => (end = go));
  return { ended, end: () => end() };
}

/** Two components, each over a server of its own. */
function overTwo(stand: Stand) {
  stand.components.components = ['pubsub', 'other'].map((name) => component(name, 'pubsub.in-memory'));
  return { server: overServer(stand).server, other: overServer(stand, 'other').server };
}

/** Messages that a server was about to take when the process ended, and that server. */
async function cutSeveral(count: number) {
  const stand = await started({}, (it) => void overServer(it));
  const { server, changed } = overServer(stand);
  await stand.start();
  server.hangs = true;
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    void stand.runtime
      .sidecar('app')
      .publish({ pubsubname: 'pubsub', topic: 'orders', body: 'x', metadata: {}, source: 'http' });
    await stand.settle();
    ids.push(server.tried.at(-1) ?? '');
  }
  stand.crash();
  server.hangs = false;
  server.tried.length = 0;
  return { stand, server, changed, ids };
}

test('a message refused for good after the restart ends as refused with the reason, and later ones go on', async () => {
  const { stand, server, ids } = await cutSeveral(2);
  const [first = '', second = ''] = ids;
  server.never.add(first);
  await stand.start();
  expect(await stand.message(first)).toMatchObject({
    stage: 'refused',
    deliveries: [],
    flags: [
      'After a restart component pubsub refused it for good: it is larger than a megabyte. Its publisher may have been told that it was accepted.',
    ],
  });
  expect(await stand.message(first)).not.toHaveProperty('publishAgain');
  expect(stand.runtime.status()).toMatchObject({ unpublished: 1 });
  expect(server.given).toEqual([second]);
  expect(stand.logged('warn').join()).toContain('for good: it is larger than a megabyte.');
  stand.crash();
  await stand.start();
  await stand.pass(120_000);
  expect(server.tried).toEqual([first, second]);
  expect(await stand.message(first)).toMatchObject({ stage: 'refused' });
  await stand.runtime.replay.replay(first, {}, undefined);
  expect(server.given).toHaveLength(2);
});

test('a message refused for a time has the reason and the next try, and is tried with growing pauses', async () => {
  const { stand, server, ids } = await cutSeveral(2);
  const [first = '', second = ''] = ids;
  server.refusal = 'OOM command not allowed';
  await stand.start();
  for (const id of [first, second])
    expect(await stand.message(id)).toMatchObject({
      stage: 'waiting',
      publishAgain: {
        reason: 'OOM command not allowed',
        nextTryAt: new Date(stand.clock.now() + 1000).toISOString(),
      },
    });
  expect(server.tried).toEqual([first]);
  await stand.pass(1000);
  expect(server.tried).toEqual([first, first]);
  await stand.pass(1999);
  expect(server.tried).toEqual([first, first]);
  server.refusal = undefined;
  await stand.pass(1);
  expect(server.given).toEqual([first, second]);
  expect(stand.logged('warn').filter((line) => line.includes('OOM'))).toHaveLength(1);
  for (const id of [first, second]) expect(await stand.message(id)).not.toHaveProperty('publishAgain');
});

test('a message that is refused again and again no longer holds up later ones', async () => {
  const { stand, server, ids } = await cutSeveral(3);
  const [first = '', second = '', third = ''] = ids;
  server.refuses = first;
  await stand.start();
  expect(server.given).toEqual([]);
  await stand.pass(10_000);
  expect(server.given).toEqual([second, third]);
  expect(await stand.message(first)).toMatchObject({
    stage: 'waiting',
    publishAgain: { reason: 'it closed the connection' },
  });
});

test('a message that ends each connection is not tried again with each new one', async () => {
  const stand = await started();
  const id = await cutAfterAccepted(stand);
  const { server, changed } = overServer(stand);
  server.refusal = 'it closed the connection';
  await stand.start();
  for (let i = 0; i < 20; i += 1) await changed();
  expect(server.tried).toEqual([id, id, id]);
});

test('while the connection is lost nothing is tried, and the message says why and when it is tried again', async () => {
  const stand = await started();
  const id = await cutAfterAccepted(stand);
  const { server, changed } = overServer(stand);
  const nextTryMs = stand.clock.now() + 5000;
  server.lost = { sinceMs: stand.clock.now(), reason: 'it is gone', tries: 1, nextTryMs };
  await stand.start();
  await stand.pass(120_000);
  expect(server.tried).toEqual([]);
  expect(await stand.message(id)).toMatchObject({
    publishAgain: { reason: 'it is gone', nextTryAt: new Date(nextTryMs).toISOString() },
  });
  server.lost = undefined;
  await changed();
  expect(server.given).toEqual([id]);
});

test.each([
  [
    'loses its connection',
    async (_: Stand, { server, changed }: ReturnType<typeof overServer>) => {
      server.lost = { sinceMs: 0, reason: 'it is gone', tries: 1 };
      await changed();
    },
    async (_: Stand, { server, changed }: ReturnType<typeof overServer>) => {
      server.lost = undefined;
      await changed();
    },
  ],
  [
    'is removed from the files',
    async (stand: Stand) => {
      stand.components.components = [];
      await stand.runtime.resources.reload();
    },
    async (stand: Stand) => {
      stand.components.components = [component('pubsub', 'pubsub.in-memory')];
      await stand.runtime.resources.reload();
    },
  ],
])(
  'after a refusal no try is due while the component %s, and the message is published once it is back',
  async (_, goes, comesBack) => {
    const stand = await started();
    const id = await cutAfterAccepted(stand);
    const over = overServer(stand);
    over.server.refusal = 'it is read-only now';
    await stand.start();
    await goes(stand, over);
    for (let i = 0; i < 5; i += 1) {
      stand.clock.advance(1_000);
      await stand.settle();
      expect(stand.clock.nextDue).toBeGreaterThan(stand.clock.now());
    }
    expect(over.server.tried).toEqual([id]);
    over.server.refusal = undefined;
    await comesBack(stand, over);
    await stand.settle();
    expect(over.server.given).toEqual([id]);
  },
);

test('while one message waits, a later one of its component that is read back only then does not overtake it', async () => {
  const stand = await started({}, (it) => void overTwo(it));
  const { server, other } = overTwo(stand);
  await stand.start();
  server.hangs = true;
  other.hangs = true;
  for (const pubsubname of ['pubsub', 'other', 'pubsub']) {
    void stand.runtime
      .sidecar('app')
      .publish({ pubsubname, topic: 'orders', body: 'x', metadata: {}, source: 'http' });
    await stand.settle();
  }
  stand.crash();
  const [first = '', second = ''] = server.tried.splice(0);
  server.hangs = false;
  other.hangs = false;
  server.refusal = 'it is read-only now';
  const otherAnswers = later();
  other.answersAfter = otherAnswers.ended;
  const starting = stand.start();
  await stand.settle();
  server.refusal = undefined;
  const answers = later();
  server.answersAfter = answers.ended;
  stand.clock.advance(1_000);
  await stand.settle();
  otherAnswers.end();
  await stand.settle();
  expect(server.tried).toEqual([first, first]);
  answers.end();
  await starting;
  expect(server.given).toEqual([first, second]);
});

test('messages that wait for their component are published in their order, without those that were removed', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.app.isOpen = false;
  });
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    stand.components.components = [component('pubsub', 'pubsub.in-memory')];
    if (i > 0) await stand.start();
    ids.push(await cutAfterAccepted(stand));
    stand.components.components = [];
  }
  stand.app.isOpen = true;
  await stand.start();
  await stand.runtime.removals.removeAtOnce(ids.slice(1, 2));
  await componentBack(stand);
  await stand.pass(200);
  expect(stand.app.calls).toHaveLength(2);
  expect(await stand.states(ids[0] ?? '')).toEqual(['processed']);
  expect(await stand.states(ids[2] ?? '')).toEqual(['processed']);
});

test('a message that one app has already is delivered to the other apps too, and to that app once', async () => {
  const stand = await started({ apps: ['app', 'other'] });
  const first = await stand.publish('orders');
  expect(await stand.states(first)).toEqual(['processed', 'processed']);
  const id = await cutAfterAccepted(stand);
  const made = stand.journal.records.find(
    (each) => each.kind === 'delivery' && each.delivery.appId === 'app',
  );
  if (made?.kind !== 'delivery') throw new Error('there is no delivery');
  stand.journal = stand.journal.reopened();
  const delivery = { ...made.delivery, messageId: id, deliveryId: 'dlv_kept', state: 'queued' as const };
  await stand.journal.append([{ kind: 'delivery', delivery }]);
  for (const app of stand.apps.values()) app.calls.length = 0;
  stand.components.components = [];
  await stand.start();
  await componentBack(stand);
  await stand.pass(200);
  expect(await stand.states(id)).toEqual(['processed', 'processed']);
  expect([...stand.apps.values()].map(({ calls }) => calls.length)).toEqual([1, 1]);
});

test('a message that waits for an app continues to wait if its component is missing after a restart', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.app.isOpen = false;
  });
  const id = await stand.publish('orders');
  stand.crash();
  stand.components.components = [];
  stand.app.isOpen = true;
  await stand.start();
  await stand.pass(60_000);
  expect(await stand.message(id)).toMatchObject({ stage: 'waiting', waitingFor: ['app'] });
  await componentBack(stand);
  await stand.pass(200);
  expect(await stand.states(id)).toEqual(['processed']);
});

test('a message that waits for an app does not wait for a component once that app is removed', async () => {
  const stand = await started({}, (it) => {
    subscribe(it, { topic: 'orders', route: '/orders' });
    it.app.isOpen = false;
  });
  const id = await stand.publish('orders');
  stand.components.components = [];
  await stand.runtime.resources.reload();
  await stand.runtime.membership.leave('app');
  expect(await stand.message(id)).not.toHaveProperty('stage');
});

test('a message that a server had not delivered is not published to a component of another type, and stays in the history', async () => {
  const stand = await started({}, (it) => {
    overServer(it);
    subscribe(it, { topic: 'orders', route: '/orders' });
  });
  const id = await stand.publish('orders');
  stand.crash();
  stand.components.own.delete('pubsub');
  await stand.start();
  await stand.pass(60_000);
  expect(stand.app.calls).toEqual([]);
  expect(await stand.message(id)).toMatchObject({ deliveries: [] });
  expect(await stand.message(id)).not.toHaveProperty('stage');
});
