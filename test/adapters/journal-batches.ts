/** Batches: one call for many deliveries takes room once, and each attempt still shows the whole of it. */
import { describe, expect, test } from 'vitest';

import type { Attempt } from '../../core/contract/message.ts';
import type { Journal, JournalRecord } from '../../core/ports/journal.ts';
import { accepted, count, delivered, NOW_MS, published, removed } from './journal-records.ts';
import type { Current } from './journal-records.ts';

const WIDE = 50_000;

/** Call shared by several entries; the objects are the same in every attempt. */
export function batchCall(text: string): Pick<Attempt, 'request' | 'response'> {
  return {
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:6001/orders',
      headers: { 'content-type': 'application/json' },
      body: `{"entries":["${text.repeat(WIDE)}"]}`,
    },
    response: { status: 200, headers: {}, body: `{"statuses":["${text}"]}` },
  };
}

/** An entry of a batch, processed; message and entry have the same number. */
export function entry(number: number, attemptId: string, call: Partial<Attempt>): JournalRecord {
  return delivered(number, 'processed', {
    delivery: { attemptCount: 1 },
    attempt: { attemptId, bulk: { entryId: `entry_${number}`, batchSize: 3 }, ...call },
  });
}

async function attempts(journal: Journal, number: number): Promise<readonly Attempt[]> {
  return (await journal.get(`msg_${number}`))?.deliveries[0]?.attempts ?? [];
}

export function batchTests(journal: Current, reopen: () => (() => Promise<Journal>) | undefined): void {
  describe('a batch', () => {
    const messages = (from: number, to: number): JournalRecord[] =>
      count(from, to).flatMap((number) => [accepted(number), published(number)]);

    test('is kept once; every entry shows the whole call and its own line', async () => {
      await journal().append(messages(1, 10));
      const before = (await journal().stats()).bytes;
      const call = batchCall('a');
      await journal().append(count(1, 9).map((number) => entry(number, 'att_1', call)));
      // In a call of its own, and equal only.
      await journal().append([entry(10, 'att_1', structuredClone(call))]);
      const { bytes } = await journal().stats();
      expect(bytes - before).toBeGreaterThan(WIDE);
      expect(bytes - before).toBeLessThan(2 * WIDE);
      const again = await reopen()?.();
      for (const number of [1, 9, 10])
        expect(await attempts(again ?? journal(), number)).toEqual([
          expect.objectContaining({
            attemptId: 'att_1',
            bulk: { entryId: `entry_${number}`, batchSize: 3 },
            ...call,
          }),
        ]);
      await again?.close();
    });

    test('each entry keeps the word that was read for it; an attempt of an older history has none', async () => {
      await journal().append(messages(1, 3));
      const call = batchCall('w');
      await journal().append([
        entry(1, 'att_1', { ...call, word: 'DROP' }),
        entry(2, 'att_1', { ...call, word: 'WAT' }),
        entry(3, 'att_1', call),
      ]);
      const again = await reopen()?.();
      const words = await Promise.all(
        count(1, 3).map(async (number) => (await attempts(again ?? journal(), number))[0]?.word),
      );
      expect(words).toEqual(['DROP', 'WAT', undefined]);
      await again?.close();
    });

    test('with one cut delivery has no answer for that one, and its own for the others', async () => {
      await journal().append(messages(1, 3));
      const { request, response } = batchCall('b');
      const error = { code: 'cancelled', message: 'A person dropped it.' } as const;
      await journal().append([
        entry(1, 'att_1', { request, ...(response === undefined ? {} : { response }) }),
        entry(2, 'att_1', { request, error }),
        entry(3, 'att_1', { request, ...(response === undefined ? {} : { response }) }),
      ]);
      expect(await attempts(journal(), 1)).toMatchObject([{ request, response }]);
      const [cut] = await attempts(journal(), 2);
      expect(cut).toMatchObject({ request, error });
      expect(cut?.response).toBeUndefined();
      expect(await attempts(journal(), 3)).toMatchObject([{ request, response }]);
    });

    test('is removed with the last of its entries', async () => {
      const empty = (await journal().stats()).bytes;
      await journal().append([
        ...messages(1, 3),
        ...count(1, 3).map((n) => entry(n, 'att_1', batchCall('c'))),
      ]);
      await journal().append([removed(1, 3)]);
      expect((await journal().stats()).bytes).toBeGreaterThan(WIDE);
      expect(await attempts(journal(), 2)).toMatchObject([batchCall('c')]);
      await journal().prune({ maxMessages: 0, maxBytes: Infinity, olderThanMs: 0 }, NOW_MS, 10);
      expect((await journal().stats()).bytes).toBe(empty);
    });

    test('that is tried without end is removed with the last attempt that is kept', async () => {
      await journal().append(messages(1, 1));
      for (let n = 1; n <= 103; n++) await journal().append([entry(1, `att_${n}`, batchCall('d'))]);
      const { bytes } = await journal().stats();
      expect(bytes).toBeGreaterThan(100 * WIDE);
      expect(bytes).toBeLessThan(104 * WIDE);
      expect(await attempts(journal(), 1)).toHaveLength(100);
      await journal().append([removed(1)]);
      expect((await journal().stats()).bytes).toBe(0);
    });
  });
}
