/** The adapter looks up the stream of a topic once, and remembers it for a limited number of topics. */
import { expect, test } from 'vitest';
import type { Connection } from '../../core/adapters/jetstream/connection.ts';
import type { JetStreamSettings } from '../../core/adapters/jetstream/settings.ts';
import { Streams } from '../../core/adapters/jetstream/streams.ts';

test('the stream of a topic is looked up again after 10,000 other topics', async () => {
  const asked: string[] = [];
  const names = async function* (topic: string): AsyncGenerator<string> {
    asked.push(topic);
    yield 'all';
  };
  const connection = {
    use: () => ({ manager: { streams: { names } } }),
    abortOnDisconnect: (work: Promise<string>) => work,
  } as unknown as Connection;
  const streams = new Streams(connection, { streamName: '' } as JetStreamSettings);
  for (let i = 0; i <= 10_000; i += 1) expect(await streams.of(`t${i}`)).toBe('all');
  asked.length = 0;
  for (const topic of ['t10000', 't1', 't0', 't0']) await streams.of(topic);
  expect(asked).toEqual(['t0']);
});
