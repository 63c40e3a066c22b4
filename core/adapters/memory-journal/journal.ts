/** The journal in memory: for `--ephemeral` and for tests. Nothing of it survives the process. */
import type { MessageRow } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { JournalError } from '../../ports/journal.ts';
import type {
  Journal,
  JournalRecord,
  JournalStats,
  MessageDetailSource,
  MessageQuery,
  Retention,
  ScanSlice,
  TopicTotals,
  Unfinished,
} from '../../ports/journal.ts';
import { Batches } from './batches.ts';
import { detailOf, isOpen, newEntry, patchEntry, recordDelivery, shownRow, sizeOf } from './entry.ts';
import type { DeliveryEntry, Entry } from './entry.ts';
import { History } from './history.ts';
import { Pruning } from './pruning.ts';
import { Search } from './search.ts';
import { totalsOf } from './totals.ts';

export interface MemoryJournalOptions {
  readonly codec: Codec;
  /** New messages that would need more than this are refused as `full`; what becomes of kept ones is always taken. */
  readonly capacityBytes?: number;
}

/** Above the default retention of 1 GiB, so that only what may not be pruned can fill it. */
const CAPACITY_BYTES = 1.5 * 1024 ** 3;

/** An empty journal. Sizes are estimates of the memory taken. */
export function createMemoryJournal(options: MemoryJournalOptions): Journal {
  return new MemoryJournal(options);
}

class MemoryJournal implements Journal {
  readonly durable = false;
  readonly #capacityBytes: number;
  readonly #history = new History();
  readonly #pruning = new Pruning(this.#history);
  readonly #search: Search;
  readonly #byId = new Map<string, Entry>();
  readonly #deliveries = new Map<string, DeliveryEntry>();
  readonly #kept = new Map<string, unknown>();
  readonly #batches = new Batches();
  /** Of the messages; what batches have in common comes on top. */
  #ownBytes = 0;
  #lastNumber = 0;
  #lastSequence = 0;
  #trouble: { readonly text: string; readonly bytes: number } | undefined;
  #isClosed = false;

  constructor({ codec, capacityBytes = CAPACITY_BYTES }: MemoryJournalOptions) {
    this.#search = new Search(this.#history, codec);
    this.#capacityBytes = capacityBytes;
  }

  /** Until a message is taken, or something was removed since one was refused. */
  get trouble(): string | undefined {
    if (this.#trouble === undefined || this.#bytes < this.#trouble.bytes) return undefined;
    return this.#trouble.text;
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    this.#mustBeOpen();
    this.#check(records);
    for (const record of records) this.#apply(record);
  }

  async *unfinished(): AsyncGenerator<Unfinished> {
    this.#mustBeOpen();
    const open: number[] = [];
    await this.#search.visit({ order: 'oldest' }, (entry) => {
      if (isOpen(entry)) open.push(entry.row.number);
    });
    for (const number of open) {
      this.#mustBeOpen();
      const entry = this.#history.get(number);
      if (entry !== undefined && isOpen(entry)) yield { ...detailOf(entry), published: entry.published };
    }
  }

  async page(query: MessageQuery): ReturnType<Journal['page']> {
    this.#mustBeOpen();
    return this.#search.page(query);
  }

  async scan(query: Parameters<Journal['scan']>[0]): Promise<ScanSlice> {
    this.#mustBeOpen();
    return this.#search.scan(query);
  }

  async test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>> {
    this.#mustBeOpen();
    return this.#search.test(numbers, filter, nowMs);
  }

  async get(messageId: string): Promise<MessageDetailSource | undefined> {
    this.#mustBeOpen();
    const entry = this.#byId.get(messageId);
    return entry === undefined ? undefined : detailOf(entry);
  }

  async details(numbers: readonly number[]): Promise<readonly (MessageDetailSource | undefined)[]> {
    this.#mustBeOpen();
    return numbers.map((number) => {
      const entry = this.#history.get(number);
      return entry === undefined ? undefined : detailOf(entry);
    });
  }

  async messageOfDelivery(deliveryId: string): Promise<string | undefined> {
    this.#mustBeOpen();
    return this.#deliveries.get(deliveryId)?.of.row.messageId;
  }

  async rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    this.#mustBeOpen();
    return numbers.map((number) => {
      const entry = this.#history.get(number);
      return entry === undefined ? undefined : shownRow(entry);
    });
  }

  async glimpses(...[numbers, facets]: Parameters<Journal['glimpses']>): ReturnType<Journal['glimpses']> {
    this.#mustBeOpen();
    return this.#search.glimpses(numbers, facets, (messageId) => this.#byId.get(messageId));
  }

  async lastSequence(): Promise<number> {
    this.#mustBeOpen();
    return this.#lastSequence;
  }

  async kept(key: string): Promise<unknown> {
    this.#mustBeOpen();
    return this.#kept.get(key);
  }

  async stats(): Promise<JournalStats> {
    this.#mustBeOpen();
    return {
      messages: this.#history.size,
      bytes: this.#bytes,
      lastNumber: this.#lastNumber,
      oldestNumber: this.#history.after(undefined, 'oldest')?.row.number ?? 0,
    };
  }

  async totals(): Promise<readonly TopicTotals[]> {
    this.#mustBeOpen();
    const all: Entry[] = [];
    await this.#search.visit({ order: 'oldest' }, (entry) => void all.push(entry));
    return totalsOf(all);
  }

  async prune(keep: Retention, _nowMs: number, slice: number): ReturnType<Journal['prune']> {
    this.#mustBeOpen();
    let removed = 0;
    let beforeNumber = 0;
    const gone: Entry[] = [];
    while (removed < slice) {
      const entry = this.#pruning.oldest();
      if (entry === undefined || !this.#isBeyond(keep, entry)) break;
      beforeNumber = Math.max(beforeNumber, entry.row.number + 1);
      this.#remove(entry);
      gone.push(entry);
      removed++;
    }
    return { removed, beforeNumber, gone: totalsOf(gone) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#history.clear();
    this.#pruning.clear();
    this.#byId.clear();
    this.#deliveries.clear();
    this.#kept.clear();
    this.#batches.clear();
  }

  get #bytes(): number {
    return this.#ownBytes + this.#batches.bytes;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new JournalError('closed', 'the journal is closed');
  }

  /** Before anything is applied: a group counts as a whole or not at all. */
  #check(records: readonly JournalRecord[]): void {
    const ids = new Set<string>();
    const numbers = new Set<number>();
    let bytes = 0;
    for (const record of records) {
      if (record.kind !== 'message.accepted') continue;
      const { messageId, number } = record.message.row;
      const isTaken = this.#byId.has(messageId) || this.#history.get(number) !== undefined;
      if (isTaken || ids.has(messageId) || numbers.has(number)) {
        throw new JournalError('broken', `the journal has message ${messageId} or number ${number} already`);
      }
      if (!Number.isSafeInteger(number) || number < 1) {
        throw new JournalError('broken', `a message's number must be an integer from 1, got ${number}`);
      }
      ids.add(messageId);
      numbers.add(number);
      bytes += sizeOf(record.message);
    }
    if (bytes > 0 && this.#bytes + bytes > this.#capacityBytes) {
      const text = 'the journal in memory is full';
      this.#trouble = { text, bytes: this.#bytes };
      throw new JournalError('full', `${text}: it keeps ${this.#bytes} bytes`);
    }
    if (bytes > 0) this.#trouble = undefined;
  }

  #apply(record: JournalRecord): void {
    switch (record.kind) {
      case 'message.accepted':
        return this.#add(newEntry(record.message));
      case 'message.changed':
        return this.#change(record.messageId, (entry) => patchEntry(entry, record.patch, record.content));
      case 'message.published':
        return this.#change(record.messageId, (entry) => {
          entry.published = true;
        });
      case 'delivery': {
        const { deliveryId, messageId } = record.delivery;
        return this.#change(messageId, (entry) => {
          const known = this.#deliveries.get(deliveryId);
          this.#deliveries.set(deliveryId, recordDelivery(entry, known, record, this.#batches));
        });
      }
      case 'message.removed':
        for (const messageId of record.messageIds) {
          const entry = this.#byId.get(messageId);
          if (entry !== undefined) this.#remove(entry);
        }
        return;
      case 'sequence':
        this.#lastSequence = Math.max(this.#lastSequence, record.sequence);
        return;
      case 'kept':
        this.#kept.set(record.key, record.value);
        return;
    }
  }

  #add(entry: Entry): void {
    this.#byId.set(entry.row.messageId, entry);
    this.#history.add(entry);
    this.#ownBytes += entry.bytes;
    this.#lastNumber = Math.max(this.#lastNumber, entry.row.number);
  }

  /** A message that was removed meanwhile has nothing left to change. */
  #change(messageId: string, change: (entry: Entry) => void): void {
    const entry = this.#byId.get(messageId);
    if (entry === undefined) return;
    const before = entry.bytes;
    change(entry);
    this.#ownBytes += entry.bytes - before;
    this.#pruning.changed(entry);
  }

  #remove(entry: Entry): void {
    this.#history.remove(entry.row.number);
    this.#byId.delete(entry.row.messageId);
    for (const { delivery, attempts } of entry.deliveries) {
      this.#deliveries.delete(delivery.deliveryId);
      for (const attempt of attempts) this.#batches.leave(attempt);
    }
    this.#ownBytes -= entry.bytes;
  }

  #isBeyond({ maxMessages, maxBytes, olderThanMs }: Retention, { row }: Entry): boolean {
    if (this.#history.size > maxMessages || this.#bytes > maxBytes) return true;
    return olderThanMs > 0 && Date.parse(row.at) < olderThanMs;
  }
}
