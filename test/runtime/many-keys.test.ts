/** A message has at most 1,000 metadata keys, however they come: each takes many times its own length in memory. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const keys = (count: number, prefix = 'k'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${prefix}${nth}`, '']));
const refusal = (count: number) => ({
  code: 'ERR_PUBSUB_REQUEST_METADATA',
  message: expect.stringContaining(`a message has at most 1000 metadata keys: actual are ${count}`),
});

const nothingKept = (stand: Stand): void =>
  expect(stand.events.filter(({ type }) => type === 'message.added')).toEqual([]);

function bulk(stand: Stand, body: string | readonly object[], metadata = {}): Promise<unknown> {
  const place = { pubsubname: 'pubsub', topic: 'orders', source: 'bulk' } as const;
  return stand.runtime.sidecar('app').publishBulk({ ...place, metadata, body: body as string });
}

test('a publish with more than 1,000 metadata keys is refused', async () => {
  const stand = await started();
  await expect(stand.publish('orders', 'x', { metadata: keys(1001) })).rejects.toMatchObject(refusal(1001));
  nothingKept(stand);
  await stand.publish('orders', 'x', { metadata: keys(1000) });
});

test('a bulk publish with such an entry publishes nothing and names the entry', async () => {
  const stand = await started();
  const entry = { contentType: 'text/plain', event: 'x' };
  const given = [
    { ...entry, entryId: 'a' },
    { ...entry, entryId: 'b', metadata: keys(1001) },
  ];
  const named = { message: expect.stringMatching(/actual are 1001 \(entry b\)$/) };
  await expect(bulk(stand, JSON.stringify(given))).rejects.toMatchObject(named);
  const asBytes = given.map((one) => ({ metadata: {}, ...one, event: new Uint8Array([120]) }));
  await expect(bulk(stand, Object.assign(asBytes, { bytes: 100 }))).rejects.toMatchObject(named);
  const half = JSON.stringify([{ ...entry, entryId: 'c', metadata: keys(600) }]);
  await expect(bulk(stand, half, keys(600, 'r'))).rejects.toMatchObject(refusal(1200));
  nothingKept(stand);
});

test('a replay or edit with more than 1,000 metadata keys is refused', async () => {
  const stand = await started();
  const id = await stand.publish('orders', 'x');
  const replayed = stand.runtime.replay.replay(id, { metadata: keys(1001) }, 'topic');
  await expect(replayed).rejects.toMatchObject(refusal(1001));
  await stand.runtime.holds.add({ at: 'publish', filter: '' });
  const held = await stand.publish('orders', 'x');
  const changed = stand.runtime.deliveryActions.release({ messageId: held }, { metadata: keys(1001) });
  await expect(changed).rejects.toMatchObject(refusal(1001));
});
