/**
 * Has the writing thread follow with the tables: tells it, after a while, what was appended to the file of the newest records, and has the
 * tables take all of it in, which frees its place. Words: docs/maps/journal.md.
 */
import { basename } from 'node:path';

import { counted } from '../../contract/count-text.ts';
import { errorText } from '../../contract/error-text.ts';
import { JournalError } from '../../ports/journal.ts';
import type { NewestFile } from './newest-file.ts';
import { paceAfter, stepAfter } from './pace.ts';
import type { Group } from './records.ts';
import type { Answered, AsksWriter, Size, WriterRequests } from './requests.ts';
import { Unreported } from './unreported.ts';
import type { Told } from './unreported.ts';

/** Open deliveries and changed messages in groups that wait whose messages are named to a removal. */
const MAX_NAMED = 10_000;

export interface FollowingDependencies {
  readonly writer: AsksWriter;
  /** Bytes that the tables take in at a time. */
  readonly partBytes: number;
  /** Bytes that were ever appended. */
  readonly appendedBytes: () => number;
  /** What is appended from now on waits for a short or a long time. */
  readonly paced: (isAtOnce: boolean) => void;
  /** Called now and then while groups wait. */
  readonly waits: () => void;
  /** Tells a person, for good. */
  readonly notify: (text: string) => void;
}

export class Following {
  /** True while the writing thread can take appended groups into the tables. */
  mayAppend = false;
  readonly #deps: FollowingDependencies;
  readonly #unreported: Unreported;
  #file: NewestFile;
  /** Time of the last read. */
  #readAt = -Infinity;
  #pace = paceAfter(Infinity);
  /** Bytes that had been appended at the last look. */
  #lookedAt = 0;
  /** Time at which the oldest group was appended that the tables do not have safely; undefined: they are being given all. */
  #unsafeSince: number | undefined;
  #settling: Promise<void> | undefined;
  #lookTimer: NodeJS.Timeout | undefined;

  /** @param file that is in use */
  constructor(file: NewestFile, deps: FollowingDependencies) {
    this.#deps = deps;
    this.#file = file;
    this.#unreported = new Unreported(file.end, deps.partBytes);
  }

  /** The file in use. */
  get file(): NewestFile {
    return this.#file;
  }

  /** The file of a database that is open now. */
  goOnWith(file: NewestFile): void {
    this.#file = file;
    this.beginHere();
  }

  /** Nothing that was appended before is to be told any more. */
  beginHere(): void {
    this.#unreported.beginAt(this.#file.end);
  }

  /** Undefined: nothing is being taken in. */
  get settling(): Promise<void> | undefined {
    return this.#settling;
  }

  /** A group was appended. */
  appended(calls: Group): void {
    this.#unreported.add(calls, this.#file.end);
    this.#unsafeSince ??= performance.now();
    if (this.#lookTimer === undefined) this.#lookLater();
    if (this.#file.end - this.#unreported.from > this.#pace.mostBytes) this.report();
  }

  /** Somebody reads. */
  wasRead(): void {
    this.#readAt = performance.now();
    this.#pace = paceAfter(0);
    this.#deps.paced(true);
  }

  /** What the writing thread does not know of yet. It is told of removals, because only the tables know what goes with them. */
  waiting(): Size {
    if (this.#unreported.removes) this.report();
    return { messages: this.#unreported.messages, bytes: this.#file.end - this.#unreported.from };
  }

  /** Ids of messages that may have ended in the tables and not in what the writing thread does not know yet. It is told where they are many. */
  stay(): readonly string[] {
    if (this.#unreported.staying > MAX_NAMED) this.report();
    return this.#unreported.stay;
  }

  /** Tells the writing thread of all groups that it does not know yet. */
  report(): void {
    this.#follow(this.#unreported.takeAll(this.#file.end));
  }

  /** Has the tables take everything in, which frees the file. One at a time. Never rejects: the next write reports a failure. */
  settle(how: 'settle' | 'idle'): Promise<void> {
    return (this.#settling ??= this.#settled(how).finally(() => (this.#settling = undefined)));
  }

  #lookLater(): void {
    this.#pace = paceAfter(performance.now() - this.#readAt);
    const { lookMs, mostBytes } = this.#pace;
    this.#deps.paced(Number.isFinite(mostBytes));
    this.#lookedAt = this.#deps.appendedBytes();
    this.#lookTimer = setTimeout(() => this.#look(), lookMs).unref();
  }

  /** Tells the writing thread what was appended, unless that can wait. */
  #look(): void {
    const grown = this.#deps.appendedBytes() - this.#lookedAt;
    const now = performance.now();
    const step = stepAfter(this.#pace, grown, now - (this.#unsafeSince ?? now));
    if (step === 'tell') return this.report();
    if (step === 'settle' && this.#settling === undefined) return void this.settle('settle');
    this.#lookLater();
    this.#deps.waits();
  }

  /** Tells the writing thread of the oldest part that it does not know, or of all groups where they make no part. */
  #reportPart(): void {
    this.#follow(this.#unreported.takePart(this.#file.end));
  }

  #follow({ from, to, messages }: Told): void {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    const piece = this.#file.piece(from, to);
    if (piece !== undefined) void this.#followed(this.#deps.writer.ask('follow', piece), messages);
  }

  /** @param messages that are new in what is followed */
  async #followed(answer: Promise<Answered<WriterRequests, 'follow'>>, messages: number): Promise<void> {
    try {
      const { mayAppend, refused, readMessages } = await answer;
      if (readMessages !== undefined) this.#lost(messages - readMessages);
      if (!mayAppend) this.mayAppend = false;
      for (const { message } of refused) this.#warn(message);
    } catch (error) {
      this.mayAppend = false;
      // A dead thread is reported to the next caller who writes, and the next start finds the appended groups. Where the database could not
      // be opened again, the next try takes them in.
      const isClosed = error instanceof JournalError && error.code === 'closed';
      if (!this.#deps.writer.isOver && !isClosed) this.#warn(errorText(error));
    }
  }

  #warn(reason: string): void {
    this.#deps.notify(`Some of the newest records are not in the history: ${reason}`);
  }

  /** @param messages that were accepted and that nothing has any more */
  #lost(messages: number): void {
    const what =
      messages > 0
        ? `${counted(messages, 'new message')} and the newest changes of others`
        : 'The newest changes of messages';
    this.#deps.notify(
      `Another program cut or changed ${basename(this.#file.path)} while Sidelight was using it. ${what} are lost. Sidelight goes on with what is left. Leave the files of the data folder alone while Sidelight runs.`,
    );
  }

  async #settled(how: 'settle' | 'idle'): Promise<void> {
    this.#unsafeSince = undefined;
    // Where the database is opened again meanwhile, places of this file say nothing of the one that follows.
    const file = this.#file;
    const { end, lap } = file;
    try {
      for (let isLast = false; !isLast;) {
        this.#reportPart();
        const told = { end: this.#unreported.from, lap: file.lap };
        // Before writing starts again at the beginning of the file the thread is told of all that is in it.
        isLast = told.lap !== lap || told.end >= end;
        const isSafe = await this.#deps.writer.ask(isLast ? how : 'settle', null);
        if (this.#file !== file) return;
        if (isSafe) file.free(told.end, told.lap);
        else {
          this.mayAppend = false;
          break;
        }
      }
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      if (this.#file !== file) return;
      this.mayAppend = false;
    }
    if (file.end === file.first) this.#unreported.beginAt(file.end);
  }
}
