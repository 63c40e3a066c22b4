/** Where a message goes that cannot be delivered: dead-letter topic, parked, or dropped; never lost. */
import { describe, expect, test } from 'vitest';
import type { MessageDetail } from '../../core/contract/message.ts';
import { component } from '../support/listed-components.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand, StandOptions } from '../support/runtime-stand.ts';

const DEAD = { topic: 'orders', route: '/orders', deadLetterTopic: 'orders-dead' };

function standWith(subscription: object = DEAD, options: StandOptions = {}): Promise<Stand> {
  return started(options, (stand) => {
    subscribe(stand, subscription);
    stand.set('delivery.retry', { maxAttempts: 2, firstDelayMs: 100, factor: 1 });
  });
}

/** The copies on the dead-letter topic, newest last. */
async function copies(stand: Stand): Promise<MessageDetail[]> {
  const { items } = await stand.journal.page({ order: 'oldest', limit: 100, nowMs: stand.clock.now() });
  const rows = items.filter(({ source }) => source === 'dead-letter');
  return Promise.all(rows.map(({ messageId }) => stand.message(messageId)));
}

describe('with a dead-letter topic', () => {
  test('used-up attempts end the delivery with a copy of the same bytes', async () => {
    const stand = await standWith();
    stand.app.answerWith = () => 500;
    const id = await stand.publish('orders', { n: 12345678901234567890n.toString() });
    await stand.pass(1000);
    const [copy] = await copies(stand);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({
      state: 'dead-lettered',
      deadLetter: { topic: 'orders-dead', messageId: copy?.messageId },
    });
    expect(delivery.transitions.at(-1)).toMatchObject({
      cause: 'policy',
      rule: 'policy.dead-letter',
      note: `A copy was published to orders-dead: message ${copy?.messageId}.`,
    });
    expect(copy?.topic).toBe('orders-dead');
    expect(copy?.deadLetterOf).toEqual({ messageId: id, deliveryId: delivery.deliveryId, topic: 'orders' });
    expect(copy?.wire).toEqual((await stand.message(id)).wire);
    expect(copy?.envelope).toMatchObject({ topic: 'orders' });
  });

  test('a copy is delivered to an app that subscribes to the topic', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, DEAD, { topic: 'orders-dead', route: '/dead' });
      it.set('delivery.retry', { maxAttempts: 1 });
    });
    stand.app.next.push(500);
    await stand.publish('orders');
    expect(stand.app.calls.map(({ path }) => path)).toEqual(['/orders', '/dead']);
    expect(stand.app.calls[1]?.text).toBe(stand.app.calls[0]?.text);
  });

  test('a DROP ends the delivery as dropped, with a copy', async () => {
    const stand = await standWith();
    stand.app.next.push('DROP');
    const id = await stand.publish('orders');
    const [copy] = await copies(stand);
    const delivery = await stand.delivery(id);
    expect(delivery).toMatchObject({ state: 'dropped', deadLetter: { messageId: copy?.messageId } });
    expect(delivery.transitions.at(-1)).toMatchObject({ rule: 'single.2xx.drop', cause: 'app' });
    expect(delivery.transitions.at(-1)?.note).toContain(copy?.messageId);
  });

  test('a 404 ends the delivery as dropped, without a copy', async () => {
    const stand = await standWith();
    stand.app.next.push(404);
    const id = await stand.publish('orders');
    expect(await stand.states(id)).toEqual(['dropped']);
    expect(await copies(stand)).toEqual([]);
  });

  test('an expiry ends the delivery as expired, with a copy without that TTL', async () => {
    const stand = await standWith();
    stand.set('delivery.retry', { firstDelayMs: 5000 });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '1' } });
    await stand.pass(2000);
    expect((await stand.way(id)).at(-1)).toBe('expired ttl.expired (ttl)');
    const [copy] = await copies(stand);
    expect((await stand.delivery(id)).deadLetter?.messageId).toBe(copy?.messageId);
    expect(copy?.expiresAt).toBeUndefined();
  });

  test('a message without a matching rule or default is dead-lettered without an attempt', async () => {
    const stand = await standWith({
      ...DEAD,
      route: undefined,
      routes: { rules: [{ match: 'event.type == "a"', path: '/a' }] },
    });
    const id = await stand.publish('orders');
    expect(await stand.way(id)).toEqual(['dead-lettered policy.no-route (policy)']);
    expect(stand.app.calls).toHaveLength(0);
    expect(await copies(stand)).toHaveLength(1);
  });

  test('a rule that cannot be evaluated dead-letters the message, and later rules are not tried', async () => {
    const stand = await standWith({
      ...DEAD,
      routes: { rules: [{ match: 'event.data.missing == 1', path: '/a' }], default: '/rest' },
    });
    const id = await stand.publish('orders', { n: 1 });
    const delivery = await stand.delivery(id);
    expect(delivery.state).toBe('dead-lettered');
    expect(delivery.transitions.at(-1)).toMatchObject({ rule: 'policy.route-error' });
    expect(delivery.transitions.at(-1)?.note).toMatch(
      /^Rule 1 "event.data.missing == 1" could not be evaluated: [^.]+\. A copy was published to [\w-]+: message \S+\.$/,
    );
    expect(stand.app.calls).toHaveLength(0);
  });

  test('raw bytes for a subscription that takes events are dead-lettered', async () => {
    const stand = await standWith();
    const id = await stand.publish('orders', 'not an event', { metadata: { rawPayload: 'true' } });
    expect(await stand.way(id)).toEqual(['dead-lettered policy.unreadable (policy)']);
  });

  test('a person can dead-letter, also to another topic if the subscription has none', async () => {
    const stand = await standWith({ topic: 'orders', route: '/orders' });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    await expect(stand.runtime.deliveryActions.deadLetter({ deliveryId })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'topic',
    });
    expect(await stand.runtime.deliveryActions.deadLetter({ deliveryId }, 'put-aside')).toEqual({
      changed: 1,
    });
    expect((await stand.way(id)).at(-1)).toBe('dead-lettered user.dead-letter (user)');
    expect((await copies(stand)).map(({ topic }) => topic)).toEqual(['put-aside']);
  });
});

describe('without a dead-letter topic', () => {
  test('a message without a route is dropped, and an unreadable one is parked at once', async () => {
    const stand = await standWith({
      topic: 'orders',
      routes: { rules: [{ match: 'event.type == "a"', path: '/a' }] },
    });
    const unrouted = await stand.publish('orders');
    expect(await stand.way(unrouted)).toEqual(['dropped policy.no-route (policy)']);
    const unreadable = await stand.publish('orders', 'raw', { metadata: { rawPayload: 'true' } });
    expect(await stand.way(unreadable)).toEqual(['parked policy.unreadable (policy)']);
    expect(stand.app.calls).toHaveLength(0);
  });
});

describe('a dead-letter topic that refuses the copy', () => {
  const forbidden: Parameters<typeof component>[2] = { publishingScopes: 'app=orders' };

  async function refusing(subscription: object = DEAD): Promise<Stand> {
    const stand = await started({}, (it) => {
      it.components.components = [component('pubsub', 'pubsub.in-memory', forbidden)];
      subscribe(it, subscription);
      it.set('delivery.retry', { maxAttempts: 1 });
    });
    return stand;
  }

  test('used-up attempts park the delivery with the reason', async () => {
    const stand = await refusing();
    stand.app.next.push(500);
    const id = await stand.publish('orders');
    const last = (await stand.delivery(id)).transitions.at(-1);
    expect(last).toMatchObject({ to: 'parked', rule: 'policy.exhausted' });
    expect(last?.note).toContain('could not be published: topic orders-dead is not allowed for app id app');
  });

  test('a DROP and an expiry stand, and an error is logged', async () => {
    const stand = await refusing();
    stand.app.next.push('DROP');
    const dropped = await stand.publish('orders');
    expect(await stand.states(dropped)).toEqual(['dropped']);
    const expired = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '0' } });
    expect(await stand.states(expired)).toEqual(['expired']);
    const errors = stand.lines.filter(({ level, part }) => level === 'error' && part === 'dead-letter');
    expect(errors.map(({ messageId }) => messageId)).toEqual([dropped, expired]);
  });

  test('a message without a route is parked and not dropped', async () => {
    const stand = await refusing({
      ...DEAD,
      route: undefined,
      routes: { rules: [{ match: 'event.type == "a"', path: '/a' }] },
    });
    const id = await stand.publish('orders');
    expect(await stand.way(id)).toEqual(['parked policy.no-route (policy)']);
  });

  test('a rule error parks the delivery', async () => {
    const stand = await refusing({
      ...DEAD,
      routes: { rules: [{ match: 'event.data.x == 1', path: '/a' }] },
    });
    const id = await stand.publish('orders', {});
    expect(await stand.way(id)).toEqual(['parked policy.route-error (policy)']);
  });

  test('a dead-letter by hand is refused with the reason, and nothing changes', async () => {
    const stand = await refusing();
    stand.set('delivery.retry', { maxAttempts: 2 });
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    const { deliveryId } = await stand.delivery(id);
    await expect(stand.runtime.deliveryActions.deadLetter({ deliveryId })).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    });
    expect(await stand.states(id)).toEqual(['retrying']);
    await stand.pass(1000);
    expect(await stand.states(id)).toEqual(['processed']);
  });
});

describe("topics that are each other's dead-letter topics", () => {
  const NOWHERE = { rules: [{ match: 'event.type == "none"', path: '/none' }] };

  test.each([
    ['a topic that is its own', ['a'], ['a']],
    ['two', ['a', 'b'], ['a', 'b']],
    ['a circle behind the first topic', ['a', 'b', 'c'], ['a', 'b', 'c']],
  ])('each has a message without a route once, and the last one is parked: %s', async (_, topics, seen) => {
    const following = (n: number): string => topics[n + 1] ?? topics[topics.length > 2 ? 1 : 0] ?? '';
    const stand = await started({}, (it) => {
      subscribe(it, ...topics.map((topic, n) => ({ topic, routes: NOWHERE, deadLetterTopic: following(n) })));
    });
    await stand.publish('a');
    await stand.pass(100);
    const { items } = await stand.journal.page({ order: 'oldest', limit: 100, nowMs: stand.clock.now() });
    expect(items.map(({ topic }) => topic)).toEqual(seen);
    const states = items.map(({ deliveries }) => deliveries[0]?.state);
    expect(states).toEqual([...seen.slice(1).map(() => 'dead-lettered'), 'parked']);
    const last = await stand.delivery(items.at(-1)?.messageId ?? '');
    expect(last.transitions.at(-1)?.note).toContain('has been on that topic already, and no app was called');
  });

  test('a copy is known to come back also while the removal of the first message can be undone', async () => {
    const stand = await started({}, (it) => {
      subscribe(
        it,
        { topic: 'a', routes: NOWHERE, deadLetterTopic: 'b' },
        { topic: 'b', routes: NOWHERE, deadLetterTopic: 'a' },
      );
    });
    const { holdId } = await stand.runtime.holds.add({ at: 'publish', filter: 'topic:b' });
    const id = await stand.publish('a');
    await stand.runtime.removals.remove({ messageIds: [id] });
    await stand.runtime.deliveryActions.removeHold(holdId, true);
    await stand.pass(100);
    const made = await copies(stand);
    expect(made.map(({ topic, deliveries }) => `${topic} ${deliveries[0]?.state}`)).toEqual(['b parked']);
  });

  test('a person may retry a parked copy for another round', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'a', routes: NOWHERE, deadLetterTopic: 'a' });
    });
    const id = await stand.publish('a');
    const { deliveryId } = await stand.delivery(id);
    await stand.runtime.deliveryActions.deadLetter({ deliveryIds: [deliveryId] });
    await stand.pass(100);
    expect(await stand.delivery(id)).toMatchObject({ state: 'dead-lettered' });
    expect(await copies(stand)).toHaveLength(1);
  });
});
