/** A file is removed when there is none or another one: nothing else that a look may fail with says so. */
import type { BigIntStats } from 'node:fs';

import { beforeEach, expect, test, vi } from 'vitest';

import { FileWatch } from '../../core/adapters/sqlite-journal/file-watch.ts';

const POLL_INTERVAL_MS = 2000;

let found: bigint | string;
let asked: number;
let isMade: boolean;
let watch: FileWatch;

/** Answers with the file of that number, or fails with that code. */
async function look(): Promise<BigIntStats> {
  if (typeof found === 'string') throw Object.assign(new Error(found), { code: found });
  return { dev: 1n, ino: found } as BigIntStats;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  found = 1n;
  asked = 0;
  isMade = false;
  watch = new FileWatch(
    'sidelight.db',
    async () => {
      asked++;
      if (isMade) found = 9n;
      return isMade;
    },
    { look },
  );
  watch.start();
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  return async () => {
    await watch.stop();
    vi.useRealTimers();
  };
});

test.each(['EMFILE', 'EACCES', 'EIO'])(
  'a check that fails with %s says nothing about the file',
  async (code) => {
    found = code;
    await vi.advanceTimersByTimeAsync(3 * POLL_INTERVAL_MS);
    found = 1n;
    await vi.advanceTimersByTimeAsync(3 * POLL_INTERVAL_MS);
    expect(asked).toBe(0);
  },
);

test.each([['ENOENT'], ['ENOTDIR'], [2n]])(
  '%s is noticed, and its repair is requested until it succeeded',
  async (now) => {
    found = now;
    await vi.advanceTimersByTimeAsync(3 * POLL_INTERVAL_MS);
    expect(asked).toBe(3);
    isMade = true;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(asked).toBe(4);
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(asked).toBe(4);
    isMade = false;
    found = 3n;
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
    expect(asked).toBe(5);
  },
);

test('a content that changes right after its repair is checked too', async () => {
  let [ino, text] = [1n, 'own'];
  const seen: string[] = [];
  const content = new FileWatch(
    'console-key',
    async () => {
      seen.push(text);
      if (text !== 'broken') return true;
      // Written again, and by another hand before anybody looks.
      [ino, text] = [ino + 2n, 'foreign'];
      return true;
    },
    { look: async () => ({ dev: 1n, ino, size: 1n, mtimeNs: 1n }) as BigIntStats, isContentWatched: true },
  );
  content.start();
  await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS);
  [ino, text] = [ino + 1n, 'broken'];
  await vi.advanceTimersByTimeAsync(4 * POLL_INTERVAL_MS);
  expect(seen).toEqual(['broken', 'foreign']);
  await content.stop();
});
