/** Names of an event that are as long as a body: the event keeps them, no row does, and a topic is not one of them. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

const LONG = 'x'.repeat(20_000);
const MAX = 16_384;

test('id, type and subject of an event are cut in its row, and whole in what the app gets', async () => {
  const stand = await started();
  const event = {
    specversion: '1.0',
    id: LONG,
    type: LONG,
    subject: `${'x'.repeat(MAX - 2)}😀😀`,
    source: 's',
  };
  const id = await stand.publish(
    'orders',
    { ...event, data: 1 },
    { contentType: 'application/cloudevents+json' },
  );
  const { eventId, eventType, subject } = await stand.message(id);
  const cut = `${'x'.repeat(MAX - 1)}…`;
  expect([eventId, eventType]).toEqual([cut, cut]);
  // Not half of a pair.
  expect(subject).toBe(`${'x'.repeat(MAX - 2)}…`);
  expect(stand.app.calls[0]?.json()).toMatchObject(event);
});

test.each([
  ['a topic', { topic: LONG }],
  ['a content type', { contentType: LONG }],
])('%s that is too long is refused, and nothing is kept', async (what, given) => {
  const stand = await started();
  const request = { pubsubname: 'pubsub', topic: 'orders', metadata: {}, ...given };
  const sidecar = stand.runtime.sidecar('app');
  const refusal = {
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: { reason: `${what} has at most ${MAX} characters: actual are ${LONG.length}` },
  };
  await expect(
    (async () => sidecar.publish({ ...request, body: 'x', source: 'grpc' }))(),
  ).rejects.toMatchObject(refusal);
  const entry = {
    entryId: '1',
    contentType: 'text/plain',
    metadata: {},
    event: new Uint8Array([120]),
    ...given,
  };
  const body = Object.assign([entry], { bytes: 1 });
  await expect(sidecar.publishBulk({ ...request, body, source: 'bulk' })).rejects.toMatchObject(refusal);
  expect(stand.events.filter(({ type }) => type === 'message.added')).toEqual([]);
});

test('an edit of a held message is cut in its row as well', async () => {
  const stand = await started();
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const id = await stand.publish('orders', { n: 1 });
  const attributes = { id: LONG, type: LONG, subject: LONG };
  await stand.runtime.deliveryActions.release({ messageId: id }, { attributes });
  await stand.settle();
  const cut = `${'x'.repeat(MAX - 1)}…`;
  expect(await stand.message(id)).toMatchObject({ eventId: cut, eventType: cut, subject: cut });
  expect(stand.app.calls[0]?.json()).toMatchObject(attributes);
});

test('a content type that is too long is refused in an edit and in a replay', async () => {
  const stand = await started();
  const sent = await stand.publish('orders');
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const held = await stand.publish('orders');
  const changes = { contentType: LONG };
  const refusal = {
    code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
    params: { reason: `a content type has at most ${MAX} characters: actual are ${LONG.length}` },
  };
  await expect(stand.runtime.deliveryActions.release({ messageId: held }, changes)).rejects.toMatchObject(
    refusal,
  );
  await expect(stand.runtime.replay.replay(sent, changes, undefined)).rejects.toMatchObject(refusal);
  expect(await stand.message(held)).toMatchObject({ stage: 'held' });
});
