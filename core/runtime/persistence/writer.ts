/**
 * Writes to the journal in order, in groups. Records other than new messages are repeated until written, so that memory and disk agree
 * again.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import { JournalError } from '../../ports/journal.ts';
import type { Journal, JournalRecord } from '../../ports/journal.ts';
import { pollUntil } from '../../ports/poll-until.ts';
import type { LogBook } from '../telemetry/log-book.ts';

/** A resolved promise: `then` runs a callback after the current code. */
const NOW = Promise.resolve();

const AGAIN_MS = 1000;
const POLL_INTERVAL_MS = 5;
/** Maximum number of groups that gather before they are written, and of characters of bodies in them. */
const MAX_LINGERING = 500;
const MAX_LINGERING_BODIES = 1024 * 1024;
/** Maximum number of groups that go with a new message that is appended at once. */
const MAX_WITH_NEW = 50;
/** Number of unwritten groups of records above which no attempt starts. */
const MAX_OWED = 10_000;
/** Number of characters of bodies in unwritten records above which no attempt starts. */
const MAX_OWED_BODIES = 64 * 1024 * 1024;
/** Maximum number of characters of bodies in one append: all of them are in memory several times while it is written. */
const MAX_AT_ONCE = 16 * 1024 * 1024;

/** Records that are written together or not at all. */
class Item {
  /** One item that is never freed, for the reason in last-made.ts. */
  static readonly kept = new Item([], 0, nothing);

  readonly records: readonly JournalRecord[];
  /** Characters of bodies. */
  readonly size: number;
  readonly written: () => void;
  /** True if a caller waits for the write and gets no answer before it. */
  readonly isUrgent: boolean;
  /** Called if the journal refuses the records; present for a new message only. */
  readonly refused: ((error: unknown) => void) | undefined;
  /** Called once a kill of the process cannot lose the records, if the journal reports that before they are on disk. */
  readonly ahead: (() => void) | undefined;

  constructor(
    records: readonly JournalRecord[],
    size: number,
    written: () => void,
    isUrgent = false,
    refused?: (error: unknown) => void,
    ahead?: () => void,
  ) {
    this.records = records;
    this.size = size;
    this.written = written;
    this.isUrgent = isUrgent;
    this.refused = refused;
    this.ahead = ahead;
  }
}

export interface WriterPorts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: LogBook;
  /** Last number given to an event; written with the records that it numbers. */
  readonly sequence: () => number;
  /** Called when the writer is no longer behind. */
  readonly onCaughtUp: () => void;
}

export class Writer {
  readonly #ports: WriterPorts;
  /** Items for the next append, oldest first. */
  #waiting: Item[] = [];
  /** Callbacks of records that the journal wrote synchronously; they run after the current code. */
  #taken: (() => void)[] = [];
  /** True if a new message is among the records written synchronously. */
  #hasTakenNew = false;
  #owedBodies = 0;
  #writing = false;
  /** True while the journal waits for more messages of this moment. */
  #isGathering = false;
  #again: Cancel | undefined;
  #linger: Cancel | undefined;
  #closed = false;
  #lastSequence = 0;
  #lastReported: string | undefined;
  #refusedNew = false;
  #wasBehind = false;
  /** Callers that wait until something is on disk, but not for as long as the journal refuses it. */
  readonly #impatient = new Set<() => void>();
  /** Why the journal refuses unwritten records; undefined: it accepts them. */
  trouble: string | undefined;

  constructor(ports: WriterPorts) {
    this.#ports = ports;
  }

  /** True while too many writes wait: no work that adds writes should start. */
  get behind(): boolean {
    if (this.#waiting.length < MAX_OWED && this.#owedBodies < MAX_OWED_BODIES) return false;
    this.#wasBehind = true;
    return true;
  }

  /**
   * Writes a new message: on disk, or refused (JournalError). Refused at once while older records wait for room.
   * @param ahead called before it is on disk, if the journal keeps it unless the machine loses power. From then on its records are repeated
   * until written, though a failing disk may still refuse it. Must not throw.
   * @returns undefined: the journal has it, and there was nothing to wait for
   */
  accept(records: readonly JournalRecord[], ahead?: () => void): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(new JournalError('closed', 'the journal is closed'));
    if (this.trouble !== undefined) return Promise.reject(new JournalError('full', this.trouble));
    if (this.#isTakenAtOnce(records, nothing)) {
      this.#hasTakenNew = true;
      return undefined;
    }
    if (ahead === undefined && this.#isTakenWithWaiting(records)) return undefined;
    return new Promise((written, refused) =>
      this.#queue(new Item(records, sizeOf(records), written, true, refused, ahead)),
    );
  }

  /**
   * Writes changes of accepted messages; resolves when they are on disk, however long that takes. The write may wait some milliseconds for
   * the next new message, if the journal asks for that. Never rejects.
   */
  record(records: readonly JournalRecord[]): Promise<void> {
    return new Promise((written) => this.later(records, written));
  }

  /**
   * Does what `record` does, with a callback, which must not throw. Each message has several such records: a promise for each would cost
   * more.
   */
  later(records: readonly JournalRecord[], written: () => void): void {
    if (!this.#isTakenAtOnce(records, written)) this.#queue(new Item(records, sizeOf(records), written));
  }

  /** Does what `record` does, without waiting for the next new message. */
  #recordNow(records: readonly JournalRecord[]): Promise<void> {
    return new Promise((written) => {
      if (!this.#isTakenAtOnce(records, written))
        this.#queue(new Item(records, sizeOf(records), written, true));
    });
  }

  /**
   * Wait of an act of a person: resolves when the write is on disk, or as soon as the journal refuses it for now. The act counts in memory
   * and is written later, so the person need not wait until the disk has room or the folder is writable. Never rejects.
   */
  orOwed(written: Promise<void>): Promise<void> {
    if (this.trouble !== undefined || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        this.#impatient.delete(go);
        resolve();
      };
      this.#impatient.add(go);
      void written.then(go);
    });
  }

  /** Stores a value under its key. Resolves when it is on disk, or pending for a disk that refuses it for now. Never rejects. */
  keep(key: string, value: unknown): Promise<void> {
    return this.orOwed(this.#recordNow([{ kind: 'kept', key, value }]));
  }

  /** Resolves when all records so far are on disk, or as soon as the journal refuses them for now. Never rejects. */
  settled(): Promise<void> {
    if (!this.#writing && this.#waiting.length === 0) return Promise.resolve();
    return this.orOwed(this.#recordNow([]));
  }

  /**
   * Resolves true once the journal has all records so far; false as soon as it refuses them for now. Never rejects. Unlike `settled` it
   * speeds nothing up: gathering continues.
   */
  async caughtUp(): Promise<boolean> {
    if (!this.#writing && this.#waiting.length === 0) return true;
    await this.orOwed(this.record([]));
    return this.trouble === undefined && !this.#closed;
  }

  /** Resolves when no write is running, or after `waitMs`; from then on nothing is repeated. */
  async drain(waitMs: number): Promise<void> {
    const { clock } = this.#ports;
    if (this.#linger !== undefined) void this.#write();
    const isDone = (): boolean => !this.#writing && this.#waiting.length === 0;
    await pollUntil(clock, { everyMs: POLL_INTERVAL_MS, limitMs: waitMs }, isDone);
    this.#closed = true;
    this.#again?.();
    this.#runImpatient();
  }

  #queue(item: Item): void {
    this.#waiting.push(item);
    this.#owedBodies += item.size;
    if (this.#isBusy) return;
    if (!this.#putsOff()) void this.#write();
  }

  /** True when a write is under way or will come by itself, however soon more is given. */
  get #isBusy(): boolean {
    return this.#writing || this.#isGathering || this.#again !== undefined;
  }

  /** Appends at once, if the journal can do so. Callbacks still run after the current code, as with any other journal. */
  #isTakenAtOnce(records: readonly JournalRecord[], written: () => void): boolean {
    const isIdle = !this.#isBusy && this.#waiting.length === 0;
    // Records that may gather are not worth an append of their own.
    const lingers = this.#ports.journal.lingerMs !== undefined;
    if (!isIdle || this.#closed || lingers || !this.#takesNow(records)) return false;
    if (this.#taken.length === 0) void NOW.then(this.#resolveTaken);
    this.#taken.push(written);
    return true;
  }

  /** Appends a new message at once with what gathered for the next one, if the journal can do so. Callbacks run after the current code. */
  #isTakenWithWaiting(records: readonly JournalRecord[]): boolean {
    if (this.#isBusy || this.#waiting.length > MAX_WITH_NEW) return false;
    if (this.#ports.journal.appendNow === undefined) return false;
    const items = this.#waiting;
    const lastSequence = this.#lastSequence;
    if (!this.#takesNow(this.#recordsOf([...items, new Item(records, 0, nothing)]))) {
      this.#lastSequence = lastSequence;
      return false;
    }
    this.#linger?.();
    this.#linger = undefined;
    this.#waiting = [];
    this.#done(items);
    this.#took(true);
    if (items.length > 0) void NOW.then(() => items.forEach(({ written }) => written()));
    return true;
  }

  /**
   * Writes synchronously.
   * @returns false: the journal needs time, or refuses the records. `#write` gets the refusal again and reports it
   */
  #takesNow(records: readonly JournalRecord[]): boolean {
    const { appendNow } = this.#ports.journal;
    if (appendNow === undefined) return false;
    try {
      return appendNow(records);
    } catch {
      return false;
    }
  }

  readonly #resolveTaken = (): void => {
    const reported = this.#taken;
    this.#taken = [];
    this.#took(this.#hasTakenNew);
    this.#hasTakenNew = false;
    const sequence = this.#ports.sequence();
    // If the journal does not write the number now, the next group contains it.
    if (sequence !== this.#lastSequence && this.#takesNow([{ kind: 'sequence', sequence }]))
      this.#lastSequence = sequence;
    for (const written of reported) written();
  };

  /** Whether the write may gather more: no caller waits for it, and it is small. */
  #mayLinger(): boolean {
    if (this.#ports.journal.lingerMs === undefined || this.#closed) return false;
    if (this.#waiting.length > MAX_LINGERING || this.#owedBodies > MAX_LINGERING_BODIES) return false;
    return !this.#waiting.some(({ isUrgent }) => isUrgent);
  }

  /** True: the write comes a little later, with what is given until then. */
  #putsOff(): boolean {
    const { clock, journal } = this.#ports;
    if (this.#mayLinger()) {
      this.#linger ??= clock.at(clock.now() + (journal.lingerMs ?? 0), () => void this.#write());
      return true;
    }
    if (journal.gather === undefined || this.#closed) return false;
    this.#isGathering = true;
    journal.gather(this.#writeGathered);
    return true;
  }

  readonly #writeGathered = (): void => {
    this.#isGathering = false;
    if (!this.#isBusy) void this.#write();
  };

  /** Appends, one at a time: a record can only be repeated in its place if none was written after it. */
  async #write(): Promise<void> {
    this.#linger?.();
    this.#linger = undefined;
    this.#writing = true;
    while (this.#waiting.length > 0 && !this.#closed) {
      const items = this.#take();
      const ahead = items.filter((item) => item.ahead !== undefined);
      const reported = new Set<Item>();
      const reportAhead = (): void => {
        for (const item of ahead) {
          reported.add(item);
          item.ahead?.();
        }
      };
      try {
        await this.#ports.journal.append(
          this.#recordsOf(items),
          ahead.length === 0 ? undefined : reportAhead,
        );
      } catch (error) {
        if (this.#keep(items, reported, error)) continue;
        break;
      }
      this.#done(items);
      this.#took(items.some(({ refused }) => refused !== undefined));
      for (const item of items) item.written();
      if (this.#waiting.length > 0 && this.#putsOff()) break;
    }
    this.#writing = false;
    if (this.#wasBehind && !this.behind) {
      this.#wasBehind = false;
      this.#ports.onCaughtUp();
    }
  }

  /** Takes the items of one append. */
  #take(): readonly Item[] {
    let size = 0;
    let count = 0;
    for (const item of this.#waiting) {
      if (count > 0 && size + item.size > MAX_AT_ONCE) break;
      size += item.size;
      count += 1;
    }
    const items = this.#waiting;
    this.#waiting = count === items.length ? [] : items.slice(count);
    return count === items.length ? items : items.slice(0, count);
  }

  /** Removes written items from the counts of unwritten ones. */
  #done(items: readonly Item[]): void {
    for (const { size } of items) this.#owedBodies -= size;
  }

  #took(isNew: boolean): void {
    this.trouble = undefined;
    // A journal that is full for new messages still accepts records of the others.
    if (this.#lastReported === undefined || (this.#refusedNew && !isNew)) return;
    this.#refusedNew = false;
    this.#lastReported = undefined;
    this.#ports.log.write('info', 'journal', 'Writing to the journal works again.');
  }

  #recordsOf(items: readonly Item[]): readonly JournalRecord[] {
    const sequence = this.#ports.sequence();
    const [only] = items;
    if (items.length === 1 && only !== undefined && sequence === this.#lastSequence) return only.records;
    this.#lastSequence = sequence;
    const records: JournalRecord[] = [];
    for (const item of items) records.push(...item.records);
    records.push({ kind: 'sequence', sequence });
    return records;
  }

  /**
   * Refuses new messages; the other items stay first in the queue and are repeated.
   * @param reported new messages that continued before they were on disk: their records are repeated too
   * @returns true: repeat at once
   */
  #keep(items: readonly Item[], reported: ReadonlySet<Item>, error: unknown): boolean {
    this.#note(error);
    const isOwed = (item: Item): boolean => item.refused === undefined || reported.has(item);
    const owed = items.filter(isOwed).map(asRecord);
    this.#done(items.filter((item) => !isOwed(item)));
    for (const { refused } of items) refused?.(error);
    this.#waiting = [...owed, ...this.#waiting];
    // The journal may have lacked room only for a new message: the rest is written without it.
    if (owed.length < items.length) {
      this.#refusedNew = true;
      return true;
    }
    this.#done(this.#waiting.filter(({ refused }) => refused !== undefined));
    for (const { refused } of this.#waiting) refused?.(error);
    this.#waiting = this.#waiting.filter(({ refused }) => refused === undefined);
    this.trouble = errorText(error);
    this.#runImpatient();
    if (!this.#closed) {
      const { clock } = this.#ports;
      this.#again = clock.at(clock.now() + AGAIN_MS, () => {
        this.#again = undefined;
        void this.#write();
      });
    }
    return false;
  }

  #runImpatient(): void {
    for (const go of this.#impatient) go();
  }

  #note(error: unknown): void {
    const reason = errorText(error);
    if (this.#lastReported === reason) return;
    this.#lastReported = reason;
    this.#ports.log.write('error', 'journal', `Writing to the journal fails: ${reason}`);
  }
}

/** The item without its refusal callback: it is repeated until the journal writes it. */
function asRecord(item: Item): Item {
  const { records, size, written } = item;
  return item.refused === undefined ? item : new Item(records, size, written);
}

/** Callback of records without a waiting caller. */
function nothing(): void {}

function sizeOf(records: readonly JournalRecord[]): number {
  let size = 0;
  for (const record of records) {
    if (record.kind === 'message.accepted') size += record.message.wire.length;
    else if (record.kind === 'message.changed') size += record.content?.wire.length ?? 0;
    else if (record.kind === 'delivery') {
      const { request, response } = record.attempt ?? {};
      size += record.delivery.changedWire?.length ?? 0;
      size += (request?.body.length ?? 0) + (response?.body.length ?? 0);
    }
  }
  return size;
}
