/** A client may open thousands of streams of its own, and leave them without a word. */
import { expect, test } from 'vitest';
import { StreamChannel } from '../../core/grpc/stream-channel.ts';
import type { OpenStream } from '../../core/runtime/api.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

function opened(stand: Stand, topics: readonly string[]): Promise<readonly OpenStream[]> {
  const sidecar = stand.runtime.sidecar('app');
  return Promise.all(
    topics.map((topic) => {
      const channel = new StreamChannel({ peer: '127.0.0.1:1', send: () => undefined });
      channel.begin();
      return sidecar.openStream({ pubsubname: 'pubsub', topic, metadata: {}, channel });
    }),
  );
}

const named = (length: number): readonly string[] => Array.from({ length }, (_, n) => `live-${n}`);

function streamed(stand: Stand): readonly string[] {
  return stand.runtime.topology
    .subscriptions()
    .filter(({ source }) => source === 'streaming')
    .map(({ topic }) => topic);
}

const aligned = (stand: Stand): number =>
  stand.events.filter(({ type }) => type === 'topology.changed').length;

test('streams that are opened or lost at the same time are served together', async () => {
  const stand = await started();
  const before = aligned(stand);
  const streams = await opened(stand, named(200));
  expect(streamed(stand)).toHaveLength(200);
  await stand.settle();
  expect(aligned(stand) - before).toBeLessThan(5);
  await Promise.all(streams.map((stream) => stream.close('lost')));
  await stand.settle();
  expect(aligned(stand) - before).toBeLessThan(10);
  expect(streamed(stand)).toHaveLength(200);
});

test('of the streams that were lost the newest 1,000 are waited for', async () => {
  const stand = await started();
  const topics = named(1002);
  for (const stream of await opened(stand, topics)) await stream.close('lost');
  expect(streamed(stand).toSorted()).toEqual(topics.slice(2).toSorted());
  await stand.settle();
  const texts = stand.lines.map(({ text }) => text);
  expect(texts.filter((text) => text.endsWith('is no longer waited for.'))).toEqual([
    'app has more than 1000 lost streams. That on pubsub/live-0 is no longer waited for.',
    'app has more than 1000 lost streams. That on pubsub/live-1 is no longer waited for.',
  ]);
  const [waiting, gone] = [await stand.publish('live-2'), await stand.publish('live-1')];
  await stand.settle();
  expect(await stand.states(waiting)).toEqual(['queued']);
  expect(await stand.states(gone)).toEqual([]);
  await opened(stand, ['live-1']);
  expect(streamed(stand)).toHaveLength(1001);
});

test('an app has at most 1000 open streams to one topic, and as many topics as it likes', async () => {
  const stand = await started();
  const streams = await opened(
    stand,
    Array.from({ length: 1000 }, () => 'one'),
  );
  await expect(opened(stand, ['one'])).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: 'There may be at most 1000 open streams of an app to one topic.',
  });
  await opened(stand, ['other']);
  // One that ends or is lost makes room for the next one.
  await streams[0]?.close('ended');
  await streams[1]?.close('lost');
  await opened(stand, ['one', 'one']);
  await expect(opened(stand, ['one'])).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
