/**
 * Appends groups of records to the file of the newest records, in the program's thread: there they count. The writing thread follows a
 * little later with the tables. So a publish waits for one write and its sync, and for no other thread. Words: docs/maps/journal.md.
 */
import { basename, dirname } from 'node:path';

import type { Pruned, Retention } from '../../ports/journal.ts';
import type { Log } from '../../ports/log.ts';
import { Following } from './following.ts';
import { Growth } from './growth.ts';
import { HeldFile } from './held-file.ts';
import { NEWEST, NewestFile } from './newest-file.ts';
import { FrameBuffer } from './newest-frames.ts';
import { lengthOf } from './records.ts';
import type { Group, Op } from './records.ts';
import type {
  Answered,
  Asked,
  AsksWriter,
  Failure,
  GoesOn,
  HeldFiles,
  OpenFile,
  LogState,
  OpenReport,
  Reopened,
  Rescued,
  Size,
  SyncLevel,
  WriteCounts,
  WriterRequests,
} from './requests.ts';

/** Idle time after which written records go into the database itself, and free room is given back. */
const IDLE_MS = 1000;
/** Bytes that the tables take in at a time. Each part gives back its place, which new groups need meanwhile. */
const PART_BYTES = 16 * 1024 * 1024;
/** Groups that the writing thread gets by itself after the file of the newest records could not be written. */
const GROUPS_WITHOUT = 100;

const NOTHING: Size = { messages: 0, bytes: 0 };

export interface AppenderDependencies {
  readonly writer: AsksWriter;
  /** Report of the writing thread from opening the file. */
  readonly report: OpenReport;
  readonly how: OpenFile;
  readonly log: Log;
  /** Bytes that the tables take in at a time. */
  readonly partBytes?: number;
}

export class Appender implements AsksWriter {
  readonly #writer: AsksWriter;
  readonly #path: string;
  /** Size of the file of the newest records until it grows. */
  readonly #bytes: number;
  readonly #counts = { writes: 0, syncs: 0, bytes: 0 };
  /** One write at a time, so one frame. */
  readonly #frames = new FrameBuffer();
  readonly #held: HeldFile;
  readonly #following: Following;
  readonly #growth: Growth;
  #sync: SyncLevel;
  /** Number of the last group that counts. */
  #last = 0;
  /** Number of the newest message. */
  #newest = 0;
  /** Number of next groups that are not tried in the file of the newest records. */
  #without = 0;
  /** Number of running requests during which the file of the newest records must not change. */
  #alone = 0;
  #appending: Promise<void> | undefined;
  readonly #log: Log;
  #onTrouble: (text: string) => void = () => undefined;
  /** Groups that are being written and have no answer yet. */
  #underWay = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ writer, report, how, log, partBytes = PART_BYTES }: AppenderDependencies) {
    this.#writer = writer;
    this.#path = report.file + NEWEST;
    this.#sync = how.sync;
    this.#bytes = NewestFile.bytesBeside(how.ballastBytes);
    this.#held = new HeldFile(report.file);
    this.#log = log;
    this.#following = new Following(this.#fileOf(''), {
      writer,
      partBytes,
      notify: (text) => this.#notify(text),
      appendedBytes: () => this.#counts.bytes,
      paced: (isAtOnce) => this.#growth.paced(isAtOnce),
      waits: () => void this.#lookForFile(),
    });
    this.#growth = new Growth({
      writer,
      partBytes,
      folder: dirname(this.#path),
      bytes: this.#bytes,
      file: () => this.#file,
      isSynced: () => this.#sync === 'full',
      isAlone: () => this.#alone > 0,
      settle: () => this.#following.settle('settle'),
    });
    this.#goOn(report.goesOn);
  }

  /** Tells a sentence for a person when written records are lost. */
  onTrouble(listener: (text: string) => void): void {
    this.#onTrouble = listener;
  }

  get isOver(): boolean {
    return this.#writer.isOver;
  }

  /** Disk operations of the file of the newest records. */
  get counts(): WriteCounts {
    const { writes, syncs, bytes } = this.#counts;
    return { groups: writes, syncs, pageWrites: writes, newestBytes: bytes };
  }

  /**
   * Whether a message with this number can be accepted; false: only the writing thread knows. That of a publish through a tap may come behind
   * later ones, because it waits for its event: its group goes to the writing thread.
   */
  isNext(number: number): boolean {
    if (!this.#isAboveAll(number)) return false;
    this.#newest = number;
    return true;
  }

  #isAboveAll(number: number): boolean {
    return Number.isSafeInteger(number) && number > this.#newest;
  }

  /**
   * Writes calls, one write at a time. Resolves when each call is valid or refused: one error or null for each. Rejects JournalError.
   * @param isDoubtful whether one of them may have to be refused, which the tables decide
   * @param onWritten called earlier if a sync is still running and a kill of the process cannot lose the calls
   */
  async write(
    calls: Group,
    isDoubtful: boolean,
    onWritten?: () => void,
  ): Promise<readonly (Failure | null)[]> {
    this.#rest();
    this.#underWay++;
    try {
      if (!isDoubtful && this.#isOpenFor(calls)) {
        const frame = this.#frames.frameOf(calls);
        if ((await this.#hasRoomFor(frame)) && (await this.#appended(frame, onWritten))) {
          this.#nowCounts(calls);
          return calls.map(() => null);
        }
      }
      return await this.#byWriter(calls);
    } finally {
      this.#underWay--;
    }
  }

  /** True when a group that is written now can count at once: nothing else is under way, and the disk is quick enough to wait for. */
  get isAtOnce(): boolean {
    return (
      this.#isOpen &&
      this.#without === 0 &&
      this.#underWay === 0 &&
      (this.#sync === 'normal' || this.#file.isQuick)
    );
  }

  /**
   * Does what `write` does with one call, where nothing has to be waited for. False: something has to, and nothing has happened.
   * @param number of the only message in it that is new
   */
  writeNow(ops: readonly Op[], number: number): boolean {
    const calls = [ops];
    if (!this.isAtOnce || !this.#isAboveAll(number) || !this.#isSmall(calls)) return false;
    const frame = this.#frames.frameOf(calls);
    if (!this.#fits(frame)) return false;
    try {
      void this.#file.append(this.#last + 1, frame, this.#sync);
    } catch (error) {
      this.#leaveAlone(error);
      return false;
    }
    this.#newest = number;
    this.#nowCounts(calls);
    this.#rest();
    return true;
  }

  /** Sends a request to the writing thread, after all earlier appends. */
  async ask<K extends keyof WriterRequests>(
    kind: K,
    value: Asked<WriterRequests, K>,
  ): Promise<Answered<WriterRequests, K>> {
    if (kind === 'commit') {
      this.#following.wasRead();
      await this.#lookForFile();
    }
    this.#following.report();
    this.#rest();
    return this.#writer.ask(kind, value);
  }

  /** Messages that are kept and about the bytes that they take, without waiting for those that the tables do not have yet. */
  async size(): Promise<Size> {
    const waiting = this.#following.waiting();
    const { messages, bytes } = await this.#writer.ask('size', null);
    return { messages: messages + waiting.messages, bytes: bytes + waiting.bytes };
  }

  /**
   * Has old messages removed. Groups that wait go on waiting, unless messages among them are to be removed, or many older ones stay because
   * of them.
   */
  async prune(keep: Retention, slice: number): Promise<Pruned> {
    this.#rest();
    const { isShort, ...pruned } = await this.#writer.ask('prune', {
      keep,
      slice,
      stay: this.#following.stay(),
      waiting: this.#following.waiting(),
    });
    if (!isShort) return pruned;
    return this.ask('prune', { keep, slice, stay: [], waiting: NOTHING });
  }

  /** From the next group on. */
  async setSync(level: SyncLevel): Promise<void> {
    if (level === this.#sync) return;
    await this.#byItself(async () => {
      await this.ask('sync', level);
      // The next append creates the file again, as this level needs it.
      this.#file.remove();
      this.#following.beginHere();
      this.#sync = level;
    });
  }

  /** Has the thread open a file that could not be opened before. */
  async open(how: OpenFile): Promise<OpenReport> {
    // The level may have been changed since the start.
    const report = await this.ask('open', { ...how, sync: this.#sync });
    this.#goOn(report.goesOn);
    this.#held.renew();
    return report;
  }

  /** Has the thread copy a database that is not in its place; false: it is. */
  copyAway(): Promise<boolean> {
    return this.ask('copyAway', { held: this.#held.fd });
  }

  /**
   * Has the thread make the file again: what was appended before is in it. null: the file is in its place. No reader may have it open.
   * @returns what was found, and how many groups of records nothing has any more
   */
  async rescue(): Promise<(Rescued & { readonly lost: number }) | null> {
    return this.#byItself(async () => {
      const rescued = await this.ask('rescue', this.#openFiles);
      if (rescued === null) {
        await this.#begin();
        return null;
      }
      const lost = this.#lostAt(rescued.report);
      this.#goOnWith(rescued.report);
      this.#held.renew();
      return { ...rescued, lost };
    });
  }

  /**
   * Has the thread open the database again after its log was removed or cut; null: it was not. No reader may have the database open.
   * @returns what was found, and how many groups of records nothing has any more
   */
  async reopen(): Promise<(Reopened & { readonly lost: number }) | null> {
    return this.#byItself(async () => {
      const { mayAppend } = this.#following;
      // Where it fails, the file of the newest records may be removed already.
      this.#following.mayAppend = false;
      const reopened = await this.ask('reopen', this.#openFiles);
      if (reopened === null) {
        this.#following.mayAppend = mayAppend;
        return null;
      }
      const lost = this.#lostAt(reopened.report);
      this.#goOnWith(reopened.report);
      this.#held.renew();
      return { ...reopened, lost };
    });
  }

  /** What is open still, whatever became of its name. */
  get #openFiles(): HeldFiles {
    return { held: this.#held.fd, newest: this.#file.removed };
  }

  /** Groups of records that a database lacks which was opened anew. */
  #lostAt({ goesOn }: OpenReport): number {
    return Math.max(0, this.#last - (goesOn?.group ?? 0));
  }

  /** What became of the files that SQLite keeps beside the database. Groups that wait go on waiting. */
  logState(): Promise<LogState> {
    return this.#writer.ask('log', null);
  }

  /** Runs the work of an idle period, which otherwise starts after a second without writes. */
  async idle(): Promise<void> {
    await this.#following.settle('idle');
    await this.#lookForFile();
    // Where the disk refused it, the file is still as large as it was.
    this.#growth.shrinkLater();
  }

  /** Answers what the disk was asked for; null where the file was not open. Rejects JournalError: the thread died. */
  async close(): Promise<WriteCounts | null> {
    clearTimeout(this.#idleTimer);
    this.#growth.stop();
    return this.#byItself(async () => {
      this.#following.report();
      try {
        const closed = await this.#writer.ask('close', null);
        if (closed?.isSettled === true) this.#file.remove();
        return closed && this.#withOwn(closed.counts);
      } finally {
        this.#file.close();
        this.#held.close();
      }
    });
  }

  #withOwn({ groups, syncs, pageWrites, newestBytes }: WriteCounts): WriteCounts {
    const own = this.counts;
    return {
      groups: groups + own.groups,
      syncs: syncs + own.syncs,
      pageWrites: pageWrites + own.pageWrites,
      newestBytes: newestBytes + own.newestBytes,
    };
  }

  /** The thread has opened the database anew: it has taken in what the file had, as a start does, and has removed it. */
  #goOnWith({ goesOn }: OpenReport): void {
    this.#file.close();
    this.#goOn(goesOn);
  }

  #goOn(from: GoesOn | undefined): void {
    this.#following.mayAppend = from !== undefined;
    if (from === undefined) return;
    this.#following.goOnWith(this.#fileOf(from.name));
    this.#last = from.group;
    this.#newest = Math.max(this.#newest, from.message);
  }

  get #file(): NewestFile {
    return this.#following.file;
  }

  /** @param name of the database that it belongs to */
  #fileOf(name: string): NewestFile {
    return new NewestFile(this.#path, name, this.#counts, this.#bytes, undefined, (aside) =>
      this.#notify(
        `Another file was put in the place of ${basename(this.#path)} while Sidelight was using it. That file is kept as ${aside}. Leave the files of the data folder alone while Sidelight runs.`,
      ),
    );
  }

  #notify(text: string): void {
    this.#onTrouble(text);
    this.#log.write('error', 'journal', text);
  }

  /** True while groups may be appended to the file of the newest records. */
  get #isOpen(): boolean {
    return this.#following.mayAppend && !this.#writer.isOver && this.#alone === 0;
  }

  #isOpenFor(calls: Group): boolean {
    if (!this.#isOpen) return false;
    if (this.#without > 0) {
      this.#without--;
      return false;
    }
    return this.#isSmall(calls);
  }

  /** False: the calls would not fit into the file of the newest records, whatever is in it. */
  #isSmall(calls: Group): boolean {
    let characters = 0;
    for (const ops of calls) for (const op of ops) characters += lengthOf(op);
    return characters < this.#file.bytes;
  }

  /** False: the group is too large, or what is in the way cannot be taken into the tables. */
  async #hasRoomFor(frame: Buffer): Promise<boolean> {
    if (this.#fits(frame)) return true;
    await this.#following.settling;
    if (this.#fits(frame)) return true;
    await this.#following.settle('settle');
    return this.#fits(frame);
  }

  #fits(frame: Buffer): boolean {
    if (this.#file.hasRoomFor(frame)) return true;
    this.#following.report();
    if (!this.#file.wrapFor(frame)) return false;
    this.#following.beginHere();
    return true;
  }

  /** False: the file of the newest records cannot be written, or is left alone. */
  async #appended(frame: Buffer, onWritten: (() => void) | undefined): Promise<boolean> {
    if (this.#alone > 0) return false;
    try {
      this.#appending = this.#file.append(this.#last + 1, frame, this.#sync, onWritten);
      if (this.#appending !== undefined) await this.#appending;
    } catch (error) {
      this.#leaveAlone(error);
      return false;
    } finally {
      this.#appending = undefined;
    }
    return true;
  }

  /** The disk refuses an append: the database decides whether the group can be kept. Throws any other error. */
  #leaveAlone(error: unknown): void {
    if (!(error instanceof Error && 'code' in error)) throw error;
    this.#without = GROUPS_WITHOUT;
  }

  /** A group was appended and counts. */
  #nowCounts(calls: Group): void {
    this.#last++;
    this.#growth.appended();
    this.#following.appended(calls);
    if (this.#growth.isFull()) void this.#following.settle('settle');
  }

  async #byWriter(calls: Group): Promise<readonly (Failure | null)[]> {
    const number = this.#last + 1;
    const { failures, mayAppend } = await this.ask('write', { calls, number });
    if (failures.includes(null)) this.#last = number;
    this.#following.mayAppend = mayAppend;
    return failures;
  }

  /** Checks whether the file was removed or cut; the next group then creates it again. */
  async #lookForFile(): Promise<void> {
    if (this.#file.isInPlace() && !this.#file.isCut()) return;
    await this.#byItself(() => this.#begin());
  }

  /** The next group makes the file again, unless the tables cannot take in what is in this one. */
  async #begin(): Promise<void> {
    await this.#following.settle('settle');
    if (this.#file.end > this.#file.first) return;
    this.#file.close();
    this.#following.beginHere();
  }

  /** Runs `act` while nothing is appended to the file: new groups go through the writing thread, after it. */
  async #byItself<T>(act: () => Promise<T>): Promise<T> {
    this.#alone++;
    try {
      // A failed append is reported to its own caller.
      await Promise.allSettled([this.#appending]);
      await this.#growth.underWay;
      await this.#following.settling;
      return await act();
    } finally {
      this.#alone--;
    }
  }

  #rest(): void {
    if (this.#idleTimer === undefined) this.#idleTimer = setTimeout(() => void this.idle(), IDLE_MS).unref();
    else this.#idleTimer.refresh();
  }
}
