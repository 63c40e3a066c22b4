/** Exports whose client left in the middle do not keep others from exporting. */
import { expect, test } from 'vitest';
import { finished } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { inMemoryConsole } from './in-memory-console.ts';
import { makeBench } from './bench.ts';

test('the export that was read longest ago gives way', async () => {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  await bench.runtime.journal.append(finished(1));
  const console = inMemoryConsole(clock, bench);
  const begun: string[] = [];
  for (let i = 0; i < 30; i++) begun.push((await console.call('recordings.export', {})).jobId);
  const { items } = await console.call('jobs.list', {});
  const running = items.filter((job) => job.running && job.kind === 'recordings.export');
  expect(running.map(({ jobId }) => jobId)).toEqual(begun.slice(-10).toReversed());
  await expect(console.call('recordings.read', { jobId: begun[0] ?? '', part: 1 })).rejects.toThrow();
  expect((await console.call('recordings.read', { jobId: begun[29] ?? '', part: 1 })).part).toBe(1);
});
