/** Pages, scans and tests over the kept messages; the filter is evaluated in slices and can be given up. */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import { numberOfCursor } from '../../domain/cursor.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { compileFilter } from '../../domain/filter/evaluate.ts';
import { compileInSteps } from '../../domain/filter/in-steps.ts';
import { buildSubject } from '../../domain/filter/subject.ts';
import type { StoredFacts } from '../../domain/filter/subject.ts';
import type { Facet } from '../../domain/facet.ts';
import { sortValueOf } from '../../domain/row-order.ts';
import type { Sortable, SortValue } from '../../domain/row-order.ts';
import type { ColumnValues, MessageSummary, Journal, MessageQuery, ScanSlice } from '../../ports/journal.ts';
import { pageOf, PageRows } from '../stored/paging.ts';
import type { Order, Page } from '../stored/paging.ts';
import { editedIn, shownRow } from './entry.ts';
import { summaryOf } from './summary.ts';
import type { Entry } from './entry.ts';
import type { History } from './history.ts';
import { SliceTurns, yieldToOthers } from './slices.ts';
import type { Slice } from './slices.ts';

type ScanQuery = Parameters<Journal['scan']>[0];
/** Steps of the test of a long message, between which its slice may end. */
type LongTest = Generator<undefined, boolean>;
type Matches = (entry: Entry) => boolean | LongTest;

/** Bytes from which a message is tested in steps: fifty searches through one of 3.8 MB take a second. */
const LONG_BYTES = 256 * 1024;

/** How often a message is tested again because it changed meanwhile: one that changes without a pause must not be tested for ever. */
const MAX_REPEATS = 5;

/** A long test with the slice in which it goes on. */
interface Running {
  readonly test: LongTest;
  readonly slice: Slice;
  readonly signal?: AbortSignal | undefined;
}

interface VisitQuery {
  readonly order: Order;
  readonly signal?: AbortSignal | undefined;
  readonly matches?: Matches;
}

/** All journals share them: a recording that is open has one of its own. */
const turns = new SliceTurns();

export class Search {
  readonly #history: History;
  readonly #codec: Codec;
  /** Messages whose long tests are under way. */
  readonly #underTest = new Set<{ readonly number: number; hasChanged: boolean }>();

  constructor(history: History, codec: Codec) {
    this.#history = history;
    this.#codec = codec;
  }

  /** Throws Refusal INVALID_PARAMS for a cursor that no page gave, and the signal's reason. */
  async page(query: MessageQuery): Promise<Page> {
    const { filter, order, limit, nowMs, signal } = query;
    signal?.throwIfAborted();
    const cursor = query.cursor === undefined ? undefined : numberOfCursor(query.cursor);
    const rows = new PageRows(limit);
    const { items } = rows;
    if (filter === undefined || filter.isEmpty) {
      let entry = this.#history.after(cursor, order);
      for (; entry !== undefined && !rows.isFull; entry = this.#next(entry, order)) rows.add(shownRow(entry));
      return pageOf(items, entry !== undefined, this.#history.size);
    }
    const matches = this.#matching(filter, nowMs);
    let total = 0;
    let hasMore = false;
    await this.visit({ order, signal, matches }, (entry) => {
      total++;
      if (cursor !== undefined && !follows(entry.row.number, cursor, order)) return;
      if (rows.isFull) hasMore = true;
      else rows.add(shownRow(entry));
    });
    return pageOf(items, hasMore, total);
  }

  async scan({ filter, order, after, limit, nowMs, signal }: ScanQuery): Promise<ScanSlice> {
    await yieldToOthers(signal);
    const matches = this.#matching(filter, nowMs);
    let slice = await turns.begin(signal);
    const numbers: number[] = [];
    let entry = this.#history.after(after, order);
    while (entry !== undefined) {
      const { number } = entry.row;
      let found = matched(entry, matches);
      if (isLong(found))
        ({ found, slice } = await this.#inSlices(number, matches, { test: found, slice, signal }));
      if (found !== undefined) numbers.push(number);
      entry = this.#next(entry, order);
      if (entry !== undefined && (slice.isOver() || numbers.length >= limit)) {
        await slice.end(signal);
        return { numbers, next: number };
      }
    }
    return { numbers };
  }

  async test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>> {
    const matches = this.#matching(filter, nowMs);
    const passed = new Set<number>();
    let slice = await turns.begin();
    for (const number of numbers) {
      const entry = this.#history.get(number);
      let found = entry && matched(entry, matches);
      if (isLong(found)) ({ found, slice } = await this.#inSlices(number, matches, { test: found, slice }));
      if (found !== undefined) passed.add(number);
      if (!slice.isOver()) continue;
      await slice.end();
      slice = await turns.begin();
    }
    return passed;
  }

  async summaries(
    numbers: readonly number[],
    facets: readonly Facet[],
    byId: (messageId: string) => Entry | undefined,
  ): Promise<readonly (MessageSummary | undefined)[]> {
    const found: (MessageSummary | undefined)[] = [];
    let slice = await turns.begin();
    for (const number of numbers) {
      const entry = this.#history.get(number);
      found.push(entry && summaryOf(entry, facets, this.#codec, byId));
      if (!slice.isOver()) continue;
      await slice.end();
      slice = await turns.begin();
    }
    return found;
  }

  async columnValues(numbers: readonly number[], column: Sortable): Promise<ColumnValues> {
    const found: number[] = [];
    const values: SortValue[] = [];
    let slice = await turns.begin();
    for (const number of numbers) {
      const entry = this.#history.get(number);
      if (entry !== undefined) {
        found.push(number);
        values.push(sortValueOf(column, shownRow(entry)));
      }
      if (!slice.isOver()) continue;
      await slice.end();
      slice = await turns.begin();
    }
    return { numbers: found, values };
  }

  /** Every message there is at the start and still is when its turn comes, or those of them that match. */
  async visit(
    { order, signal, matches = () => true }: VisitQuery,
    look: (entry: Entry) => void,
  ): Promise<void> {
    const newest = this.#history.after(undefined, 'newest')?.row.number ?? 0;
    let slice = await turns.begin(signal);
    let entry = this.#history.after(undefined, order);
    while (entry !== undefined && entry.row.number <= newest) {
      const { number } = entry.row;
      let found = matched(entry, matches);
      if (isLong(found))
        ({ found, slice } = await this.#inSlices(number, matches, { test: found, slice, signal }));
      if (found !== undefined) look(found);
      if (slice.isOver()) {
        await slice.end(signal);
        slice = await turns.begin(signal);
      }
      entry = this.#next(entry, order);
    }
  }

  /** To be called after each change of a message: one that is being tested is tested again. */
  changed(number: number): void {
    for (const one of this.#underTest) if (one.number === number) one.hasChanged = true;
  }

  /**
   * Ends the test of a long message in as many slices as it takes; gives the message if it matches and is still there, and the slice that runs
   * then. One that changed between two of them is tested again.
   */
  async #inSlices(
    number: number,
    matches: Matches,
    { test, slice, signal }: Running,
  ): Promise<{ readonly found: Entry | undefined; readonly slice: Slice }> {
    const running = { test, slice };
    for (let left = MAX_REPEATS; ; left -= 1) {
      const tested = { number, hasChanged: false };
      this.#underTest.add(tested);
      try {
        const ended = await inSlices({ ...running, signal });
        running.slice = ended.slice;
        const entry = this.#history.get(number);
        const isLast = !tested.hasChanged || left === 0;
        const found = isLast ? (ended.isMatch ? entry : undefined) : entry && matched(entry, matches);
        if (!isLong(found)) return { found, slice: ended.slice };
        running.test = found;
      } finally {
        this.#underTest.delete(tested);
      }
    }
  }

  #next({ row }: Entry, order: Order): Entry | undefined {
    return this.#history.after(row.number, order);
  }

  #matching(filter: Filter | undefined, nowMs: number): Matches {
    if (filter === undefined || filter.isEmpty) return () => true;
    const passes = compileFilter(filter);
    const stepped = compileInSteps(filter);
    return (entry) => {
      const subject = buildSubject(new EntryFacts(entry), () => entry.deliveries, this.#codec);
      return entry.bytes < LONG_BYTES ? passes(subject, nowMs) : stepped(subject, nowMs);
    };
  }
}

/** The message, if it matches, or the test of a long one. */
function matched(entry: Entry, matches: Matches): Entry | LongTest | undefined {
  const isMatch = matches(entry);
  if (typeof isMatch !== 'boolean') return isMatch;
  return isMatch ? entry : undefined;
}

function isLong(found: Entry | LongTest | undefined): found is LongTest {
  return found !== undefined && 'next' in found;
}

/** Ends a test in as many slices as it takes; gives its result, and the slice that runs then. */
async function inSlices({
  test,
  slice: first,
  signal,
}: Running): Promise<{ readonly isMatch: boolean; readonly slice: Slice }> {
  let slice = first;
  for (;;) {
    const { done, value } = test.next();
    if (done === true) return { isMatch: value, slice };
    if (!slice.isOver()) continue;
    await slice.end(signal);
    slice = await turns.begin(signal);
  }
}

/** Facts for a filter. Most filters need only the row, so the packed part of a message is decoded on demand. */
class EntryFacts implements StoredFacts {
  readonly row: MessageRow;
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.row = entry.row;
    this.#entry = entry;
  }

  get deliveries(): MessageRow['deliveries'] {
    return shownRow(this.#entry).deliveries;
  }

  get metadata(): StoredFacts['metadata'] {
    return this.#entry.metadata;
  }

  get wire(): Wire {
    return this.#entry.wire;
  }

  get edited(): Wire | undefined {
    return editedIn(this.#entry);
  }
}

function follows(number: number, cursor: number, order: Order): boolean {
  return order === 'newest' ? number < cursor : number > cursor;
}
