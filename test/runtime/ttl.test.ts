/** A message that is not delivered in its time: where the TTL runs, where it does not, and what it leads to. */
import { describe, expect, test } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';

const ONE_SECOND = { metadata: { ttlInSeconds: '1' } };

describe('the TTL passes', () => {
  test('while it waits for its first attempt', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 1);
    stand.app.next.push('hang');
    await stand.publish('orders', 'in the way');
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    await stand.pass(999);
    expect(await stand.states(id)).toEqual(['queued']);
    await stand.pass(1);
    expect(await stand.way(id)).toEqual(['queued policy.accepted (policy)', 'expired ttl.expired (ttl)']);
    expect(stand.logged('warn')).toContain('The message expired before it was processed.');
  });

  test('while it is held', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    await stand.pass(1000);
    expect((await stand.way(id)).at(-1)).toBe('expired ttl.expired (ttl)');
  });

  test('while it waits for its next attempt', async () => {
    const stand = await started();
    stand.set('delivery.retry', { firstDelayMs: 5000 });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    await stand.pass(1000);
    expect((await stand.way(id)).at(-1)).toBe('expired ttl.expired (ttl)');
    await stand.pass(60_000);
    expect(stand.app.calls).toHaveLength(1);
  });

  test('at once, with a TTL of 0', async () => {
    const stand = await started();
    const id = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '0' } });
    expect(await stand.states(id)).toEqual(['expired']);
    expect(stand.app.calls).toHaveLength(0);
  });

  test('while it is held at publish, and then the message itself is expired', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    expect(await stand.message(id)).toMatchObject({ stage: 'held', deliveries: [] });
    await stand.pass(1000);
    expect(await stand.message(id)).toMatchObject({ stage: 'expired', deliveries: [] });
    expect(await stand.runtime.deliveryActions.release({ messageId: id })).toEqual({ changed: 0 });
    expect(stand.app.calls).toHaveLength(0);
  });

  test('while it waits for the subscriptions of an app, which gets an expired delivery', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders' });
      it.app.isOpen = false;
    });
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    expect(await stand.message(id)).toMatchObject({ stage: 'waiting', waitingFor: ['app'] });
    await stand.pass(2000);
    stand.app.isOpen = true;
    await stand.pass(200);
    expect(await stand.states(id)).toEqual(['expired']);
    expect(stand.app.calls).toHaveLength(0);
  });
});

describe('the TTL does not run', () => {
  test('during a call, whose verdict counts, and only a retry finds the message expired', async () => {
    const stand = await started();
    stand.app.next.push('hang', 'hang');
    const processed = await stand.publish('orders', 'x', ONE_SECOND);
    const retried = await stand.publish('orders', 'x', ONE_SECOND);
    await stand.pass(5000);
    const [first, second] = stand.app.calls;
    first?.answer('SUCCESS');
    second?.answer('RETRY');
    await stand.settle();
    expect(await stand.states(processed)).toEqual(['processed']);
    expect((await stand.way(retried)).slice(-2)).toEqual([
      'retrying single.2xx.retry (app)',
      'expired ttl.expired (ttl)',
    ]);
  });

  test('once it is parked', async () => {
    const stand = await started();
    stand.set('delivery.retry', { maxAttempts: 1 });
    stand.app.next.push(500);
    const id = await stand.publish('orders', 'x', ONE_SECOND);
    await stand.pass(60_000);
    expect(await stand.states(id)).toEqual(['parked']);
  });

  test('for raw payloads, and for a subscription that takes them raw', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', metadata: { rawPayload: 'true' } }),
    );
    const zero = { ttlInSeconds: '0' };
    const raw = await stand.publish('orders', 'x', { metadata: { ...zero, rawPayload: 'true' } });
    const wrapped = await stand.publish('orders', 'x', { metadata: zero });
    expect(await stand.states(raw)).toEqual(['processed']);
    expect(await stand.states(wrapped)).toEqual(['processed']);
  });
});

test('a raw JSON object that says when it expires is checked', async () => {
  const stand = await started();
  const id = await stand.publish(
    'orders',
    { expiration: '2020-01-01T00:00:00Z' },
    { metadata: { rawPayload: 'true' } },
  );
  expect(await stand.states(id)).toEqual(['expired']);
});

test('the general TTL holds for messages without one', async () => {
  const stand = await started();
  stand.set('delivery.defaultTtlSeconds', 2);
  stand.app.answerWith = () => 'RETRY';
  const id = await stand.publish('orders');
  await stand.pass(2000);
  expect(await stand.states(id)).toEqual(['expired']);
});

test('a retry by hand waives a TTL that has passed', async () => {
  const stand = await started();
  const id = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '0' } });
  await stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(await stand.way(id)).toEqual([
    'queued policy.accepted (policy)',
    'expired ttl.expired (ttl)',
    'queued user.retry (user)',
    'attempting policy.attempt (policy)',
    'processed single.2xx.empty (app)',
  ]);
});

test('a parked message that is retried in time can still expire', async () => {
  const stand = await started();
  stand.set('delivery.retry', { maxAttempts: 1 });
  stand.app.next.push(500, 'RETRY');
  const id = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '10' } });
  stand.set('delivery.retry', { maxAttempts: 5, firstDelayMs: 60_000, maxDelayMs: 60_000 });
  await stand.runtime.deliveryActions.retry({ messageId: id });
  await stand.settle();
  expect(await stand.states(id)).toEqual(['retrying']);
  await stand.pass(10_000);
  expect(await stand.states(id)).toEqual(['expired']);
});

test('a message that was processed in time leaves no timer behind', async () => {
  const stand = await started();
  const before = stand.clock.waiting;
  for (let i = 0; i < 20; i += 1) await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '86400' } });
  expect(stand.clock.waiting).toBe(before);
});

describe('a time to live of less than a second', () => {
  const SHORT = { ttlInSeconds: '500ms' };
  const refusal = { code: 'ERR_PUBSUB_REQUEST_METADATA' };

  test.each(['sidecar', 'dapr'] as const)(
    'is refused in profile %s, raw or not; nothing is kept',
    async (profile) => {
      const stand = await started({ profile });
      await expect(stand.publish('orders', 'x', { metadata: SHORT })).rejects.toMatchObject(refusal);
      const raw = { metadata: { ...SHORT, rawPayload: 'true' } };
      await expect(stand.publish('orders', 'x', raw)).rejects.toMatchObject(refusal);
      expect(stand.app.calls).toEqual([]);
      expect(stand.events.filter(({ type }) => type === 'message.added')).toEqual([]);
    },
  );

  test('a time to live below a second in one entry refuses the whole bulk publish and names the entry', async () => {
    const stand = await started();
    const entry = { event: 'x', contentType: 'text/plain' };
    const bulk = (entries: unknown, metadata = {}): Promise<unknown> =>
      stand.runtime.sidecar('app').publishBulk({
        pubsubname: 'pubsub',
        topic: 'orders',
        body: JSON.stringify(entries),
        metadata,
        source: 'bulk',
      });
    const entries = [
      { ...entry, entryId: 'a' },
      { ...entry, entryId: 'b', metadata: SHORT },
    ];
    await expect(bulk(entries)).rejects.toMatchObject({
      ...refusal,
      message: expect.stringMatching(/at least one second: actual is '500ms' \(entry b\)$/),
    });
    await expect(bulk([], SHORT)).rejects.toMatchObject(refusal);
    await stand.settle();
    expect(stand.app.calls).toEqual([]);
  });

  test('is refused in the changes of a replay and of a held message, which stays held', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    const replay = stand.runtime.replay.replay(id, { metadata: SHORT }, 'topic');
    await expect(replay).rejects.toMatchObject(refusal);
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const held = await stand.publish('orders');
    const release = stand.runtime.deliveryActions.release({ messageId: held }, { metadata: SHORT });
    await expect(release).rejects.toMatchObject(refusal);
    expect(await stand.message(held)).toMatchObject({ stage: 'held' });
    expect(stand.app.calls).toHaveLength(1);
  });
});
