/** The journal in memory: what every journal does, and its own bounds and slices. */
import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { Batches } from '../../core/adapters/memory-journal/batches.ts';
import { newEntry } from '../../core/adapters/memory-journal/entry.ts';
import { History } from '../../core/adapters/memory-journal/history.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { PackedEntry, Packer } from '../../core/adapters/memory-journal/packed.ts';
import { Slab } from '../../core/adapters/memory-journal/slab.ts';
import type { Journal } from '../../core/ports/journal.ts';
import {
  accepted,
  changed,
  count,
  delivered,
  filterOf,
  finished,
  messageRow,
  NOW_MS,
  pageNumbers,
  published,
} from './journal-records.ts';
import { journalSuite } from './journal.suite.ts';
import { times } from '../support/extent.ts';

journalSuite('memory journal', async () => ({ journal: createMemoryJournal({ codec: bufferCodec }) }));

describe('capacity', () => {
  test('a message that does not fit is refused with its group, and records of stored messages are accepted', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec, capacityBytes: 30_000 });
    const big = { data: 'x'.repeat(10_000) };
    await journal.append([accepted(1, big), accepted(2, big)]);
    const group = [{ kind: 'kept' as const, key: 'a', value: 1 }, accepted(3, big)];
    await expect(journal.append(group)).rejects.toMatchObject({ name: 'JournalError', code: 'full' });
    expect(await journal.kept('a')).toBeUndefined();
    expect((await pageNumbers(journal)).numbers).toEqual([2, 1]);
    await journal.append([
      published(1),
      changed(1, { pinned: true }),
      delivered(1, 'queued', { attempt: { response: { status: 200, headers: {}, body: 'y'.repeat(9000) } } }),
    ]);
    expect((await journal.stats()).bytes).toBeGreaterThan(30_000);
  });

  test.each([
    ['a note', { note: 'n'.repeat(8000) }],
    ['tags', { tags: Array.from({ length: 80 }, () => 't'.repeat(100)) }],
  ])('%s that a person adds counts, and makes room as a new message does', async (_, patch) => {
    const journal = createMemoryJournal({ codec: bufferCodec, capacityBytes: 40_000 });
    for (const number of [1, 2, 3, 4]) await journal.append(finished(number));
    for (const number of [4, 3, 2]) await journal.append([changed(number, patch)]);
    expect((await journal.stats()).bytes).toBeGreaterThan(20_000);
    expect((await journal.stats()).bytes).toBeLessThan(40_000);
    expect((await pageNumbers(journal)).numbers).not.toContain(1);
  });

  test('a new message removes the oldest ended ones at once, and the next pruning reports them', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec, capacityBytes: 18_000 });
    await journal.append(finished(1, { data: 'x'.repeat(8000) }));
    await journal.append([accepted(2)]);
    await journal.append([accepted(3, { data: 'x'.repeat(8000) })]);
    expect((await pageNumbers(journal)).numbers).toEqual([3, 2]);
    const keep = { maxMessages: 10, maxBytes: Infinity, olderThanMs: 0 };
    expect(await journal.prune(keep, NOW_MS, 10)).toMatchObject({
      removed: 1,
      beforeNumber: 2,
      numbers: [1],
      gone: [{ topic: 'orders', messages: 1 }],
    });
    expect(await journal.prune(keep, NOW_MS, 10)).toEqual({
      removed: 0,
      beforeNumber: 0,
      numbers: [],
      gone: [],
    });
  });

  test('a journal full of unfinished messages refuses new ones until one is removed', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec, capacityBytes: 18_000 });
    await journal.append([accepted(1, { data: 'x'.repeat(8000) })]);
    const next = accepted(2, { data: 'x'.repeat(8000) });
    await expect(journal.append([next])).rejects.toMatchObject({ code: 'full' });
    expect(journal.trouble).toBe('the journal in memory is full');
    await journal.append([{ kind: 'message.removed', messageIds: ['msg_1'] }]);
    expect(journal.trouble).toBeUndefined();
    await journal.append([next]);
    expect((await pageNumbers(journal)).numbers).toEqual([2]);
  });

  test('a text with characters beyond ASCII counts two bytes for each', async () => {
    const bytes = async (wire: string): Promise<number> => {
      const journal = createMemoryJournal({ codec: bufferCodec });
      await journal.append([accepted(1, { wire })]);
      return (await journal.stats()).bytes;
    };
    const [narrow, wide] = [await bytes('a'.repeat(10_000)), await bytes(`${'a'.repeat(9999)}✓`)];
    expect(wide - narrow).toBe(10_000);
  });

  test('an emptied journal counts no bytes', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec });
    await journal.append([
      accepted(1, { metadata: { a: 'b' }, wire: new Uint8Array(50) }),
      delivered(1, 'queued', { delivery: { changedWire: 'abc' }, attempt: {}, transition: {} }),
      delivered(1, 'queued', { delivery: { changedWire: 'abcdef' }, attempt: {}, transition: {} }),
      delivered(1, 'processed', { nth: 2 }),
      changed(1, { note: 'x' }),
    ]);
    await journal.append([{ kind: 'message.removed', messageIds: ['msg_1'] }]);
    expect(await journal.stats()).toEqual({ messages: 0, bytes: 0, lastNumber: 1, oldestNumber: 0 });
  });

  test('a delivery without end keeps its newest attempts and transitions', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec });
    await journal.append([accepted(1)]);
    let bytes = 0;
    for (const number of count(1, 2500)) {
      await journal.append([
        delivered(1, 'retrying', {
          delivery: { attemptCount: number, changedWire: 'edited' },
          attempt: { number },
          transition: { sequence: number },
        }),
      ]);
      if (number === 1500) ({ bytes } = await journal.stats());
    }
    const [kept] = (await journal.get('msg_1'))?.deliveries ?? [];
    expect(kept?.attempts.map(({ number }) => number)).toEqual(count(2401, 2500));
    expect(kept?.transitions.map(({ sequence }) => sequence)).toEqual(count(1501, 2500));
    expect(kept?.delivery.attemptCount).toBe(2500);
    expect((await journal.stats()).bytes).toBe(bytes);
  });

  test('the history of many deliveries of an ended message is read once', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec });
    const reads = async (number: number, deliveries: number): Promise<number> => {
      const ended = count(1, deliveries).map((nth) =>
        delivered(number, 'processed', { nth, attempt: {}, transition: {} }),
      );
      await journal.append([accepted(number), published(number), ...ended]);
      const read = vi.spyOn(Slab.prototype, 'read');
      onTestFinished(() => read.mockRestore());
      read.mockClear();
      const kept = await journal.get(`msg_${number}`);
      expect(kept?.deliveries.map(({ attempts }) => attempts.length)).toEqual(
        count(1, deliveries).map(() => 1),
      );
      return read.mock.calls.length;
    };
    expect(await reads(1, 40)).toBe(await reads(2, 1));
  });

  test('an invalid message number is refused', async () => {
    const journal = createMemoryJournal({ codec: bufferCodec });
    for (const number of [0, -1, 1.5, Number.NaN]) {
      await expect(journal.append([accepted(1, { row: { number } })])).rejects.toMatchObject({
        code: 'broken',
      });
    }
  });
});

describe('slices', () => {
  const ROWS = 20_000;

  async function filled(): Promise<Journal> {
    const journal = createMemoryJournal({ codec: bufferCodec });
    await journal.append(count(1, ROWS).map((number) => accepted(number)));
    return journal;
  }

  test('other work runs while a filter goes over the history', async () => {
    const journal = await filled();
    let turns = 0;
    let isDone = false;
    const search = pageNumbers(journal, { filter: 'topic:orders' }).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await setImmediate();
      turns++;
    }
    expect((await search).total).toBe(ROWS);
    expect(turns).toBeGreaterThanOrEqual(ROWS / 4000 - 1);
  });

  test('a search is given up between two slices', async () => {
    const journal = await filled();
    const abort = new AbortController();
    const search = journal.page({
      filter: filterOf('topic:orders'),
      order: 'newest',
      limit: 1,
      nowMs: NOW_MS,
      signal: abort.signal,
    });
    abort.abort(new Error('enough'));
    await expect(search).rejects.toThrow('enough');
  });

  test('messages that come and go meanwhile do not disturb it', async () => {
    const journal = await filled();
    const search = pageNumbers(journal, { filter: 'topic:orders', order: 'oldest', limit: 10 });
    await journal.append([{ kind: 'message.removed', messageIds: ['msg_19999'] }]);
    await journal.append(count(ROWS + 1, ROWS + 5000).map((number) => accepted(number)));
    expect(await search).toEqual({ numbers: count(1, 10), nextCursor: '10', total: ROWS - 1 });
  });

  test('one slice of a scan and one test of many numbers come to an end', async () => {
    const journal = await filled();
    const slice = await journal.scan({
      filter: filterOf('topic:none'),
      order: 'newest',
      limit: 10,
      nowMs: NOW_MS,
    });
    expect(slice.numbers).toEqual([]);
    expect(slice.next).toBeGreaterThan(ROWS - 4001);
    expect((await journal.test(count(1, ROWS), filterOf('topic:orders'), NOW_MS)).size).toBe(ROWS);
  });
});

test('the history finds the next message of any number in both directions, and frees unused memory', () => {
  const entry = (number: number): ReturnType<typeof newEntry> =>
    newEntry({ row: messageRow(number), wire: '', metadata: {}, givenContentType: '' }, bufferCodec);
  const number = fc.integer({ min: 1, max: 20_000 });
  fc.assert(
    fc.property(
      fc.uniqueArray(number, { maxLength: 40 }),
      fc.array(number, { maxLength: 10 }),
      (numbers, probes) => {
        const history = new History(new Packer(new Batches(bufferCodec)));
        for (const each of numbers) history.add(entry(each));
        const gone = numbers.filter((_, index) => index % 3 !== 0);
        for (const each of gone) history.remove(each);
        const kept = numbers.filter((each) => !gone.includes(each)).toSorted((a, b) => a - b);
        expect(history.size).toBe(kept.length);
        for (const probe of [...probes, ...numbers]) {
          expect(history.after(probe, 'oldest')?.row.number).toBe(kept.find((each) => each > probe));
          expect(history.after(probe, 'newest')?.row.number).toBe(kept.findLast((each) => each < probe));
        }
        expect(history.after(undefined, 'oldest')?.row.number).toBe(kept[0]);
        expect(history.after(undefined, 'newest')?.row.number).toBe(kept.at(-1));
        expect(history.chunks).toBeLessThanOrEqual(kept.length);
        for (const each of kept) history.remove(each);
        expect(history.chunks).toBe(0);
      },
    ),
    { numRuns: times(50, 300) },
  );
});

test('a message that a broker hands over after its publish is packed once, and one without a delivery when 1,000 others came', async () => {
  const pack = vi.spyOn(Packer.prototype, 'pack');
  onTestFinished(() => pack.mockRestore());
  const journal = createMemoryJournal({ codec: bufferCodec });
  for (const record of [accepted(1), published(1), changed(1, { broker: { id: '1-0' } })])
    await journal.append([record]);
  expect(pack).not.toHaveBeenCalled();
  await journal.append([delivered(1, 'queued')]);
  await journal.append([delivered(1, 'processed')]);
  expect(pack).toHaveBeenCalledTimes(1);
  for (let number = 2; number <= 1_002; number += 1)
    await journal.append([accepted(number), published(number)]);
  expect(pack).toHaveBeenCalledTimes(2);
});

describe('slabs', () => {
  const history = (): History => new History(new Packer(new Batches(bufferCodec)));

  /** Messages that have ended. */
  const add = (to: History, numbers: readonly number[]): void => {
    for (const number of numbers) {
      const wire = `${number} `.padEnd(1000, 'x');
      const entry = newEntry(
        { row: messageRow(number), wire, metadata: {}, givenContentType: '' },
        bufferCodec,
      );
      to.add(entry);
      to.pack(entry);
    }
  };

  const shelfOf = (of: History, number: number): PackedEntry['shelf'] => {
    const entry = of.get(number);
    if (entry instanceof PackedEntry) return entry.shelf;
    throw new Error(`message ${number} is not packed`);
  };

  test('are given back when little of them is kept: one message in each takes no more than its room', () => {
    const own = history();
    const kept: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const numbers = count(round * 2000 + 1, round * 2000 + 2000);
      add(own, numbers);
      for (const number of numbers) {
        if (number % 250 === 0) kept.push(number);
        else own.remove(number);
      }
    }
    const shelves = new Set(kept.map((number) => shelfOf(own, number)));
    const bytes = [...shelves].reduce((sum, { slab }) => sum + slab.length, 0);
    expect(bytes).toBeLessThan(2 * 1024 * 1024);
    for (const number of kept) expect(own.get(number)?.wire).toBe(`${number} `.padEnd(1000, 'x'));
  });

  test('are left alone while the oldest messages go first', () => {
    const own = history();
    add(own, count(1, 6000));
    const before = count(5001, 6000).map((number) => shelfOf(own, number));
    for (const number of count(1, 5000)) own.remove(number);
    const isSame = count(5001, 6000).map((number, at) => shelfOf(own, number) === before[at]);
    expect(isSame).not.toContain(false);
  });
});

test('an observed publish is stored as reported, even if its delivery follows many others', async () => {
  const journal = createMemoryJournal({ codec: bufferCodec });
  const numbers = Array.from({ length: 2_500 }, (_, at) => at + 1);
  for (const number of numbers)
    await journal.append([accepted(number, { row: { tap: 'shop' } }), published(number)]);
  // The first is long written as bytes, the last one is not.
  for (const number of [1, 2_500]) {
    await journal.append([changed(number, { eventId: `e${number}` }), delivered(number, 'processed')]);
    expect(await journal.get(`msg_${number}`)).toMatchObject({
      row: { tap: 'shop', eventId: `e${number}` },
      deliveries: [{ delivery: { state: 'processed' } }],
    });
  }
  expect((await journal.stats()).messages).toBe(2_500);
  expect((await journal.totals())[0]).toMatchObject({ messages: 2_500, none: 0 });
});
