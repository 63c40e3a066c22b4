/** How many messages an export has in memory at a time, and how large a test out of messages may be. */
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { Console } from '../../core/console/console.ts';
import type { ExportStarted } from '../../core/contract/recording.ts';
import { accepted, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { ask, call, exported } from './recording-calls.ts';

let bench: Bench;
let console: Console;
const groups: number[][] = [];
let dropped = 0;

beforeEach(() => {
  bench = makeBench(new ManualClock());
  groups.length = 0;
  dropped = 0;
  const { recordingTexts } = bench.deps;
  console = new Console({
    ...bench.deps,
    recordingTexts: {
      ...recordingTexts,
      open: (order) => {
        const texts = recordingTexts.open(order);
        return {
          ...texts,
          messages: (recorded) => {
            groups.push(recorded.map(({ message }) => message.row.number));
            return texts.messages(recorded);
          },
          drop: () => {
            dropped += 1;
            texts.drop();
          },
        };
      },
    },
  });
});

async function keep(...sizes: readonly number[]): Promise<void> {
  const records = sizes.flatMap((sizeBytes, i) => [
    accepted(i + 1, { row: { sizeBytes } }),
    published(i + 1),
  ]);
  await bench.runtime.journal.append(records);
}

test('large messages come one by one, small ones together', async () => {
  await keep(3_900_000, 3_900_000, 100, 200, 900_000, 900_000, 100, ...Array<number>(20).fill(100));
  await exported(console, { format: 'csv' });
  const first = [[1], [2], [3, 4, 5], [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]];
  expect(groups).toEqual([...first, [17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27]]);
});

test('a test has at most 4 MB of data, as it has at most 50 messages', async () => {
  await keep(3_900_000, 3_900_000);
  const { error } = await ask(console, 'recordings.toTest');
  expect(error?.message).toBe('A test can have at most 4 MiB of data; these messages have more.');
  expect((await ask(console, 'recordings.toTest', { messageIds: ['msg_1'] })).error).toBeUndefined();
});

test('a cancelled export keeps neither the part that was read last nor what was to come', async () => {
  const data = 'x'.repeat(2 * 1024 * 1024);
  await bench.runtime.journal.append([accepted(1, { data }), published(1)]);
  const { jobId } = await call<ExportStarted>(console, 'recordings.export');
  await call(console, 'recordings.read', { jobId, part: 1 });
  expect(dropped).toBe(0);
  await call(console, 'jobs.cancel', { jobId });
  await setImmediate();
  expect(dropped).toBe(1);
  for (const part of [1, 2])
    expect((await ask(console, 'recordings.read', { jobId, part })).error?.data.code).toBe('NOT_FOUND');
});
