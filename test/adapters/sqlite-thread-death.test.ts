/** A thread dies: without the one that writes publishes are refused with the reason, the history is still read, the folder is free afterwards. */
import type { Worker } from 'node:worker_threads';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { accepted, fill, pageNumbers } from './journal-records.ts';
import { testFolder } from './sqlite-folder.ts';
import type { TestFolder } from './sqlite-folder.ts';

const { threads } = vi.hoisted(() => ({ threads: new Map<string, Worker>() }));
vi.mock('node:worker_threads', async (original) => {
  const real = await original<typeof import('node:worker_threads')>();
  class Known extends real.Worker {
    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file, options);
      threads.set(options?.name ?? '', this);
    }
  }
  return { ...real, Worker: Known };
});

async function kill(name: string): Promise<void> {
  const thread = threads.get(name);
  if (thread === undefined) throw new Error(`no thread is named ${name}`);
  await thread.terminate();
}

let at: TestFolder;
beforeEach(async () => {
  at = await testFolder();
});
afterEach(() => at.remove());

test('after the end of the writing thread appends are refused with the reason', async () => {
  const journal = await at.open();
  await fill(journal, 1, 3);
  await kill('writer-thread');
  const refused = { code: 'broken', message: expect.stringContaining('writer-thread ended by itself') };
  await expect(journal.append([accepted(4)])).rejects.toMatchObject(refused);
  expect(journal.trouble).toContain('ended by itself');
  expect((await pageNumbers(journal)).numbers).toEqual([3, 2, 1]);
  expect(await journal.size?.()).toMatchObject({ messages: 3 });
  await journal.close();
  const again = await at.open();
  expect(again.report.wasUnclean).toBe(true);
  expect((await pageNumbers(again)).numbers).toEqual([3, 2, 1]);
});

test.each(['reader-thread', 'search-thread'])(
  'after the end of the %s the next reads and searches are answered',
  async (name) => {
    const journal = await at.open();
    await fill(journal, 1, 2, { data: 'needle' });
    expect((await pageNumbers(journal, { filter: 'needle' })).numbers).toEqual([2, 1]);
    await kill(name);
    expect((await pageNumbers(journal)).numbers).toEqual([2, 1]);
    expect((await pageNumbers(journal, { filter: 'needle' })).numbers).toEqual([2, 1]);
    expect((await journal.get('msg_1'))?.row.number).toBe(1);
    await kill(name);
    await journal.close();
    expect(at.lines.filter((line) => line.includes('did not close cleanly'))).toEqual([]);
  },
);
