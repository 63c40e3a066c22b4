/** The journal without the messages that are about to be removed, and with the deliveries that it does not have yet. */
import type { MessageRow } from '../../contract/message.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import type {
  Journal,
  JournalRecord,
  JournalStats,
  MessageDetailSource,
  MessageQuery,
  Retention,
  ScanSlice,
  TopicName,
  TopicTotals,
  Unfinished,
} from '../../ports/journal.ts';
import { LateDeliveries } from './late-deliveries.ts';
import type { LateDeliveryDependencies } from './late-deliveries.ts';

export class HidingJournal implements Journal {
  /** The journal with hidden messages. */
  readonly whole: Journal;
  readonly late: LateDeliveries;
  readonly #hidden = new Set<number>();
  /** What hidden messages counted as that do not count any more. */
  readonly #uncounted = new Map<number, readonly TopicTotals[]>();

  constructor(whole: Journal, { codec, clock }: Omit<LateDeliveryDependencies, 'journal'>) {
    this.whole = whole;
    this.late = new LateDeliveries({ journal: whole, codec, clock });
  }

  get durable(): boolean {
    return this.whole.durable;
  }

  get lingerMs(): number | undefined {
    return this.whole.lingerMs;
  }

  get openBytes(): number | undefined {
    return this.whole.openBytes;
  }

  get damaged(): number {
    return this.whole.damaged ?? 0;
  }

  /** @returns numbers that were not hidden before */
  hide(numbers: readonly number[]): readonly number[] {
    const fresh = numbers.filter((number) => !this.#hidden.has(number));
    for (const number of fresh) this.#hidden.add(number);
    return fresh;
  }

  /**
   * Hides a message that does not count any more, although the journal still has it.
   * @param counted what it counted as
   */
  hideCounted(number: number, counted: readonly TopicTotals[]): void {
    this.#hidden.add(number);
    this.#uncounted.set(number, counted);
  }

  show(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#hidden.delete(number);
      this.#uncounted.delete(number);
    }
  }

  isHidden(number: number): boolean {
    return this.#hidden.has(number);
  }

  /** Whether a message with a number from `first` to `last` is hidden. */
  hidesAny(first: number, last: number): boolean {
    for (const number of this.#hidden) if (number >= first && number <= last) return true;
    return false;
  }

  /** Rows of messages, hidden ones included. */
  hiddenRows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    return this.whole.rows(numbers);
  }

  append(records: readonly JournalRecord[], onWritten?: () => void): Promise<void> {
    return this.whole.append(records, onWritten);
  }

  get appendNow(): Journal['appendNow'] {
    return this.whole.appendNow;
  }

  get gather(): Journal['gather'] {
    return this.whole.gather;
  }

  unfinished(): AsyncIterable<Unfinished> {
    return this.whole.unfinished();
  }

  async page(query: MessageQuery): ReturnType<Journal['page']> {
    const page = await this.#pageWithLate(query);
    if (this.#hidden.size === 0) return page;
    const items = page.items.filter(({ number }) => !this.#hidden.has(number));
    const { filter, nowMs } = query;
    const hiddenMatches =
      filter === undefined || filter.isEmpty
        ? this.#hidden.size
        : (await this.whole.test([...this.#hidden], filter, nowMs)).size;
    return { ...page, items, total: Math.max(items.length, page.total - hiddenMatches) };
  }

  async #pageWithLate(query: MessageQuery): ReturnType<Journal['page']> {
    const page = await this.whole.page(query);
    if (this.late.isEmpty) return page;
    const { filter } = query;
    const wrong =
      filter === undefined || filter.isEmpty
        ? new Set<number>()
        : await this.#wrongMatches(
            page.items.map(({ number }) => number),
            filter,
            query,
          );
    const items = page.items.filter(({ number }) => !wrong.has(number)).map((row) => this.late.row(row));
    return { ...page, items, total: Math.max(items.length, page.total - wrong.size) };
  }

  /** Found messages that no longer match, with the deliveries that they have now. */
  async #wrongMatches(
    found: readonly number[],
    filter: Filter,
    how: Pick<MessageQuery, 'nowMs' | 'signal'>,
  ): Promise<ReadonlySet<number>> {
    const late = found.filter((number) => this.late.has(number));
    const right = await this.late.matching(late, filter, how);
    return new Set(late.filter((number) => !right.has(number)));
  }

  async get(messageId: string): Promise<MessageDetailSource | undefined> {
    const found = await this.whole.get(messageId);
    return found === undefined || this.#hidden.has(found.row.number) ? undefined : found;
  }

  async details(numbers: readonly number[]): Promise<readonly (MessageDetailSource | undefined)[]> {
    const found = await this.whole.details(numbers);
    if (this.#hidden.size === 0) return found;
    return found.map((one) => (one === undefined || this.#hidden.has(one.row.number) ? undefined : one));
  }

  async messageOfDelivery(deliveryId: string): Promise<string | undefined> {
    const messageId = await this.whole.messageOfDelivery(deliveryId);
    if (messageId === undefined || this.#hidden.size === 0) return messageId;
    return (await this.get(messageId)) === undefined ? undefined : messageId;
  }

  async scan(query: Parameters<Journal['scan']>[0]): Promise<ScanSlice> {
    const slice = await this.#scanWithLate(query);
    if (this.#hidden.size === 0) return slice;
    return { ...slice, numbers: slice.numbers.filter((number) => !this.#hidden.has(number)) };
  }

  async #scanWithLate(query: Parameters<Journal['scan']>[0]): Promise<ScanSlice> {
    const slice = await this.whole.scan(query);
    const { filter, order, after } = query;
    if (this.late.isEmpty || filter === undefined || filter.isEmpty) return slice;
    const [first, last] =
      order === 'newest'
        ? [slice.next ?? 0, (after ?? Number.POSITIVE_INFINITY) - 1]
        : [(after ?? 0) + 1, slice.next ?? Number.POSITIVE_INFINITY];
    const late = new Set(this.late.between(first, last));
    if (late.size === 0) return slice;
    const right = await this.late.matching([...late], filter, query);
    const sure = slice.numbers.filter((number) => !late.has(number));
    const numbers = [...sure, ...right].toSorted((a, b) => (order === 'newest' ? b - a : a - b));
    return { ...slice, numbers };
  }

  async rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    const found = await this.whole.rows(numbers);
    const rows = this.late.isEmpty ? found : found.map((row) => row && this.late.row(row));
    if (this.#hidden.size === 0) return rows;
    return rows.map((row) => (row === undefined || this.#hidden.has(row.number) ? undefined : row));
  }

  async summaries(...asked: Parameters<Journal['summaries']>): ReturnType<Journal['summaries']> {
    const found = await this.whole.summaries(...asked);
    if (this.#hidden.size === 0) return found;
    return found.map((one) => (one === undefined || this.#hidden.has(one.number) ? undefined : one));
  }

  columnValues(
    ...[numbers, column]: Parameters<Journal['columnValues']>
  ): ReturnType<Journal['columnValues']> {
    return this.whole.columnValues(this.#shown(numbers), column);
  }

  async test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>> {
    const shown = this.#shown(numbers);
    const late = this.late.isEmpty ? [] : shown.filter((number) => this.late.has(number));
    if (late.length === 0) return this.whole.test(shown, filter, nowMs);
    const others = shown.filter((number) => !this.late.has(number));
    const [found, right] = await Promise.all([
      this.whole.test(others, filter, nowMs),
      this.late.matching(late, filter, { nowMs }),
    ]);
    return new Set([...found, ...right]);
  }

  lastSequence(): Promise<number> {
    return this.whole.lastSequence();
  }

  kept(key: string): Promise<unknown> {
    return this.whole.kept(key);
  }

  async stats(): Promise<JournalStats> {
    const stats = await this.whole.stats();
    return { ...stats, messages: Math.max(0, stats.messages - this.#hidden.size) };
  }

  get size(): Journal['size'] {
    const { whole } = this;
    if (whole.size === undefined) return undefined;
    return async () => {
      const { messages, bytes } = await (whole.size?.() ?? whole.stats());
      return { messages: Math.max(0, messages - this.#hidden.size), bytes };
    };
  }

  /** Counts by topic. Hidden messages count until they are removed. */
  totals(maybeElsewhere?: readonly TopicName[]): Promise<readonly TopicTotals[]> {
    return this.whole.totals(maybeElsewhere);
  }

  get guardBy(): Journal['guardBy'] {
    return this.whole.guardBy;
  }

  /** Hidden messages that are removed here are hidden no longer, and `gone` has only what still counted. */
  async prune(keep: Retention, nowMs: number, slice: number): ReturnType<Journal['prune']> {
    const pruned = await this.whole.prune(keep, nowMs, slice);
    if (this.#hidden.size === 0) return pruned;
    const uncounted = pruned.numbers.flatMap((number) => this.#uncounted.get(number) ?? []);
    this.show(pruned.numbers);
    // First, because no count falls below zero.
    return { ...pruned, gone: [...uncounted.map(negative), ...pruned.gone] };
  }

  close(): Promise<void> {
    return this.whole.close();
  }

  #shown(numbers: readonly number[]): readonly number[] {
    return this.#hidden.size === 0 ? numbers : numbers.filter((number) => !this.#hidden.has(number));
  }
}

/** Counts that take back the given ones. Each is named, so that the type tells of one that is missing. */
function negative({ pubsubname, topic, deliveries, ...totals }: TopicTotals): TopicTotals {
  return {
    pubsubname,
    topic,
    messages: -totals.messages,
    none: -totals.none,
    replayed: -totals.replayed,
    unpublished: -totals.unpublished,
    droppedEarly: -totals.droppedEarly,
    deliveries: deliveries.map((each) => ({ ...each, count: -each.count })),
  };
}
