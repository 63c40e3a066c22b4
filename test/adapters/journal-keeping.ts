/** Retention in a journal: removal, pruning, small values, sizes, the end. Random acts are compared with a simple model. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Journal, JournalRecord, Retention } from '../../core/ports/journal.ts';
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
  published,
  removed,
  unfinishedNumbers,
} from './journal-records.ts';
import type { Current } from './journal-records.ts';

const NO_LIMIT: Retention = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };

function prune(journal: Journal, keep: Partial<Retention>, slice = 1000): ReturnType<Journal['prune']> {
  return journal.prune({ ...NO_LIMIT, ...keep }, NOW_MS, slice);
}

export function keepingTests(journal: Current): void {
  describe('removed', () => {
    test('is removed with its deliveries, open or not', async () => {
      await journal().append([...finished(1), accepted(2), delivered(2, 'retrying'), ...finished(3)]);
      await journal().append([removed(1, 2, 99)]);
      expect((await pageNumbers(journal())).numbers).toEqual([3]);
      expect(await journal().get('msg_2')).toBeUndefined();
      expect(await journal().messageOfDelivery('dlv_2_1')).toBeUndefined();
      expect(await journal().messageOfDelivery('dlv_1_1')).toBeUndefined();
      expect(await unfinishedNumbers(journal())).toEqual([]);
    });
  });

  describe('prune', () => {
    test('removes the oldest beyond the number, a slice at a time', async () => {
      await fill(journal(), 1, 10);
      expect(await prune(journal(), { maxMessages: 4 }, 2)).toMatchObject({ removed: 2, beforeNumber: 3 });
      expect(await prune(journal(), { maxMessages: 4 }, 100)).toMatchObject({ removed: 4, beforeNumber: 7 });
      expect(await prune(journal(), { maxMessages: 4 }, 100)).toMatchObject({ removed: 0, beforeNumber: 0 });
      expect((await pageNumbers(journal())).numbers).toEqual([10, 9, 8, 7]);
      expect(await journal().get('msg_6')).toBeUndefined();
      expect(await journal().messageOfDelivery('dlv_6_1')).toBeUndefined();
    });

    test('spares the named messages, and a later removal continues behind them', async () => {
      await fill(journal(), 1, 4);
      await prune(journal(), { maxMessages: 1, spared: [1, 3] });
      expect(await journal().get('msg_1')).toBeDefined();
      expect(await journal().get('msg_3')).toBeDefined();
      await prune(journal(), { maxMessages: 1 });
      expect((await pageNumbers(journal())).numbers).toEqual([4]);
    });

    test('removes nothing within the limits', async () => {
      await fill(journal(), 1, 3);
      const { bytes } = await journal().stats();
      const at = Date.parse('2026-03-01T10:00:00.000Z');
      expect(await prune(journal(), { maxMessages: 3, maxBytes: bytes, olderThanMs: at })).toMatchObject({
        removed: 0,
      });
      expect((await journal().stats()).messages).toBe(3);
    });

    test('by bytes', async () => {
      await fill(journal(), 1, 20);
      const { bytes } = await journal().stats();
      const { removed: gone } = await prune(journal(), { maxBytes: bytes / 2 });
      expect(gone).toBeGreaterThan(0);
      expect(gone).toBeLessThan(20);
      expect((await journal().stats()).bytes).toBeLessThanOrEqual(bytes / 2);
      expect((await pageNumbers(journal())).numbers).toEqual(count(20, gone + 1));
    });

    test('by age: what was accepted before a moment', async () => {
      await fill(journal(), 1, 5);
      const olderThanMs = Date.parse('2026-03-01T10:00:00.003Z');
      expect(await prune(journal(), { olderThanMs })).toMatchObject({ removed: 3, beforeNumber: 4 });
      expect((await pageNumbers(journal())).numbers).toEqual([5, 4]);
    });

    test('keeps what is open, pinned, held at publish or not yet published', async () => {
      await fill(journal(), 1, 3);
      await journal().append([
        ...[accepted(4), published(4), delivered(4, 'parked')],
        ...[accepted(5, { row: { stage: 'held' } }), accepted(6)],
        ...[...finished(7), changed(7, { pinned: true })],
        ...[accepted(8), published(8), delivered(8, 'processed'), delivered(8, 'retrying', { nth: 2 })],
        ...finished(9),
      ]);
      expect(await prune(journal(), { maxMessages: 0 })).toMatchObject({ removed: 4, beforeNumber: 10 });
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual([4, 5, 6, 7, 8]);
      expect(await unfinishedNumbers(journal())).toEqual([4, 5, 6, 8]);
    });

    test('removes messages that it had passed by once they may go, the oldest first', async () => {
      await fill(journal(), 1, 6);
      await journal().append([delivered(2, 'parked'), delivered(4, 'queued'), changed(3, { pinned: true })]);
      await prune(journal(), { maxMessages: 3 });
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual([2, 3, 4]);
      await journal().append([
        changed(3, { pinned: false }),
        delivered(4, 'dropped'),
        delivered(2, 'processed'),
      ]);
      await fill(journal(), 7, 8);
      expect(await prune(journal(), { maxMessages: 3 }, 1)).toMatchObject({ removed: 1, beforeNumber: 3 });
      expect(await prune(journal(), { maxMessages: 3 })).toMatchObject({ removed: 1, beforeNumber: 4 });
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual([4, 7, 8]);
    });

    test('keeps a message that has just been opened again, and removes the next one instead', async () => {
      await fill(journal(), 1, 4);
      // Everything has been written to the tables.
      await journal().totals();
      await journal().append([delivered(1, 'queued')]);
      expect(await prune(journal(), { maxMessages: 3 })).toMatchObject({ removed: 1, beforeNumber: 3 });
      await journal().append([changed(3, { pinned: true })]);
      expect(await prune(journal(), { maxMessages: 2 }, 1)).toMatchObject({ removed: 1, beforeNumber: 5 });
      expect((await pageNumbers(journal(), { order: 'oldest' })).numbers).toEqual([1, 3]);
    });

    test('keeps a message that it had passed by and that was opened again', async () => {
      await fill(journal(), 1, 3);
      await journal().append([delivered(1, 'queued'), delivered(2, 'queued')]);
      await prune(journal(), { maxMessages: 0 });
      await journal().append([delivered(1, 'dropped'), delivered(2, 'dropped'), delivered(1, 'queued')]);
      expect(await prune(journal(), { maxMessages: 0 })).toMatchObject({ removed: 1, beforeNumber: 3 });
      await journal().append([delivered(1, 'processed')]);
      expect(await prune(journal(), { maxMessages: 0 })).toMatchObject({ removed: 1, beforeNumber: 2 });
    });
  });

  describe('observed messages', () => {
    test('do not count as messages without a subscription, neither in the counts of a topic nor in a removal', async () => {
      const observed = { row: { topic: 'bills', tap: 'shop' } };
      await journal().append([
        ...[accepted(1, observed), published(1), accepted(2, observed), published(2)],
        ...[accepted(3, { row: { topic: 'bills' } }), published(3)],
        ...finished(4, observed),
        ...[accepted(5, { row: { topic: 'bills', expectedBy: ['shop'] } }), published(5)],
      ]);
      const bills = { pubsubname: 'pubsub', topic: 'bills' };
      expect(await journal().totals([bills])).toMatchObject([{ ...bills, messages: 5, none: 1 }]);
      // A killed process may not have written which topics these are.
      expect(await journal().totals()).toMatchObject([{ ...bills, messages: 5, none: 1 }]);
      const { gone } = await prune(journal(), { maxMessages: 0 });
      expect(gone).toMatchObject([{ ...bills, messages: 5, none: 1 }]);
    });
  });

  describe('messages that nobody got', () => {
    test('do not count any more once they were replayed, neither in the counts of a topic nor in a removal', async () => {
      await journal().append([
        ...[1, 2, 3].flatMap((number) => [accepted(number), published(number)]),
        ...[accepted(4, { row: { replayedAs: 'msg_9' } }), published(4)],
        ...[accepted(5, { row: { tap: 'shop' } }), published(5)],
        ...[changed(1, { replayedAs: 'msg_7' }), changed(1, { replayedAs: 'msg_8' })],
        changed(5, { replayedAs: 'msg_9' }),
      ]);
      expect(await journal().totals()).toMatchObject([{ messages: 5, none: 2, replayed: 2 }]);
      expect((await prune(journal(), { maxMessages: 3 })).gone).toMatchObject([
        { messages: 2, none: 1, replayed: 1 },
      ]);
      expect(await journal().totals()).toMatchObject([{ messages: 3, none: 1, replayed: 1 }]);
      expect((await prune(journal(), { maxMessages: 0 })).gone).toMatchObject([
        { messages: 3, none: 1, replayed: 1 },
      ]);
    });
  });

  describe('replayed messages that an app gets all the same', () => {
    const replayed = (number: number): JournalRecord => changed(number, { replayedAs: 'msg_9' });

    test.each<[string, readonly (readonly JournalRecord[])[]]>([
      ['after its replay', [[accepted(1), published(1)], [replayed(1)], [delivered(1, 'processed')]]],
      ['before its replay', [[accepted(1), published(1)], [delivered(1, 'processed')], [replayed(1)]]],
      [
        'twice',
        [[accepted(1)], [replayed(1)], [delivered(1, 'dropped')], [delivered(1, 'queued', { nth: 2 })]],
      ],
      ['in the same moment', [[accepted(1), published(1), replayed(1), delivered(1, 'processed')]]],
      [
        'once its component has taken it after all',
        [
          [accepted(1), published(1), replayed(1)],
          [changed(1, { stage: 'refused' })],
          [changed(1, { stage: null })],
          [delivered(1, 'processed')],
        ],
      ],
    ])('%s take no other one out of the count', async (_, groups) => {
      await journal().append([accepted(2), published(2)]);
      for (const group of groups) {
        await journal().append(group);
        // What is counted has been written to the tables.
        await journal().totals();
      }
      expect(await journal().totals()).toMatchObject([{ messages: 2, none: 1 }]);
      await journal().append([removed(1)]);
      expect(await journal().totals()).toMatchObject([{ messages: 1, none: 1 }]);
    });
  });

  describe('messages that were never published', () => {
    test('are counted by topic, and in a removal', async () => {
      await journal().append([
        ...[accepted(1), changed(1, { stage: 'refused' }), published(1)],
        ...[accepted(2, { row: { stage: 'held' } }), changed(2, { stage: 'expired' }), published(2)],
        ...[accepted(3, { row: { stage: 'held' } }), changed(3, { stage: 'dropped' }), published(3)],
        ...[accepted(4), changed(4, { stage: 'refused' }), changed(4, { stage: null }), published(4)],
        ...finished(5),
      ]);
      expect(await journal().totals()).toMatchObject([{ messages: 5, unpublished: 2, droppedEarly: 1 }]);
      expect((await prune(journal(), { maxMessages: 4 })).gone).toMatchObject([
        { messages: 1, unpublished: 1 },
      ]);
      expect(await journal().totals()).toMatchObject([{ messages: 4, unpublished: 1, droppedEarly: 1 }]);
      expect((await prune(journal(), { maxMessages: 2 })).gone).toMatchObject([
        { messages: 2, unpublished: 1, droppedEarly: 1 },
      ]);
      expect(await journal().totals()).toMatchObject([{ messages: 2, unpublished: 0, droppedEarly: 0 }]);
    });
  });

  describe('small things', () => {
    test('the last sequence is the highest that was written', async () => {
      expect(await journal().lastSequence()).toBe(0);
      await journal().append([{ kind: 'sequence', sequence: 12 }]);
      await journal().append([{ kind: 'sequence', sequence: 11 }]);
      expect(await journal().lastSequence()).toBe(12);
    });

    test('of two values stored under one key the last one counts', async () => {
      expect(await journal().kept('holds')).toBeUndefined();
      await journal().append([
        { kind: 'kept', key: 'holds', value: [1] },
        { kind: 'kept', key: 'rules', value: { a: null } },
      ]);
      await journal().append([{ kind: 'kept', key: 'holds', value: [] }]);
      expect(await journal().kept('holds')).toEqual([]);
      expect(await journal().kept('rules')).toEqual({ a: null });
      expect(await journal().kept('toString')).toBeUndefined();
    });

    test('stored values are not pruned', async () => {
      await journal().append([
        ...finished(1),
        { kind: 'sequence', sequence: 5 },
        { kind: 'kept', key: 'holds', value: [1] },
      ]);
      await prune(journal(), { maxMessages: 0 });
      expect(await journal().lastSequence()).toBe(5);
      expect(await journal().kept('holds')).toEqual([1]);
    });

    test('stats give messages, bytes, and the lowest and highest number', async () => {
      expect(await journal().stats()).toMatchObject({ messages: 0, lastNumber: 0, oldestNumber: 0 });
      const { bytes: empty } = await journal().stats();
      await fill(journal(), 1, 3, { data: 'x'.repeat(10_000) });
      const full = await journal().stats();
      expect(full).toMatchObject({ messages: 3, lastNumber: 3, oldestNumber: 1 });
      expect(full.bytes - empty).toBeGreaterThan(30_000);
      await journal().append([removed(1, 3)]);
      const after = await journal().stats();
      expect(after).toMatchObject({ messages: 1, lastNumber: 3, oldestNumber: 2 });
      expect(after.bytes).toBeLessThan(full.bytes - 20_000);
    });
  });

  test('property: random operations leave what a plain list would', async () => {
    const states = fc.constantFrom<DeliveryState>('queued', 'retrying', 'parked', 'processed', 'dropped');
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'accept' as const }) },
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant('deliver' as const), of: fc.nat(), state: states }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('pin' as const), of: fc.nat(), pinned: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), of: fc.nat() }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('prune' as const),
          most: fc.nat(8),
          slice: fc.integer({ min: 1, max: 4 }),
          isRead: fc.boolean(),
        }),
      },
    );
    interface Kept {
      readonly number: number;
      state: DeliveryState | undefined;
      pinned: boolean;
      isDelivered: boolean;
    }
    let next = 1;
    const mayGo = ({ state, pinned }: Kept): boolean =>
      !pinned && (state === 'processed' || state === 'dropped');
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
        let model: Kept[] = [];
        const outcomes: { readonly found: object; readonly expected: object }[] = [];
        for (const each of acts) {
          const target = 'of' in each ? model[each.of % Math.max(1, model.length)] : undefined;
          if (each.kind === 'accept') {
            await journal().append([accepted(next), published(next)]);
            model.push({ number: next++, state: 'processed', pinned: false, isDelivered: false });
          } else if (each.kind === 'prune') {
            const over = Math.max(0, model.length - each.most);
            const mostGone = Math.min(over, each.slice, model.filter(mayGo).length);
            // What ended a moment ago may be removed later than newer ones; after a read a journal knows of everything.
            if (each.isRead) await journal().totals();
            const pruned = await prune(journal(), { maxMessages: each.most }, each.slice);
            const left = new Set(await allPages(journal(), { order: 'oldest', limit: 500 }));
            const gone = model.filter(({ number }) => !left.has(number));
            const oldest = each.isRead ? model.filter(mayGo).slice(0, mostGone) : gone;
            outcomes.push({
              found: {
                removed: pruned.removed,
                beforeNumber: pruned.beforeNumber,
                numbers: pruned.numbers.toSorted((a, b) => a - b),
                messages: pruned.gone.reduce((sum, { messages }) => sum + messages, 0),
                gone,
                stays: gone.filter((kept) => !mayGo(kept)),
              },
              expected: {
                removed: mostGone,
                beforeNumber: (gone.at(-1)?.number ?? -1) + 1,
                numbers: gone.map(({ number }) => number),
                messages: mostGone,
                gone: oldest,
                stays: [],
              },
            });
            model = model.filter((kept) => !gone.includes(kept));
          } else if (target !== undefined && each.kind === 'deliver') {
            await journal().append([delivered(target.number, each.state)]);
            target.state = each.state;
            target.isDelivered = true;
          } else if (target !== undefined && each.kind === 'pin') {
            await journal().append([changed(target.number, { pinned: each.pinned })]);
            target.pinned = each.pinned;
          } else if (target !== undefined && each.kind === 'remove') {
            await journal().append([removed(target.number)]);
            model = model.filter((kept) => kept !== target);
          }
        }
        for (const { found, expected } of outcomes) expect(found).toEqual(expected);
        const numbers = model.map(({ number }) => number);
        expect(await allPages(journal(), { order: 'oldest', limit: 3 })).toEqual(numbers);
        expect(await allPages(journal(), { order: 'newest', limit: 500 })).toEqual(numbers.toReversed());
        const totals = await journal().totals();
        expect(totals.reduce((sum, { messages }) => sum + messages, 0)).toBe(model.length);
        expect(totals.reduce((sum, { none }) => sum + none, 0)).toBe(
          model.filter(({ isDelivered }) => !isDelivered).length,
        );
        const counted = totals.flatMap(({ deliveries }) =>
          deliveries.flatMap(({ state, count: n }) => Array.from({ length: n }, () => state)),
        );
        const states = model.filter(({ isDelivered }) => isDelivered).map(({ state }) => state);
        expect(counted.toSorted()).toEqual(states.toSorted());
        const pinned = model.filter((kept) => kept.pinned).length;
        expect((await pageNumbers(journal(), { filter: 'is:pinned' })).total).toBe(pinned);
        await journal().append([removed(...numbers)]);
        expect((await journal().stats()).messages).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  describe('close', () => {
    test('refuses all later calls, and a second close does nothing', async () => {
      await fill(journal(), 1, 2);
      await journal().close();
      await journal().close();
      const closed = { name: 'JournalError', code: 'closed' };
      await expect(journal().append([accepted(3)])).rejects.toMatchObject(closed);
      await expect(journal().get('msg_1')).rejects.toMatchObject(closed);
      await expect(journal().page({ order: 'newest', limit: 1, nowMs: 0 })).rejects.toMatchObject(closed);
      await expect(journal().scan({ order: 'newest', limit: 1, nowMs: 0 })).rejects.toMatchObject(closed);
      await expect(journal().test([1], filterOf(''), 0)).rejects.toMatchObject(closed);
      await expect(journal().rows([1])).rejects.toMatchObject(closed);
      await expect(journal().kept('a')).rejects.toMatchObject(closed);
      await expect(journal().lastSequence()).rejects.toMatchObject(closed);
      await expect(journal().stats()).rejects.toMatchObject(closed);
      await expect(journal().totals()).rejects.toMatchObject(closed);
      await expect(journal().details([1])).rejects.toMatchObject(closed);
      await expect(journal().messageOfDelivery('dlv_1_1')).rejects.toMatchObject(closed);
      await expect(prune(journal(), {})).rejects.toMatchObject(closed);
      await expect(unfinishedNumbers(journal())).rejects.toMatchObject(closed);
    });
  });
}
