/** The journal in memory: for `--ephemeral` and for tests. Nothing of it survives the process. */
import type { MessageRow } from '../../contract/message.ts';
import { sizeLimit } from '../../contract/size-text.ts';
import type { Codec } from '../../domain/codec.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { JournalError } from '../../ports/journal.ts';
import type {
  Journal,
  JournalRecord,
  JournalStats,
  MessageDetailSource,
  MessageQuery,
  RemovalGuard,
  Retention,
  ScanSlice,
  TopicTotals,
  Unfinished,
} from '../../ports/journal.ts';
import { Awaited } from './awaited.ts';
import { Batches } from './batches.ts';
import {
  countedIn,
  detailOf,
  isOpen,
  newEntry,
  patchEntry,
  recordDelivery,
  shownRow,
  sizeOf,
} from './entry.ts';
import type { Entry, LooseEntry, RecordTools } from './entry.ts';
import { History } from './history.ts';
import { Packer } from './packed.ts';
import { isBeyond, Pruning } from './pruning.ts';
import { Search } from './search.ts';
import { Totals } from './totals.ts';

export interface MemoryJournalOptions {
  readonly codec: Codec;
  /**
   * Bytes of memory. For a new message that would need more the oldest ended ones go at once; where that is not enough it is refused
   * as `full`. What happens to kept ones is always taken. Default 1.5 GiB.
   */
  readonly capacityBytes?: number;
}

/** A record about a message that the journal has already. */
type Change = Extract<JournalRecord, { kind: 'message.changed' | 'message.published' | 'delivery' }>;

const FULL = 'the journal in memory is full';
const CAPACITY_BYTES = 1.5 * 1024 ** 3;
/** Share of the capacity for unfinished messages: the rest is for their growth, and for ended ones. */
const OPEN_SHARE = 0.75;

/** Empty; sizes are estimates. */
export function createMemoryJournal(options: MemoryJournalOptions): Journal {
  return new MemoryJournal(options);
}

class MemoryJournal implements Journal {
  readonly durable = false;
  readonly openBytes: number;
  readonly #codec: Codec;
  readonly #capacityBytes: number;
  readonly #history: History;
  readonly #awaited = new Awaited();
  readonly #pruning: Pruning;
  readonly #search: Search;
  /** Numbers of messages by their ids, and by those of their deliveries. */
  readonly #byId = new Map<string, number>();
  readonly #deliveries = new Map<string, number>();
  readonly #kept = new Map<string, unknown>();
  readonly #batches: Batches;
  readonly #tools: RecordTools;
  /** The message that something happened to last, as objects: most records in a row are about one message. */
  #last: LooseEntry | undefined;
  /** Bytes of the messages; what batches have in common comes on top. */
  #ownBytes = 0;
  /** Totals of the messages that went since the last call of `prune`. */
  #unreported = new Totals();
  /** Their numbers. */
  #unreportedNumbers: number[] = [];
  #lastNumber = 0;
  #lastSequence = 0;
  #guard: RemovalGuard | undefined;
  #trouble: { readonly text: string; readonly bytes: number } | undefined;
  #isClosed = false;

  constructor({ codec, capacityBytes = CAPACITY_BYTES }: MemoryJournalOptions) {
    this.#codec = codec;
    this.#batches = new Batches(codec);
    this.#tools = { batches: this.#batches, codec };
    this.#history = new History(new Packer(this.#batches));
    this.#pruning = new Pruning(this.#history);
    this.#search = new Search(this.#history, codec);
    this.#capacityBytes = capacityBytes;
    this.openBytes = Math.floor(capacityBytes * OPEN_SHARE);
  }

  /** Why new messages are refused; undefined again once one is taken, or something was removed. */
  get trouble(): string | undefined {
    if (this.#trouble === undefined || this.#bytes < this.#trouble.bytes) return undefined;
    return this.#trouble.text;
  }

  async append(records: readonly JournalRecord[]): Promise<void> {
    this.appendNow(records);
  }

  readonly appendNow = (records: readonly JournalRecord[]): true => {
    this.#mustBeOpen();
    this.#check(records);
    for (const record of records) this.#apply(record);
    return true;
  };

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
    const entry = this.#entryOf(messageId);
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
    const number = this.#deliveries.get(deliveryId);
    return number === undefined ? undefined : this.#history.get(number)?.row.messageId;
  }

  async rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    this.#mustBeOpen();
    return numbers.map((number) => {
      const entry = this.#history.get(number);
      return entry === undefined ? undefined : shownRow(entry);
    });
  }

  async summaries(...[numbers, facets]: Parameters<Journal['summaries']>): ReturnType<Journal['summaries']> {
    this.#mustBeOpen();
    return this.#search.summaries(numbers, facets, (messageId) => this.#entryOf(messageId));
  }

  async columnValues(
    ...[numbers, column]: Parameters<Journal['columnValues']>
  ): ReturnType<Journal['columnValues']> {
    this.#mustBeOpen();
    return this.#search.columnValues(numbers, column);
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
    const totals = new Totals();
    await this.#search.visit({ order: 'oldest' }, (entry) => totals.add(entry, countedIn(entry)));
    return totals.all;
  }

  async prune(keep: Retention, _nowMs: number, slice: number): ReturnType<Journal['prune']> {
    this.#mustBeOpen();
    let left = slice;
    for (let entry = this.#pruning.oldest(); left > 0; entry = this.#pruning.oldest(), left--) {
      if (entry === undefined || !isBeyond(keep, entry, this.#history.size, this.#bytes)) break;
      // The next removal continues here: an act is short, and a message that it ends moves behind newer ones.
      if (keep.spared?.includes(entry.row.number) === true) break;
      this.#pruning.passBy(entry);
      this.#removeUntold(entry);
    }
    const { count: removed, beforeNumber, all: gone } = this.#unreported;
    const numbers = this.#unreportedNumbers;
    this.#unreported = new Totals();
    this.#unreportedNumbers = [];
    return { removed, beforeNumber, numbers, gone };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#last = undefined;
    this.#history.clear();
    this.#pruning.clear();
    this.#byId.clear();
    this.#deliveries.clear();
    this.#kept.clear();
    this.#batches.clear();
  }

  readonly guardBy = (guard: RemovalGuard): void => void (this.#guard = guard);

  /**
   * Removes old messages at once when room is short, because the regular removal runs only once a second. Messages in use stay, and the
   * next removal checks them again.
   */
  #makeRoom(bytes: number): void {
    if (this.#bytes + bytes <= this.#capacityBytes) return;
    this.#guard?.removing();
    const spared: Entry[] = [];
    let entry: Entry | undefined;
    while (this.#bytes + bytes > this.#capacityBytes && (entry = this.#pruning.oldest()) !== undefined) {
      this.#pruning.passBy(entry);
      if (this.#guard?.isInUse(entry.row.number) === true) spared.push(entry);
      else this.#removeUntold(entry);
    }
    for (const one of spared) this.#pruning.changed(one);
    this.#guard?.removed(this.#unreported.beforeNumber);
  }

  get #bytes(): number {
    return this.#ownBytes + this.#batches.bytes;
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new JournalError('closed', 'the journal is closed');
  }

  /** Checks a group before any of it is applied, because it counts as a whole or not at all. */
  #check(records: readonly JournalRecord[]): void {
    let first: MessageRow | undefined;
    // The set is made only for the second new message of a group, which nearly no group has.
    let seen: Set<string | number> | undefined;
    let bytes = 0;
    for (const record of records) {
      if (record.kind !== 'message.accepted') continue;
      const { row } = record.message;
      const { messageId, number } = row;
      if (first !== undefined) seen ??= new Set([first.messageId, first.number]);
      const isSeen = seen !== undefined && (seen.has(messageId) || seen.has(number));
      if (isSeen || this.#byId.has(messageId) || this.#history.get(number) !== undefined) {
        throw new JournalError('broken', `the journal has message ${messageId} or number ${number} already`);
      }
      if (!Number.isSafeInteger(number) || number < 1) {
        throw new JournalError('broken', `a message's number must be an integer from 1, got ${number}`);
      }
      first ??= row;
      seen?.add(messageId).add(number);
      bytes += sizeOf(record.message, this.#codec);
    }
    if (bytes === 0) return;
    this.#makeRoom(bytes);
    if (this.#bytes + bytes > this.#capacityBytes) {
      this.#trouble = { text: FULL, bytes: this.#bytes };
      const most = `${sizeLimit(this.#capacityBytes)}, a part of the heap (see node --max-old-space-size)`;
      throw new JournalError('full', `${FULL}: it keeps at most ${most}`);
    }
    this.#trouble = undefined;
  }

  #apply(record: JournalRecord): void {
    switch (record.kind) {
      case 'message.accepted':
        return this.#add(newEntry(record.message, this.#codec));
      case 'message.changed':
      case 'message.published':
      case 'delivery':
        return this.#change(record);
      case 'message.removed':
        for (const messageId of record.messageIds) {
          const entry = this.#entryOf(messageId);
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

  #entryOf(messageId: string): Entry | undefined {
    const number = this.#byId.get(messageId);
    return number === undefined ? undefined : this.#history.get(number);
  }

  #add(entry: LooseEntry): void {
    this.#last = entry;
    this.#byId.set(entry.row.messageId, entry.row.number);
    this.#history.add(entry);
    this.#ownBytes += entry.bytes;
    this.#lastNumber = Math.max(this.#lastNumber, entry.row.number);
  }

  /** A message that was removed meanwhile has nothing left to change. */
  #change(record: Change): void {
    const messageId = record.kind === 'delivery' ? record.delivery.messageId : record.messageId;
    const entry = this.#last?.row.messageId === messageId ? this.#last : this.#looseOf(messageId);
    if (entry === undefined) return;
    this.#last = entry;
    const before = entry.bytes;
    if (record.kind === 'message.published') entry.published = true;
    else if (record.kind === 'message.changed') patchEntry(entry, record.patch, record.content, this.#codec);
    else if (recordDelivery(entry, record, this.#tools))
      this.#deliveries.set(record.delivery.deliveryId, entry.row.number);
    this.#search.changed(entry.row.number);
    this.#ownBytes += entry.bytes - before;
    this.#pruning.changed(entry);
    if (!isOpen(entry)) {
      if (Awaited.is(entry)) this.#packLater(entry);
      else {
        this.#last = undefined;
        this.#history.pack(entry);
      }
    }
    // A note and tags make a message larger, and no new message may come that would make room.
    if (record.kind === 'message.changed' && entry.bytes > before) this.#makeRoom(0);
  }

  #looseOf(messageId: string): LooseEntry | undefined {
    const number = this.#byId.get(messageId);
    return number === undefined ? undefined : this.#history.loose(number);
  }

  #packLater({ row }: Entry): void {
    const number = this.#awaited.add(row.number);
    if (number === undefined) return;
    this.#last = undefined;
    this.#history.packAt(number);
  }

  /** Removes an entry that the end of this or the next pruning reports. */
  #removeUntold(entry: Entry): void {
    this.#unreportedNumbers.push(entry.row.number);
    this.#remove(entry, this.#unreported);
  }

  #remove(entry: Entry, told?: Totals): void {
    this.#last = undefined;
    const { row } = entry;
    const deliveries = countedIn(entry);
    told?.add(entry, deliveries);
    this.#history.remove(row.number);
    this.#byId.delete(row.messageId);
    for (const { deliveryId } of deliveries) this.#deliveries.delete(deliveryId);
    // A packed message decodes its attempts at each use: only batches need these.
    if (!this.#batches.isEmpty) {
      for (const { attempts } of entry.deliveries)
        for (const attempt of attempts) this.#batches.leave(attempt);
    }
    this.#ownBytes -= entry.bytes;
  }
}
