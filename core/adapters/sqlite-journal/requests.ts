/** Requests to the journal's threads, and their answers. */
import type { MessageRow } from '../../contract/message.ts';
import type { Facet } from '../../domain/facet.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import type { Sortable } from '../../domain/row-order.ts';
import type {
  ColumnValues,
  MessageSummary,
  JournalError,
  JournalStats,
  MessageDetailSource,
  Pruned,
  Retention,
  ScanSlice,
  TopicName,
  TopicTotals,
} from '../../ports/journal.ts';
import type { Page } from '../stored/paging.ts';
import type { UnfinishedSlice } from './reader.ts';
import type { Op } from './records.ts';
import type { PageQuery } from './search.ts';

/** `full`: on disk before it counts, also after a power loss; `normal`: survives a killed process. */
export type SyncLevel = 'full' | 'normal';

export interface OpenFile {
  readonly folder: string;
  readonly sync: SyncLevel;
  /** Room kept free for what has to be written on a full disk; 0 = none. */
  readonly ballastBytes: number;
  /** Pages the file may have, to try a full disk; undefined: no limit. */
  readonly maxPages?: number | undefined;
}

/** A slow step of opening a file, reported as it begins; `bytes`: size of the file. */
export type OpenStep =
  | { readonly kind: 'check' | 'salvage'; readonly bytes: number }
  /** The first step of the way from one format to another; `aside`: the file cannot be written, its copy goes that way. */
  | {
      readonly kind: 'copy';
      readonly bytes: number;
      readonly copy: string;
      readonly from: number;
      readonly to: number;
      readonly aside?: true;
    }
  | { readonly kind: 'migrate'; readonly to: number };

export type ReportStep = (step: OpenStep) => void;

/** State found when the file was opened. */
export interface OpenReport {
  readonly file: string;
  /** Version of the built-in SQLite. */
  readonly sqlite: string;
  /** The file is new. */
  readonly isNew: boolean;
  /** The last process did not close it. */
  readonly wasUnclean: boolean;
  /** True when newest records of the last process were not taken in, or not all of them: a note says which. */
  readonly mayMiss?: boolean;
  /** Set when the file was damaged. */
  readonly salvage?: SalvageReport;
  /** Set when nothing can be written: every append is refused with this. */
  readonly refuses?: Failure;
  /** True when only room is missing and all that was written can be read: the file is opened as soon as there is room. */
  readonly waitsForRoom?: true;
  /** Sentences for a person. */
  readonly notes: readonly string[];
  /** Point from which writing continues; absent when nothing can be written. */
  readonly goesOn?: GoesOn;
}

/** Point from which the newest records of an open file continue. */
export interface GoesOn {
  /** Ties the file of the newest records to the database. */
  readonly name: string;
  /** Number of the last group of records. */
  readonly group: number;
  /** Number of the newest message. */
  readonly message: number;
}

/** A part of the file of the newest records that is to be taken into the tables. Places in bytes. */
export interface Piece {
  readonly fd: number;
  readonly from: number;
  readonly to: number;
}

/** The open file of the database, which is copied where SQLite cannot read it any more; undefined: it could not be opened. */
export interface Held {
  readonly held: number | undefined;
}

/** The open files of database and newest records. `newest` undefined: that file is in its place, or was never made. */
export interface HeldFiles extends Held {
  readonly newest: number | undefined;
}

/** What is kept. */
export interface Size {
  readonly messages: number;
  readonly bytes: number;
}

/** Whether what is appended to the newest records from now on will be taken into the tables. */
export interface Follows {
  readonly mayAppend: boolean;
}

export interface SalvageReport {
  /** Where the damaged file is now. */
  readonly setAside: string;
  readonly messages: number;
  /** Number of saved messages that lost a part: a delivery, an attempt. */
  readonly partly: number;
  /** Number of lost messages, as far as known. */
  readonly lost: number;
  /** True if data other than messages was lost: settings, holds, rules, views. */
  readonly keptInPart: boolean;
}

/** What became of the files that SQLite keeps beside an open database; `unknown`: the database itself is not in its place. */
export type LogState = 'whole' | 'removed' | 'cut' | 'unknown';

/** Why the database was opened again, and what was found then. */
export interface Reopened {
  readonly why: Extract<LogState, 'removed' | 'cut'>;
  readonly report: OpenReport;
}

/** The database is open again at its place. */
export interface Rescued {
  /** New name of what was there, null: nothing was. */
  readonly setAside: string | null;
  /** False: nobody had the file open when it was removed, so what only that file had is lost. */
  readonly isSaved: boolean;
  readonly report: OpenReport;
}

export interface Failure {
  readonly code: JournalError['code'];
  readonly message: string;
  /** What SQLite or the system said, or the stack of a bug. */
  readonly cause?: string;
}

/** Disk operations since the file was opened. */
export interface WriteCounts {
  /** Groups of records. */
  readonly groups: number;
  readonly syncs: number;
  /** Pages of the log and of the database, and appends to the file of the newest records. */
  readonly pageWrites: number;
  /** Bytes of those appends. */
  readonly newestBytes: number;
}

/** One kind of request: what is asked, what is answered. */
interface Exchange<Asked, Answered> {
  readonly asked: Asked;
  readonly answered: Answered;
}

export interface WriterRequests {
  readonly open: Exchange<OpenFile, OpenReport>;
  /** Groups that count: the tables are to have them too. Answers why single calls of them were left out. */
  readonly follow: Exchange<
    Piece,
    Follows & {
      readonly refused: readonly Failure[];
      /** New messages in the groups that could be read; absent: all could. */
      readonly readMessages?: number;
    }
  >;
  /** Writes calls that are not appended to the newest records: one failure or null for each call. `number` of the group. */
  readonly write: Exchange<
    { readonly calls: readonly (readonly Op[])[]; readonly number: number },
    Follows & { readonly failures: readonly (Failure | null)[] }
  >;
  /** True: the tables have everything, as safe as it has to be. */
  readonly settle: Exchange<null, boolean>;
  /** As `settle`, during idle time: free room in the file is given back as well. */
  readonly idle: Exchange<null, boolean>;
  /** Writes zeros into a part of the file of the newest records that has no frames yet; false: the disk refuses it. */
  readonly prepare: Exchange<Piece, boolean>;
  /**
   * Removes old messages. `waiting`: what this thread was not told of counts too. `isShort`: messages among that are to be removed, and
   * nothing has happened.
   */
  readonly prune: Exchange<
    {
      readonly keep: Retention;
      readonly slice: number;
      /** Ids of messages that groups of which this thread was not told open again or pin. */
      readonly stay: readonly string[];
      readonly waiting: Size;
    },
    Pruned & { readonly isShort: boolean }
  >;
  /** What this thread was told of. */
  readonly size: Exchange<null, Size>;
  readonly sync: Exchange<SyncLevel, null>;
  /** Makes all written records visible to readers; false: the tables have no room for some of them yet. */
  readonly commit: Exchange<null, boolean>;
  /** Whether a new message would be taken now: there is room, and the file can be written. */
  readonly takesNew: Exchange<null, boolean>;
  /** The file was removed while it was open: what is in it goes into a copy beside its place. False: it is in its place. */
  readonly copyAway: Exchange<Held, boolean>;
  /** Second step: the copy takes the file's place. null: the file is in its place. */
  readonly rescue: Exchange<HeldFiles, Rescued | null>;
  /** What became of the log while it was in use. */
  readonly log: Exchange<null, LogState>;
  /** Opens the database again where its log was removed or cut; null: it was not. No reader may have it open. */
  readonly reopen: Exchange<HeldFiles, Reopened | null>;
  /** Answers what the disk was asked for, and whether the tables have everything; null where the file was not open. */
  readonly close: Exchange<null, { readonly counts: WriteCounts; readonly isSettled: boolean } | null>;
}

export interface ReaderRequests {
  readonly open: Exchange<{ readonly file: string; readonly how: 'beside-writer' | 'read-only' }, null>;
  readonly page: Exchange<PageQuery, Page>;
  readonly scan: Exchange<PageQuery, ScanSlice>;
  readonly test: Exchange<
    { readonly numbers: readonly number[]; readonly filter: Filter; readonly nowMs: number },
    readonly number[]
  >;
  readonly get: Exchange<string, MessageDetailSource | undefined>;
  readonly details: Exchange<readonly number[], readonly (MessageDetailSource | undefined)[]>;
  readonly messageOfDelivery: Exchange<string, string | undefined>;
  readonly rows: Exchange<readonly number[], readonly (MessageRow | undefined)[]>;
  readonly columnValues: Exchange<
    { readonly numbers: readonly number[]; readonly column: Sortable },
    ColumnValues
  >;
  readonly summaries: Exchange<
    { readonly numbers: readonly number[]; readonly facets: readonly Facet[] },
    readonly (MessageSummary | undefined)[]
  >;
  /** JSON text. */
  readonly kept: Exchange<string, string | undefined>;
  readonly lastSequence: Exchange<null, number>;
  readonly stats: Exchange<null, JournalStats>;
  readonly totals: Exchange<readonly TopicName[], readonly TopicTotals[]>;
  readonly unfinished: Exchange<{ readonly after: number; readonly last: number }, UnfinishedSlice>;
  readonly close: Exchange<null, null>;
}

export type Asked<R, K extends keyof R> = R[K] extends Exchange<infer A, unknown> ? A : never;
export type Answered<R, K extends keyof R> = R[K] extends Exchange<unknown, infer A> ? A : never;

/** The writing thread, or a test double. */
export interface AsksWriter {
  ask<K extends keyof WriterRequests>(
    kind: K,
    value: Asked<WriterRequests, K>,
  ): Promise<Answered<WriterRequests, K>>;
  readonly isOver: boolean;
}
