/**
 * The journal on disk: SQLite in three threads (one writes, one reads, one searches) in a folder of this process's own. A group of records
 * counts once it is in the file of the newest records; its tables follow. docs/maps/journal.md names the parts.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { MessageRow } from '../../contract/message.ts';
import { errorText } from '../../contract/error-text.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { numberOfCursor } from '../../domain/cursor.ts';
import { tryParse } from '../../domain/json.ts';
import { JournalError } from '../../ports/journal.ts';
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
import type { Notice } from '../../ports/log.ts';
import { atTurnEnd } from '../turn-end.ts';
import { FileWatch } from './file-watch.ts';
import { GroupCommit } from './group-commit.ts';
import { LateOpening } from './late-opening.ts';
import { dropOldIndex } from './log-index.ts';
import { LockWatch } from './lock-watch.ts';
import { lockFolder } from './lock.ts';
import type { FolderLock } from './lock.ts';
import { Readers } from './readers.ts';
import { OneByOne } from './one-by-one.ts';
import { Rescue } from './rescue.ts';
import { Opening } from './opening.ts';
import { FILE_NAME, howToOpen } from './options.ts';
import type { SqliteJournalOptions } from './options.ts';
import { opsOf, RecentWires } from './records.ts';
import type {
  Asked,
  Answered,
  OpenReport,
  ReaderRequests,
  SyncLevel,
  WriteCounts,
  WriterRequests,
} from './requests.ts';
import { CatchUp } from './catch-up.ts';
import { Thread } from './thread.ts';
import { WriteRefusal } from './write-refusal.ts';
import { Appender } from './appender.ts';

export interface SqliteJournal extends Journal {
  /** State found when the journal was opened. */
  readonly report: OpenReport;
  /** From the next group on. */
  setSync(level: SyncLevel): Promise<void>;
  /** Tells a sentence for a person whenever something happened to the file later on. */
  onTrouble(listener: (text: string) => void): void;
  /** Tells what happened to the lock of the folder. */
  onLockNotice(listener: Notice): void;
}

/** Maximum number of characters of recently accepted messages in memory; most attempts follow soon. */
const RECENT_CHARACTERS = 8 * 1024 * 1024;

/** Time for which ends of messages wait, so that they go with the next new message: long beside one sync, but short for a person. */
const LINGER_MS = 5;

/**
 * Opens the journal of a folder, or makes it.
 * A folder that cannot be written still gives a journal: it refuses every append, `report.refuses` says why.
 * Rejects FolderInUse, or JournalError: no SQLite here, the file of a newer version.
 */
export async function openSqliteJournal(options: SqliteJournalOptions): Promise<SqliteJournal> {
  const { folder, log, onBusy } = options;
  const lock = lockFolder(folder);
  const opening = new Opening({ log, onBusy });
  const writer = new Thread<WriterRequests>('writer-thread', opening.take);
  const reader = new Readers(opening.take);
  try {
    dropOldIndex(join(folder, FILE_NAME));
    const report = await writer.ask('open', howToOpen(options));
    const how = report.refuses === undefined ? 'beside-writer' : 'read-only';
    await reader.ask('open', { file: report.file, how });
    opening.end();
    const appender = new Appender({ writer, report, how: howToOpen(options), log });
    return new DiskJournal({ writer, appender, reader, lock, report, options });
  } catch (error) {
    opening.failed();
    await Promise.all([writer.end(), reader.end()]);
    lock.release();
    throw error;
  }
}

interface DiskJournalDependencies {
  readonly writer: Thread<WriterRequests>;
  readonly appender: Appender;
  readonly reader: Readers;
  readonly lock: FolderLock;
  readonly report: OpenReport;
  readonly options: SqliteJournalOptions;
}

class DiskJournal implements SqliteJournal {
  readonly durable = true;
  readonly lingerMs = LINGER_MS;
  readonly gather = atTurnEnd;
  readonly report: OpenReport;
  damaged = 0;
  readonly #deps: DiskJournalDependencies;
  readonly #group: GroupCommit;
  readonly #recent = new RecentWires(RECENT_CHARACTERS);
  readonly #catchUp: CatchUp;
  readonly #watch: FileWatch;
  /** Watches of the files that SQLite keeps beside the database: they are cut or removed by other programs too. */
  readonly #logWatches: readonly FileWatch[];
  readonly #lockWatch: LockWatch;
  readonly #refusal: WriteRefusal;
  readonly #rescue: Rescue;
  readonly #late: LateOpening;
  readonly #oneByOne = new OneByOne();
  #onTrouble: (text: string) => void = () => undefined;
  #onLockNotice: Notice = () => undefined;
  #closing: Promise<void> | undefined;
  /** All calls wait while the file is created again, or opened again after something happened to its log. */
  #rescuing: Promise<boolean> | undefined;

  constructor(deps: DiskJournalDependencies) {
    this.#deps = deps;
    const { file } = deps.report;
    const { folder, log, lookEveryMs: everyMs } = deps.options;
    this.#rescue = new Rescue({ ...deps, folder, file, log, report: (text) => this.#report(text) });
    this.report = deps.report;
    deps.appender.onTrouble((text) => this.#onTrouble(text));
    this.#group = new GroupCommit((...group) =>
      // The mark is set after the write: a read during the write brings everything into the tables but this group.
      deps.appender.write(...group).finally(() => this.#catchUp.wrote()),
    );
    this.#catchUp = new CatchUp({
      ...deps,
      how: howToOpen(deps.options),
      log,
      mended: () => this.#hasMendedLog(),
    });
    this.#watch = new FileWatch(file, () => this.#mended(() => this.#rescue.run()), { everyMs });
    this.#logWatches = ['-wal', '-shm'].map(
      (ending) =>
        new FileWatch(file + ending, () => this.#logTaken(), { isLengthWatched: ending === '-wal', everyMs }),
    );
    this.#lockWatch = new LockWatch(folder, () => this.#rescue.lock, this.#lockNotice, everyMs);
    this.#refusal = new WriteRefusal(() => this.#takesNew(), everyMs);
    this.#late = new LateOpening({ ...deps, how: howToOpen(deps.options) });
    const { error, wantsRoom } = this.#late;
    if (error === undefined) this.#watchFiles();
    if (wantsRoom !== undefined) this.#refusal.refused(wantsRoom);
  }

  get trouble(): string | undefined {
    return this.#rescue.error?.message ?? this.#refusal.reason;
  }

  onTrouble(listener: (text: string) => void): void {
    this.#onTrouble = listener;
  }

  onLockNotice(listener: Notice): void {
    this.#onLockNotice = listener;
  }

  readonly #lockNotice: Notice = (level, text) => {
    this.#onLockNotice(level, text);
    this.#deps.options.log.write(level, 'journal', text);
  };

  async setSync(level: SyncLevel): Promise<void> {
    this.#mustBeOpen();
    await this.#group.settled();
    await this.#deps.appender.setSync(level);
  }

  async append(records: readonly JournalRecord[], onWritten?: () => void): Promise<void> {
    this.#mustBeOpen();
    this.#mustBeWritable();
    if (records.length === 0) return;
    const { appender } = this.#deps;
    const numbers = numbersOfNew(records);
    const isNew = numbers.length > 0;
    this.#oneByOne.came(numbers.length);
    // The file is missing at its place, or cannot be opened again, so a message written now would be lost.
    if (isNew && this.#rescue.error !== undefined) throw this.#rescue.error;
    try {
      const ops = opsOf(records, this.#recent);
      let isDoubtful = false;
      for (const number of numbers) if (!appender.isNext(number)) isDoubtful = true;
      await this.#group.append(ops, isDoubtful, onWritten);
      this.#oneByOne.answered();
      this.#refusal.written(isNew);
    } catch (error) {
      // Only a JournalError is a trouble of the journal: any other error concerns these records alone.
      if (error instanceof JournalError && error.code !== 'closed') this.#refusal.refused(error);
      // A log that was cut refuses all groups until it is mended, so that does not wait for the next look at its file.
      const mayMend = this.#rescuing === undefined && !this.#rescue.hasFailed && this.#closing === undefined;
      if (isBroken(error) && mayMend) void this.#mended(() => this.#rescue.reopen());
      throw this.#whyShut(error);
    }
  }

  /** A thread whose file could not be opened again says "closed" too: the reason for that, and any other error as it is. */
  #whyShut(error: unknown): unknown {
    const isShut = error instanceof JournalError && error.code === 'closed' && this.#closing === undefined;
    return isShut ? (this.#rescue.error ?? error) : error;
  }

  /** Present while a message that comes alone can be written without a wait. */
  get appendNow(): Journal['appendNow'] {
    const isOpen = this.#closing === undefined && this.#rescuing === undefined && this.trouble === undefined;
    const isAtOnce =
      isOpen && this.#late.error === undefined && this.#group.isIdle && this.#deps.appender.isAtOnce;
    return isAtOnce && this.#oneByOne.isLikely ? this.#appendNow : undefined;
  }

  readonly #appendNow = (records: readonly JournalRecord[]): boolean => {
    const [number, ...others] = numbersOfNew(records);
    if (number === undefined || others.length > 0) return false;
    if (!this.#deps.appender.writeNow(opsOf(records, this.#recent), number)) return false;
    this.#catchUp.wrote();
    this.#oneByOne.came(1);
    return true;
  };

  async *unfinished(): AsyncGenerator<Unfinished> {
    const { lastNumber: last } = await this.stats();
    let after: number | undefined = 0;
    while (after !== undefined) {
      const slice: Answered<ReaderRequests, 'unfinished'> = await this.#read('unfinished', { after, last });
      for (const messageId of slice.damaged) this.#foundDamage(messageId);
      yield* slice.items;
      after = slice.next;
    }
  }

  async page({ cursor, signal, ...query }: MessageQuery): ReturnType<Journal['page']> {
    const after = cursor === undefined ? undefined : numberOfCursor(cursor);
    return this.#read('page', { ...query, after }, signal);
  }

  async scan({ signal, ...query }: Parameters<Journal['scan']>[0]): Promise<ScanSlice> {
    return this.#read('scan', query, signal);
  }

  async test(numbers: readonly number[], filter: Filter, nowMs: number): Promise<ReadonlySet<number>> {
    return new Set(await this.#read('test', { numbers, filter, nowMs }));
  }

  get(messageId: string): Promise<MessageDetailSource | undefined> {
    return this.#read('get', messageId);
  }

  details(numbers: readonly number[]): Promise<readonly (MessageDetailSource | undefined)[]> {
    return this.#read('details', numbers);
  }

  messageOfDelivery(deliveryId: string): Promise<string | undefined> {
    return this.#read('messageOfDelivery', deliveryId);
  }

  rows(numbers: readonly number[]): Promise<readonly (MessageRow | undefined)[]> {
    return this.#read('rows', numbers);
  }

  summaries(...[numbers, facets]: Parameters<Journal['summaries']>): ReturnType<Journal['summaries']> {
    return this.#read('summaries', { numbers, facets });
  }

  columnValues(
    ...[numbers, column]: Parameters<Journal['columnValues']>
  ): ReturnType<Journal['columnValues']> {
    return this.#read('columnValues', { numbers, column });
  }

  lastSequence(): Promise<number> {
    return this.#read('lastSequence', null);
  }

  async kept(key: string): Promise<unknown> {
    const text = await this.#read('kept', key);
    if (text === undefined) return undefined;
    const read = tryParse(text);
    if (read === undefined)
      this.#report(`The stored value ${key} is damaged on disk. Sidelight starts without it.`);
    return read?.value;
  }

  stats(): Promise<JournalStats> {
    return this.#read('stats', null);
  }

  async size(): Promise<Pick<JournalStats, 'messages' | 'bytes'>> {
    this.#mustBeOpen();
    try {
      if (this.#late.error === undefined) return await this.#deps.appender.size();
    } catch (error) {
      // The thread that writes has died, or the file is being written again: readers may still know.
      if (!(error instanceof JournalError)) throw error;
    }
    return this.stats();
  }

  totals(maybeElsewhere: readonly TopicName[] = []): Promise<readonly TopicTotals[]> {
    return this.#read('totals', maybeElsewhere);
  }

  async prune(keep: Retention, _nowMs: number, slice: number): ReturnType<Journal['prune']> {
    this.#mustBeOpen();
    if (this.#late.error !== undefined) return { removed: 0, beforeNumber: 0, numbers: [], gone: [] };
    await this.#group.settled();
    try {
      return await this.#deps.appender.prune(keep, slice);
    } catch (error) {
      throw this.#whyShut(error);
    }
  }

  rest(): void {
    this.#deps.writer.rest();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const { writer, appender, reader, options } = this.#deps;
    const watches = [this.#watch, ...this.#logWatches, this.#lockWatch, this.#refusal];
    await Promise.all(watches.map((watch) => watch.stop()));
    await this.#group.settled();
    // Who began it says why it failed.
    while (this.#rescuing !== undefined) await this.#rescuing.catch(() => undefined);
    // This is the last chance to write a removed file again: its messages would be lost with this process.
    await this.#rescue.again();
    await this.#ended(reader.ask('close', null));
    this.#reportCounts(await this.#ended(appender.close()));
    await Promise.all([writer.end(), reader.end()]);
    this.#rescue.releaseLock();
    if (options.isScratch === true) await rm(options.folder, { recursive: true, force: true });
  }

  /** Logs how much was written, for the benchmark and for questions about the load of the disk. */
  #reportCounts(counts: WriteCounts | null): void {
    if (counts === null || counts.groups === 0) return;
    const { groups, syncs, pageWrites } = counts;
    const text = `Groups of records written: ${groups}; syncs of the disk: ${syncs}; page writes: ${pageWrites}.`;
    this.#deps.options.log.write('debug', 'journal', text);
  }

  /** Waits for a thread to close. A dead thread must not stop the closing: the folder has to be free for the next start. */
  async #ended<T>(closing: Promise<T>): Promise<T | null> {
    try {
      return await closing;
    } catch (error) {
      const said = errorText(error);
      this.#deps.options.log.write('error', 'journal', `The journal did not close cleanly: ${said}`);
      return null;
    }
  }

  #mustBeOpen(): void {
    if (this.#closing !== undefined) throw new JournalError('closed', 'the history is closed');
  }

  #mustBeWritable(): void {
    if (this.#late.error !== undefined) throw this.#late.error;
  }

  async #takesNew(): Promise<boolean> {
    if (this.#late.error !== undefined) {
      if (!(await this.#late.open())) return false;
      const reading = this.#late.readBesideWriter();
      this.#rescuing = reading;
      try {
        await reading;
      } finally {
        this.#rescuing = undefined;
      }
      this.#watchFiles();
    }
    return this.#deps.appender.ask('takesNew', null);
  }

  /** Reads only once all earlier appends can be read. */
  async #read<K extends keyof ReaderRequests>(
    kind: K,
    value: Asked<ReaderRequests, K>,
    signal?: AbortSignal,
  ): Promise<Answered<ReaderRequests, K>> {
    this.#mustBeOpen();
    signal?.throwIfAborted();
    await this.#group.settled();
    await this.#rescuing;
    await this.#catchUp.now();
    try {
      return await this.#deps.reader.ask(kind, value, signal);
    } catch (error) {
      // A page that only a cut log had looks like damage to a reader.
      if (!isBroken(error) || !(await this.#hasMendedLog())) throw this.#whyShut(error);
      return this.#deps.reader.ask(kind, value, signal);
    }
  }

  #foundDamage(messageId: string): void {
    this.damaged++;
    this.#report(
      `Message ${messageId} is damaged on disk. Sidelight does not deliver it and keeps what can be read of it in the history.`,
    );
  }

  #report(text: string): void {
    this.#deps.options.log.write('error', 'journal', text);
    this.#onTrouble(text);
  }

  #watchFiles(): void {
    for (const watch of [this.#watch, ...this.#logWatches]) watch.start();
  }

  /** Answers the watches of the log. No read waits for the question alone. */
  async #logTaken(): Promise<boolean> {
    const wants = await this.#rescue.wantsReopen();
    return wants === true ? this.#mended(() => this.#rescue.reopen()) : wants === false;
  }

  /** Has the log mended where it is not whole; false: it is whole, or could not be mended. */
  async #hasMendedLog(): Promise<boolean> {
    if (this.#rescuing !== undefined) return this.#rescuing;
    if (this.#rescue.hasFailed) return false;
    const wants = await this.#rescue.wantsReopen();
    if (wants !== true || this.#closing !== undefined) return false;
    return this.#mended(() => this.#rescue.reopen());
  }

  /** Mends what happened to a file, one at a time. */
  async #mended(mend: () => Promise<boolean>): Promise<boolean> {
    while (this.#rescuing !== undefined) await this.#rescuing;
    this.#rescuing = mend();
    return this.#rescuing.finally(() => (this.#rescuing = undefined));
  }
}

/** Whether the log may be why something failed: what is read of one that was cut may also be met as a bug. */
function isBroken(error: unknown): boolean {
  return error instanceof JournalError && (error.code === 'broken' || error.code === 'bug');
}

function numbersOfNew(records: readonly JournalRecord[]): number[] {
  const numbers: number[] = [];
  for (const record of records)
    if (record.kind === 'message.accepted') numbers.push(record.message.row.number);
  return numbers;
}
