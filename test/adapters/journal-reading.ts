/** Reading a journal: pages at any depth, filters, totals, scans in slices, rows and tests by number. */
import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import {
  accepted,
  allPages,
  changed,
  count,
  delivered,
  fill,
  filterOf,
  finished,
  NOW_MS,
  pageNumbers,
  removed,
  wholeScan,
} from './journal-records.ts';
import type { Current } from './journal-records.ts';
import { times } from '../support/extent.ts';

const LATER = { nowMs: NOW_MS, limit: 100 } as const;

export function readingTests(journal: Current): void {
  describe('page', () => {
    test('newest first and oldest first', async () => {
      await fill(journal(), 1, 5);
      expect(await pageNumbers(journal())).toEqual({ numbers: [5, 4, 3, 2, 1], nextCursor: null, total: 5 });
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual([1, 2, 3, 4, 5]);
    });

    test('a page of an empty journal is empty', async () => {
      expect(await pageNumbers(journal())).toEqual({ numbers: [], nextCursor: null, total: 0 });
      expect(await pageNumbers(journal(), { filter: 'a' })).toEqual({
        numbers: [],
        nextCursor: null,
        total: 0,
      });
    });

    test.each([
      ['newest', 1],
      ['newest', 7],
      ['newest', 500],
      ['oldest', 7],
      ['oldest', 43],
    ] as const)('%s first, %s at a time: each message once, to any depth', async (order, limit) => {
      const last = limit === 1 ? 40 : limit === 500 ? 3000 : times(600, 3000);
      await journal().append(count(1, last).flatMap((number) => finished(number)));
      const expected = order === 'newest' ? count(last, 1) : count(1, last);
      expect(await allPages(journal(), { order, limit })).toEqual(expected);
      expect(await allPages(journal(), { order, limit, filter: 'topic:orders' })).toEqual(expected);
    });

    test('says at its end that nothing follows', async () => {
      await fill(journal(), 1, 4);
      for (const filter of [undefined, 'topic:orders']) {
        const query = { limit: 2, ...(filter === undefined ? {} : { filter }) };
        const first = await pageNumbers(journal(), query);
        expect(first).toMatchObject({ numbers: [4, 3], total: 4 });
        expect(first.nextCursor).not.toBeNull();
        const second = await pageNumbers(journal(), { ...query, cursor: first.nextCursor ?? '' });
        expect(second).toEqual({ numbers: [2, 1], nextCursor: null, total: 4 });
      }
    });

    test('of messages with thousands of deliveries ends before its limit, and the next one goes on', async () => {
      for (const number of [1, 2, 3]) {
        await journal().append([accepted(number)]);
        await journal().append(count(1, 10_000).map((nth) => delivered(number, 'queued', { nth })));
      }
      for (const filter of [undefined, 'topic:orders']) {
        const query = filter === undefined ? {} : { filter };
        const first = await pageNumbers(journal(), query);
        expect(first).toMatchObject({ numbers: [3, 2], total: 3 });
        expect(await pageNumbers(journal(), { ...query, cursor: first.nextCursor ?? '' })).toEqual({
          numbers: [1],
          nextCursor: null,
          total: 3,
        });
        expect(await allPages(journal(), { ...query, order: 'oldest', limit: 500 })).toEqual([1, 2, 3]);
      }
    });

    test('stays where it was while messages come and go', async () => {
      await fill(journal(), 1, 10);
      const { nextCursor } = await pageNumbers(journal(), { limit: 3 });
      await fill(journal(), 11, 13);
      await journal().append([removed(8, 7, 5)]);
      expect(await pageNumbers(journal(), { limit: 3, cursor: nextCursor ?? '' })).toMatchObject({
        numbers: [6, 4, 3],
        total: 10,
      });
    });

    test('has no messages for missing numbers', async () => {
      await journal().append([accepted(1), accepted(5000), accepted(100_000)]);
      expect(await allPages(journal(), { order: 'oldest', limit: 1 })).toEqual([1, 5000, 100_000]);
      expect(await allPages(journal(), { order: 'newest', limit: 1 })).toEqual([100_000, 5000, 1]);
      await journal().append([removed(5000)]);
      expect(await allPages(journal(), { order: 'newest', limit: 1 })).toEqual([100_000, 1]);
      expect((await pageNumbers(journal(), { cursor: '5000' })).numbers).toEqual([1]);
      expect((await pageNumbers(journal(), { cursor: '5000', order: 'oldest' })).numbers).toEqual([100_000]);
      await journal().append([accepted(4000)]);
      expect((await pageNumbers(journal())).numbers).toEqual([100_000, 4000, 1]);
    });

    test('a cursor that no page gave is refused', async () => {
      await fill(journal(), 1, 2);
      for (const cursor of ['', 'x', '-1', '1.5', '9'.repeat(40)]) {
        await expect(pageNumbers(journal(), { cursor })).rejects.toMatchObject({
          code: 'INVALID_PARAMS',
          field: 'cursor',
        });
      }
    });
  });

  describe('filter', () => {
    test.each([
      ['topic:refunds', [2]],
      ['-topic:refunds', [5, 4, 3, 1]],
      ['data.total>=100', [5, 4]],
      ['"late fee"', [4]],
      ['meta.ttlInSeconds:60', [3]],
      ['source:shop-web', [5, 4, 3, 2, 1]],
      ['state:parked', [1]],
      ['state:none', [5, 4, 3, 2]],
      ['status:5xx', [1]],
      ['rule:single.other cause:app', [1]],
      ['attempts:>=2', [1]],
      ['error:*refused*', [1]],
      ['id:msg_3', [3]],
      ['id:dlv_1', [1]],
      ['age:>=60s', [1]],
      ['age:<60s', [5, 4, 3, 2]],
      ['time:>2026-03-01T10:00:00Z', [5, 4, 3, 2]],
      ['topic:none', []],
      ['', [5, 4, 3, 2, 1]],
    ])('a page of the filter %s', async (filter, numbers) => {
      await journal().append([
        accepted(1),
        accepted(2, { row: { topic: 'refunds' } }),
        accepted(3, { metadata: { ttlInSeconds: '60' } }),
        accepted(4, { data: { total: 100, note: 'a late FEE' } }),
        accepted(5, { data: { total: 200 } }),
        delivered(1, 'retrying', {
          delivery: { attemptCount: 1 },
          attempt: { response: { status: 500, headers: {}, body: '' } },
          transition: { rule: 'single.other', cause: 'app' },
        }),
        delivered(1, 'parked', {
          delivery: { attemptCount: 2 },
          attempt: { error: { code: 'refused', message: 'connect ECONNREFUSED' } },
        }),
      ]);
      expect(await pageNumbers(journal(), { filter })).toMatchObject({ numbers, total: numbers.length });
      expect(await wholeScan(journal(), { filter, order: 'newest', limit: 2 })).toEqual(numbers);
      const among = await journal().test([1, 2, 3, 4, 5, 6], filterOf(filter), NOW_MS);
      expect([...among].toSorted((a, b) => b - a)).toEqual(numbers);
    });

    test('a message that was replayed since is told from those that are left over', async () => {
      await journal().append([accepted(1), accepted(2), changed(1, { replayedAs: 'msg_2' })]);
      expect((await pageNumbers(journal(), { filter: 'is:replayed' })).numbers).toEqual([1]);
      expect((await pageNumbers(journal(), { filter: 'state:none -is:replayed' })).numbers).toEqual([2]);
    });

    test('total counts all that match, the page shows its part', async () => {
      await journal().append(
        count(1, 300).flatMap((number) => finished(number, { row: { topic: number % 3 === 0 ? 'a' : 'b' } })),
      );
      const page = await pageNumbers(journal(), { filter: 'topic:a', limit: 4 });
      expect(page).toMatchObject({ numbers: [300, 297, 294, 291], total: 100 });
      const next = await pageNumbers(journal(), {
        filter: 'topic:a',
        limit: 4,
        cursor: page.nextCursor ?? '',
      });
      expect(next).toMatchObject({ numbers: [288, 285, 282, 279], total: 100 });
    });

    test('matches the present state of a message', async () => {
      await journal().append([accepted(1), delivered(1, 'queued')]);
      expect((await pageNumbers(journal(), { filter: 'state:queued' })).total).toBe(1);
      await journal().append([delivered(1, 'processed'), changed(1, { pinned: true })]);
      expect((await pageNumbers(journal(), { filter: 'state:queued' })).total).toBe(0);
      expect((await pageNumbers(journal(), { filter: 'state:processed is:pinned' })).total).toBe(1);
    });

    test('ends when it is aborted', async () => {
      await fill(journal(), 1, 3);
      const abort = new AbortController();
      const reason = new Error('no longer wanted');
      abort.abort(reason);
      const query = {
        ...LATER,
        filter: filterOf('topic:orders'),
        order: 'newest',
        signal: abort.signal,
      } as const;
      await expect(journal().page(query)).rejects.toBe(reason);
      await expect(journal().scan(query)).rejects.toBe(reason);
    });
  });

  describe('scan', () => {
    test.each(['newest', 'oldest'] as const)(
      '%s first, slice by slice, finds each match once',
      async (order) => {
        await journal().append(
          count(1, 6000).flatMap((number) =>
            finished(number, { row: { topic: number % 2 === 0 ? 'a' : 'b' } }),
          ),
        );
        const even = count(1, 3000).map((half) => half * 2);
        const expected = order === 'oldest' ? even : even.toReversed();
        expect(await wholeScan(journal(), { filter: 'topic:a', order, limit: 500 })).toEqual(expected);
        expect(await wholeScan(journal(), { filter: 'topic:a', order, limit: 100_000 })).toEqual(expected);
        expect(await wholeScan(journal(), { order, limit: 1000 })).toHaveLength(6000);
      },
    );

    test('a slice keeps to its limit, and names where the next one begins', async () => {
      await fill(journal(), 1, 5);
      expect(await journal().scan({ ...LATER, order: 'newest', limit: 2 })).toEqual({
        numbers: [5, 4],
        next: 4,
      });
      expect(await journal().scan({ ...LATER, order: 'newest', limit: 2, after: 4 })).toEqual({
        numbers: [3, 2],
        next: 2,
      });
      expect(await journal().scan({ ...LATER, order: 'newest', limit: 2, after: 2 })).toEqual({
        numbers: [1],
      });
      expect(await journal().scan({ ...LATER, order: 'oldest', limit: 5 })).toEqual({
        numbers: [1, 2, 3, 4, 5],
      });
      expect(await journal().scan({ ...LATER, order: 'oldest', after: 5 })).toEqual({ numbers: [] });
    });

    test('continues after a removed message', async () => {
      await fill(journal(), 1, 6);
      await journal().append([removed(3, 4)]);
      expect(await journal().scan({ ...LATER, order: 'oldest', after: 3 })).toEqual({ numbers: [5, 6] });
      expect(await journal().scan({ ...LATER, order: 'newest', after: 4 })).toEqual({ numbers: [2, 1] });
    });

    test('lets others run between its slices', async () => {
      await journal().append(count(1, 200).flatMap((number) => finished(number)));
      let hasRun = false;
      const other = setImmediate().then(() => (hasRun = true));
      let slices = 0;
      let after: number | undefined;
      do {
        const slice = await journal().scan({
          ...LATER,
          order: 'newest',
          limit: 10,
          ...(after === undefined ? {} : { after }),
        });
        after = slice.next;
        slices++;
      } while (after !== undefined && !hasRun);
      expect(slices).toBeLessThan(20);
      await other;
    });
  });

  test('rows come by number, undefined for a missing one', async () => {
    await journal().append([...finished(1), ...finished(2), accepted(3), removed(2)]);
    const rows = await journal().rows([3, 2, 1, 9]);
    expect(rows.map((row) => row?.messageId)).toEqual(['msg_3', undefined, 'msg_1', undefined]);
    expect(rows[2]).toEqual((await journal().get('msg_1'))?.row);
    expect(await journal().rows([])).toEqual([]);
  });

  test('a removed message matches no filter', async () => {
    await fill(journal(), 1, 3);
    await journal().append([removed(2)]);
    expect(await journal().test([1, 2, 3, 4], filterOf(''), NOW_MS)).toEqual(new Set([1, 3]));
    expect(await journal().test([], filterOf('a'), NOW_MS)).toEqual(new Set());
  });
}
