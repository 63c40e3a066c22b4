/** A bulk publish of very many entries is made in several turns of the event loop, and another large one waits until it is done. */
import { expect, test } from 'vitest';
import type { GivenEntries, GivenEntry } from '../../core/domain/bulk-publish.ts';
import { times } from '../support/extent.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const COUNT = times(1500, 3000);
/** Bytes of a request that runs alone. */
const LARGE_BYTES = 40 * 1024 * 1024;

const PLACE = { pubsubname: 'pubsub', topic: 'orders', metadata: {} } as const;

const json = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      entryId: `${n}`,
      event: n,
      contentType: 'application/json',
    })),
  );

test('of a few large entries: other work has its turn in between, and the order stays', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
  const body = JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({
      entryId: `${n}`,
      event: '😀'.repeat(24_000),
      contentType: 'text/plain',
    })),
  );
  const publishing = stand.runtime.sidecar('app').publishBulk({ ...PLACE, body, source: 'http' });
  await stand.settle();
  expect(added(stand)).toBeLessThan(5);
  const single = await stand.publish('others', 'x');
  const { messageIds, failedEntries } = await stand.during(publishing);
  expect(failedEntries).toEqual([]);
  expect((await stand.message(single)).number).toBeLessThan(40);
  const numbers = await Promise.all(messageIds.map(async (id) => (await stand.message(id)).number));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test('of one large entry: other work has its turn between reading it and making its event', async () => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
  const entry = { entryId: '1', event: { text: 'x'.repeat(2_000_000) }, contentType: 'application/json' };
  const body = JSON.stringify([entry]);
  const publishing = stand.runtime.sidecar('app').publishBulk({ ...PLACE, body, source: 'http' });
  await stand.settle();
  expect(added(stand)).toBe(0);
  const single = await stand.publish('others', 'x');
  const { messageIds, failedEntries } = await stand.during(publishing);
  expect(failedEntries).toEqual([]);
  expect((await stand.message(single)).number).toBeLessThan(
    (await stand.message(messageIds[0] ?? '')).number,
  );
});

/** Entries that count how many of them were read. */
function given(length: number, more: Partial<GivenEntry> = {}): GivenEntries & { read: number } {
  const entries = {
    length,
    bytes: length * 10,
    read: 0,
    *[Symbol.iterator](): Generator<GivenEntry> {
      for (let n = 0; n < length; n += 1) {
        entries.read += 1;
        const event = Buffer.from(`${n}`);
        yield { entryId: `${n}`, event, contentType: 'application/json', metadata: {}, ...more };
      }
    },
  };
  return entries;
}

const large = () => Object.assign(given(COUNT), { bytes: LARGE_BYTES });

function added(stand: Stand): number {
  return stand.events.filter(({ type }) => type === 'message.added').length;
}

test.each([
  ['JSON', () => ({ body: json(COUNT), source: 'http' as const })],
  ['given entries', () => ({ body: given(COUNT), source: 'grpc' as const })],
  [
    'events that are checked first',
    () => ({ body: given(COUNT, { metadata: { ttlInSeconds: '60' } }), source: 'grpc' as const }),
  ],
])('of %s: other work has its turn in between, and the order stays', async (_, request) => {
  const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
  const publishing = stand.runtime.sidecar('app').publishBulk({ ...PLACE, ...request() });
  await stand.settle();
  expect(added(stand)).toBe(0);
  const single = await stand.publish('others', 'x');
  const { messageIds, failedEntries } = await stand.during(publishing);
  expect(failedEntries).toEqual([]);
  expect(messageIds).toHaveLength(COUNT);
  // The single publish did not wait for the entries, each of which has a later number.
  expect((await stand.message(single)).number).toBeLessThanOrEqual(COUNT);
  const numbers = await Promise.all(messageIds.map(async (id) => (await stand.message(id)).number));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
});

test.each([
  ['metadata of the request, which is checked once', { ttlInSeconds: '60' }, {}, 1],
  ['metadata of each entry, which may refuse the request', {}, { metadata: { ttlInSeconds: '60' } }, COUNT],
])(
  'events are made before the first is published only where they may be refused: %s',
  async (_, metadata, more, made) => {
    const stand = await started();
    let events = 0;
    let before: number | undefined;
    const { ids } = stand;
    const [uuid, next] = [ids.uuid.bind(ids), ids.next.bind(ids)];
    ids.uuid = () => {
      events += 1;
      return uuid();
    };
    ids.next = (kind) => {
      if (kind === 'message') before ??= events;
      return next(kind);
    };
    const body = given(COUNT, more);
    const publishing = stand.runtime.sidecar('app').publishBulk({ ...PLACE, metadata, body, source: 'grpc' });
    await stand.during(publishing);
    expect(before).toBe(made);
  },
);

test('another large request is not read before the first is done', async () => {
  const stand = await started();
  const sidecar = stand.runtime.sidecar('app');
  const [first, second] = [large(), large()];
  const all = [first, second].map((body) => sidecar.publishBulk({ ...PLACE, body, source: 'grpc' }));
  await stand.pass(5);
  expect(first.read).toBeGreaterThan(0);
  expect(second.read).toBe(0);
  await stand.during(Promise.all(all));
  expect([first.read, second.read]).toEqual([COUNT, COUNT]);
});

test('a single publish does not wait for a large bulk request', async () => {
  const stand = await started();
  const body = large();
  const bulk = stand.runtime.sidecar('app').publishBulk({ ...PLACE, body, source: 'grpc' });
  await stand.settle();
  await stand.publish('others');
  expect(added(stand)).toBe(1);
  await stand.during(bulk);
});

test.each(['while it waits for its turn', 'while its entries are read'])(
  'a caller that leaves %s publishes nothing, and the next request goes on',
  async (when) => {
    const stand = await started();
    const sidecar = stand.runtime.sidecar('app');
    const publish = (body: GivenEntries, signal?: AbortSignal) =>
      sidecar.publishBulk({ ...PLACE, body, source: 'grpc', ...(signal === undefined ? {} : { signal }) });
    const waits = when === 'while it waits for its turn';
    const before = waits ? publish(large()) : undefined;
    const left = new AbortController();
    const body = large();
    const leaving = publish(body, left.signal);
    const after = publish(given(10));
    await stand.settle();
    const ended = leaving.then(String, String);
    left.abort(new Error('left'));
    expect(await stand.during(ended)).toBe('Error: left');
    expect(body.read).toBeLessThan(waits ? 1 : COUNT);
    await stand.during(Promise.all([before, after]));
    expect(added(stand)).toBe((waits ? COUNT : 0) + 10);
  },
);
