/** Replay: a new message from an old one, to everybody again or to one delivery only. */
import { describe, expect, test } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';

describe('to the topic', () => {
  test('is a new message with the same event, which every subscriber gets', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    const id = await stand.publish('orders', { n: 1 }, { contentType: 'application/json; charset=utf-8' });
    const { messageId } = await stand.runtime.replay.replay(id, undefined, 'topic');
    await stand.settle();
    const [original, replay] = [await stand.message(id), await stand.message(messageId)];
    expect(replay).toMatchObject({ source: 'replay', replayOf: id, number: 2 });
    expect(replay.wire).toEqual(original.wire);
    expect(await stand.states(messageId)).toEqual(['processed', 'processed']);
    expect(stand.appOf('two').calls.map(({ text }) => text)).toEqual([
      stand.appOf('two').calls[0]?.text,
      stand.appOf('two').calls[0]?.text,
    ]);
  });

  test('marks a message that no app got, so that it is not left over any more', async () => {
    const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
    const id = await stand.publish('nobody', { n: 1 });
    const { messageId } = await stand.runtime.replay.replay(id, { topic: 'orders' }, undefined);
    await stand.settle();
    expect(await stand.message(id)).toMatchObject({ deliveries: [], replayedAs: messageId });
    const none = (): number | undefined =>
      stand.runtime.topology.topics().find(({ topic }) => topic === 'nobody')?.counts.none;
    expect(none()).toBeUndefined();
    await stand.runtime.replay.replay(id, { topic: 'orders' }, undefined);
    await stand.publish('nobody');
    expect(none()).toBe(1);
    await stand.runtime.removals.removeAtOnce([id]);
    expect(none()).toBe(1);
    const got = await stand.runtime.replay.replay(messageId, undefined, undefined);
    await stand.settle();
    expect(await stand.message(messageId)).not.toHaveProperty('replayedAs');
    expect(await stand.message(got.messageId)).toMatchObject({ replayOf: messageId });
  });

  test('with changes leaves the original as it was', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders' }, { topic: 'letters', route: '/letters' }),
    );
    const id = await stand.publish('orders', { n: 1 });
    const { messageId } = await stand.runtime.replay.replay(
      id,
      { topic: 'letters', data: { n: 2 }, attributes: { type: 'again', subject: 's' } },
      undefined,
    );
    await stand.settle();
    expect(stand.app.last.path).toBe('/letters');
    expect(stand.app.last.json()).toMatchObject({
      topic: 'letters',
      data: { n: 2 },
      type: 'again',
      subject: 's',
    });
    expect(await stand.message(messageId)).toMatchObject({
      topic: 'letters',
      eventType: 'again',
      subject: 's',
    });
    expect((await stand.message(id)).data).toEqual({ n: 1 });
  });

  test('and another component has its name in the envelope, and is refused if it is missing', async () => {
    const stand = await started();
    const id = await stand.publish('orders', { n: 1 });
    await expect(stand.runtime.replay.replay(id, { pubsubname: 'other' }, undefined)).rejects.toMatchObject({
      code: 'ERR_PUBSUB_NOT_FOUND',
    });
    const { pubsubname } = await stand.message(id);
    const { messageId } = await stand.runtime.replay.replay(id, { pubsubname, topic: 'orders' }, 'topic');
    await stand.settle();
    const { envelope } = await stand.message(messageId);
    expect(envelope).toMatchObject({ pubsubname, topic: 'orders' });
  });

  test('starts its time to live again', async () => {
    const stand = await started();
    const id = await stand.publish('orders', 'x', { metadata: { ttlInSeconds: '5' } });
    await stand.pass(10_000);
    const { messageId } = await stand.runtime.replay.replay(id, undefined, undefined);
    await stand.settle();
    expect(await stand.states(messageId)).toEqual(['processed']);
  });

  test('a replay of a dead letter goes to its original topic', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' }),
    );
    stand.app.next.push('DROP');
    const id = await stand.publish('orders');
    const copy = (await stand.delivery(id)).deadLetter?.messageId ?? '';
    const { messageId } = await stand.runtime.replay.replay(copy, undefined, undefined);
    expect(await stand.message(messageId)).toMatchObject({ topic: 'orders', replayOf: copy });
    await stand.settle();
    expect(await stand.states(messageId)).toEqual(['processed']);
  });

  test('a replay of raw bytes stays raw', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', metadata: { rawPayload: 'true' } }),
    );
    const id = await stand.publish('orders', 'bytes', { metadata: { rawPayload: 'true' } });
    const { messageId } = await stand.runtime.replay.replay(id, { data: 'other' }, undefined);
    await stand.settle();
    expect(await stand.message(messageId)).toMatchObject({ raw: true });
    expect(stand.app.last.json()['data_base64']).toBe(Buffer.from('other').toString('base64'));
  });
});

describe('to one delivery', () => {
  test('a replay to one delivery uses its route and app, whatever the rules say now, and no other app gets it', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    const id = await stand.publish('orders');
    const target = (await stand.message(id)).deliveries.find(({ appId }) => appId === 'two');
    subscribe(stand, { topic: 'orders', route: '/elsewhere' });
    await stand.runtime.rediscovery.ask();
    const { messageId } = await stand.runtime.replay.replay(id, undefined, target?.deliveryId);
    await stand.settle();
    expect(await stand.delivery(messageId)).toMatchObject({
      appId: 'two',
      route: { path: '/orders' },
      state: 'processed',
    });
    expect((await stand.message(messageId)).replayTo).toBe('two');
    expect(stand.appOf('one').calls).toHaveLength(1);
    expect(stand.appOf('two').calls).toHaveLength(2);
  });

  test('a replay to one delivery is not published again after a restart', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    const id = await stand.publish('orders');
    const target = (await stand.message(id)).deliveries[1];
    stand.appOf('two').next.push('hang');
    const { messageId } = await stand.runtime.replay.replay(id, undefined, target?.deliveryId);
    await stand.stop();
    await stand.start();
    await stand.settle();
    expect(await stand.states(messageId)).toEqual(['processed']);
    expect(stand.appOf('one').calls).toHaveLength(1);
  });

  test('a replay to an unknown delivery is refused', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    await expect(stand.runtime.replay.replay(id, undefined, 'dlv_none')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(stand.runtime.replay.replay('msg_none', undefined, undefined)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('a replay that no app may publish any more changes nothing', async () => {
  const stand = await started();
  const id = await stand.publish('orders');
  stand.components.components = [];
  await stand.runtime.resources.reload();
  await expect(stand.runtime.replay.replay(id, undefined, undefined)).rejects.toMatchObject({
    code: 'ERR_PUBSUB_NOT_FOUND',
  });
  expect((await stand.journal.stats()).messages).toBe(1);
});
