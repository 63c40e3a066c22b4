/** The memory journal with the behaviour of a durable one: it outlives a runtime that closes it, and it can fail on request. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Filter } from '../../core/domain/filter/ast.ts';
import type { Journal, JournalRecord, MessageQuery, Retention } from '../../core/ports/journal.ts';

type Scan = Parameters<Journal['scan']>[0];

export interface LastingOptions {
  /** True: the runtime may read bodies back from here. */
  readonly durable?: boolean;
  /** Records are taken when `appendNow` returns, as by the journal in memory. */
  readonly takesAtOnce?: boolean;
  /** As on disk: what nobody waits for gathers, and a new message is taken at once with it only now and then. */
  readonly lingers?: boolean;
}

const LINGER_MS = 5;
/** Every so many records the journal takes its time. */
const TAKES_TIME_EVERY = 3;

export class LastingJournal implements Journal {
  readonly #kept: Journal;
  /** True: nothing is written any more, without an error, because the process that used it was killed. */
  isCut = false;
  readonly durable: boolean;
  readonly #takesAtOnce: boolean;
  readonly #lingers: boolean;
  /** Appends whose callers may not have gone on yet. */
  #goingOn = 0;
  /** Searches whose answers are not there yet. */
  #searches = 0;
  readonly lingerMs: number | undefined;
  readonly gather: Journal['gather'];
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
  /** Messages that retention keeps while it is set: fewer than the setting allows. */
  maxMessages: number | undefined;
  /** Called right after records were stored, before the append resolves. */
  afterAppend: (records: readonly JournalRecord[]) => void = () => undefined;
  /** Records in the order they counted. */
  readonly records: JournalRecord[] = [];
  closed = 0;

  constructor(options: LastingOptions = {}, kept = createMemoryJournal({ codec: bufferCodec })) {
    this.durable = options.durable ?? false;
    this.#lingers = options.lingers ?? false;
    this.lingerMs = this.#lingers ? LINGER_MS : undefined;
    this.gather = this.#lingers ? (go) => void setImmediate(go) : undefined;
    this.#takesAtOnce = this.#lingers || options.takesAtOnce === true;
    this.#kept = kept;
  }

  /** Whether a search is under way: on a busy machine one takes many turns of the event loop. */
  get isSearching(): boolean {
    return this.#searches > 0;
  }

  /** Gives the journal to the next start of the program. */
  reopened(): LastingJournal {
    const options = { durable: this.durable, takesAtOnce: this.#takesAtOnce, lingers: this.#lingers };
    const next = new LastingJournal(options, this.#kept);
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
    this.#goingOn += 1;
    setImmediate(() => (this.#goingOn -= 1));
  }

  get appendNow(): Journal['appendNow'] {
    const takesTime = this.#lingers && (this.#goingOn > 0 || this.records.length % TAKES_TIME_EVERY === 0);
    if (!this.#takesAtOnce || this.isCut || takesTime) return undefined;
    return (records) => this.#appendNow(records);
  }

  #appendNow(records: readonly JournalRecord[]): boolean {
    if (this.failure !== undefined) throw this.failure;
    this.#kept.appendNow?.(records);
    this.#note(records);
    return true;
  }

  #note(records: readonly JournalRecord[]): void {
    this.records.push(...records);
    this.afterAppend(records);
  }

  unfinished(): ReturnType<Journal['unfinished']> {
    return this.#kept.unfinished();
  }

  page(query: MessageQuery): ReturnType<Journal['page']> {
    return this.#searched(this.#kept.page(query));
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
    return this.#searched(this.#kept.scan(query));
  }

  rows(numbers: readonly number[]): ReturnType<Journal['rows']> {
    return this.#kept.rows(numbers);
  }

  test(numbers: readonly number[], filter: Filter, nowMs: number): ReturnType<Journal['test']> {
    return this.#searched(this.#kept.test(numbers, filter, nowMs));
  }

  async #searched<T>(search: Promise<T>): Promise<T> {
    this.#searches += 1;
    try {
      return await search;
    } finally {
      this.#searches -= 1;
    }
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
    const { maxMessages = keep.maxMessages } = this;
    return this.#kept.prune({ ...keep, maxMessages }, nowMs, slice);
  }

  async close(): Promise<void> {
    this.closed += 1;
  }
}
