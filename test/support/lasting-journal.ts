/** The memory journal as a durable one behaves: it outlives a runtime that closes it, and it can fail when told. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import type { Journal, JournalRecord, MessageQuery, Retention } from '../../core/ports/journal.ts';

type Scan = Parameters<Journal['scan']>[0];

export interface LastingOptions {
  /** Told to be durable, the runtime may read bodies back from here. */
  readonly durable?: boolean;
  /** Records are taken when `appendNow` returns, as by the journal in memory. */
  readonly takesAtOnce?: boolean;
}

export class LastingJournal implements Journal {
  readonly #kept: Journal;
  /** Nothing is written any more, and nobody is told so: the process that used it is gone. */
  isCut = false;
  readonly durable: boolean;
  readonly #takesAtOnce: boolean;
  /** Every append is refused with it while it is set. */
  failure: Error | undefined;
  /** Records are written at once while it is set, and their sync ends with it. */
  sync: Promise<void> | undefined;
  /** A single message cannot be read while it is set. */
  unreadable: Error | undefined;
  /** A single message is read only when this has ended. */
  reading: Promise<void> | undefined;
  /** Error of reads by key while it is set. */
  unkept: Error | undefined;
  /** Called right after records were kept, before the caller is told. */
  afterAppend: (records: readonly JournalRecord[]) => void = () => undefined;
  /** Records in the order they counted. */
  readonly records: JournalRecord[] = [];
  closed = 0;

  constructor(options: LastingOptions = {}, kept = createMemoryJournal({ codec: bufferCodec })) {
    this.durable = options.durable ?? false;
    this.#takesAtOnce = options.takesAtOnce ?? false;
    this.#kept = kept;
  }

  /** Gives the journal to the next start of the program. */
  reopened(): LastingJournal {
    const next = new LastingJournal({ durable: this.durable, takesAtOnce: this.#takesAtOnce }, this.#kept);
    next.records.push(...this.records);
    return next;
  }

  async append(records: readonly JournalRecord[], onWritten?: () => void): Promise<void> {
    if (this.isCut) await new Promise<never>(() => undefined);
    if (this.failure !== undefined) throw this.failure;
    if (this.sync !== undefined) {
      onWritten?.();
      await this.sync;
    }
    await this.#kept.append(records);
    this.#note(records);
  }

  get appendNow(): Journal['appendNow'] {
    return this.#takesAtOnce && !this.isCut ? (records) => this.#appendNow(records) : undefined;
  }

  #appendNow(records: readonly JournalRecord[]): void {
    if (this.failure !== undefined) throw this.failure;
    this.#kept.appendNow?.(records);
    this.#note(records);
  }

  #note(records: readonly JournalRecord[]): void {
    this.records.push(...records);
    this.afterAppend(records);
  }

  unfinished(): ReturnType<Journal['unfinished']> {
    return this.#kept.unfinished();
  }

  page(query: MessageQuery): ReturnType<Journal['page']> {
    return this.#kept.page(query);
  }

  async get(messageId: string): ReturnType<Journal['get']> {
    if (this.unreadable !== undefined) throw this.unreadable;
    await this.reading;
    return this.#kept.get(messageId);
  }

  summaries(...asked: Parameters<Journal['summaries']>): ReturnType<Journal['summaries']> {
    return this.#kept.summaries(...asked);
  }

  columnValues(...asked: Parameters<Journal['columnValues']>): ReturnType<Journal['columnValues']> {
    return this.#kept.columnValues(...asked);
  }

  details(numbers: readonly number[]): ReturnType<Journal['details']> {
    return this.#kept.details(numbers);
  }

  messageOfDelivery(deliveryId: string): ReturnType<Journal['messageOfDelivery']> {
    return this.#kept.messageOfDelivery(deliveryId);
  }

  scan(query: Scan): ReturnType<Journal['scan']> {
    return this.#kept.scan(query);
  }

  rows(numbers: readonly number[]): ReturnType<Journal['rows']> {
    return this.#kept.rows(numbers);
  }

  test(numbers: readonly number[], filter: Filter, nowMs: number): ReturnType<Journal['test']> {
    return this.#kept.test(numbers, filter, nowMs);
  }

  lastSequence(): Promise<number> {
    return this.#kept.lastSequence();
  }

  async kept(key: string): Promise<unknown> {
    if (this.unkept !== undefined) throw this.unkept;
    return this.#kept.kept(key);
  }

  totals(...observed: Parameters<Journal['totals']>): ReturnType<Journal['totals']> {
    return this.#kept.totals(...observed);
  }

  stats(): ReturnType<Journal['stats']> {
    return this.#kept.stats();
  }

  get guardBy(): Journal['guardBy'] {
    return this.#kept.guardBy;
  }

  prune(keep: Retention, nowMs: number, slice: number): ReturnType<Journal['prune']> {
    return this.#kept.prune(keep, nowMs, slice);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}
