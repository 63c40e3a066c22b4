/** A preview of a publish: the event that the publish then makes, and its refusals; nothing is published. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

test('a preview is the event that the publish makes, apart from id, time and trace, and stores nothing', async () => {
  const stand = await started();
  const request = {
    pubsubname: 'pubsub',
    topic: 'orders',
    body: '{"total":12345678901234567890}',
    contentType: 'application/json',
    metadata: { 'cloudevent.subject': 'one', ttlInSeconds: '60' },
  };
  const { wire, flags } = stand.runtime.publishByHand.preview(request);
  const page = { order: 'oldest', limit: 10, nowMs: stand.clock.now() } as const;
  expect((await stand.journal.page(page)).items).toEqual([]);
  const { messageId } = await stand.runtime.publishByHand.one(request);
  const { wire: published } = await stand.message(messageId);
  const own = /"(id|time|expiration|trace(?:id|parent))":"[^"]*"/g;
  expect(String(wire).replaceAll(own, '"$1":""')).toBe(published.body.replaceAll(own, '"$1":""'));
  expect(String(wire)).toContain('"data":{"total":12345678901234567890}');
  expect(flags).toEqual([]);
});

test.each([
  ['for an unknown component', { pubsubname: 'nope' }, 'ERR_PUBSUB_NOT_FOUND'],
  ['without a topic', { topic: '' }, 'ERR_TOPIC_EMPTY'],
  ['with unreadable metadata', { metadata: { rawPayload: 'perhaps' } }, 'ERR_PUBSUB_REQUEST_METADATA'],
])('a preview %s is refused as the publish is', async (_, change, code) => {
  const stand = await started();
  const request = { pubsubname: 'pubsub', topic: 'orders', body: 'x', metadata: {}, ...change };
  expect(() => stand.runtime.publishByHand.preview(request)).toThrow(expect.objectContaining({ code }));
  await expect(stand.runtime.publishByHand.one(request)).rejects.toMatchObject({ code });
});
