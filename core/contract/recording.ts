/** Recordings and jobs: what `recordings.*` and `jobs.*` take and give. */
import type { DeliveryState } from './delivery.ts';
import type { ResponseRule } from './mock-app.ts';
import type { WireSubscription } from './subscription.ts';

/** `recording`: `.sidelight.jsonl`; `ndjson`: one payload per line; `bulk`: JSON entries for a bulk publish; `csv`; `har`: the attempts. */
export const EXPORT_FORMATS = ['recording', 'ndjson', 'bulk', 'csv', 'har'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Columns of a `csv` export, in their default order. */
export const CSV_COLUMNS = [
  'at',
  'number',
  'messageId',
  'pubsubname',
  'topic',
  'source',
  'eventId',
  'eventType',
  'subject',
  'contentType',
  'sizeBytes',
  'state',
  'app',
  'route',
  'attempts',
  'lastAnswer',
  'durationMs',
  'note',
  'data',
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** Which messages: those named, else those that match, else all. At most one of `messageIds` and `filter`. */
export interface RecordingChoice {
  readonly filter?: string;
  readonly messageIds?: readonly string[];
  /** Id of an imported recording; absent: the live history. */
  readonly recordingId?: string;
}

export interface ExportParams extends RecordingChoice {
  /** Default `recording`. */
  readonly format?: ExportFormat;
  /** Authorization, cookies, access keys and the like become `***`; default true. */
  readonly maskHeaders?: boolean;
  /** Paths in the data whose values become `***`, for example `card.number`; `*` stands for every member or element. */
  readonly maskPaths?: readonly string[];
  /** For `csv`. */
  readonly columns?: readonly CsvColumn[];
}

export interface ExportStarted {
  readonly jobId: string;
  /** Messages that will be in it. */
  readonly count: number;
  /** A name for the file. */
  readonly name: string;
  readonly contentType: string;
}

/** One piece of an export. The file is the texts of all parts, one after the other, as UTF-8. */
export interface ExportPart {
  readonly part: number;
  readonly text: string;
  readonly isLast: boolean;
  /** Messages written so far, of `count`. */
  readonly done: number;
  readonly count: number;
}

/** A file comes whole or in pieces: pieces after the first name the recording that the first one gave. */
export interface ImportParams {
  /** Name of the file. */
  readonly name?: string;
  readonly text: string;
  /** Goes on with this one. */
  readonly recordingId?: string;
  /** Nothing follows; default true. */
  readonly isLast?: boolean;
}

/** A line of a file that could not be used; the rest of the file is there. */
export interface RecordingProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** An imported recording: read-only, beside the live history. */
export interface Recording {
  readonly recordingId: string;
  readonly name: string;
  readonly state: 'reading' | 'ready';
  /** When and by which version it was exported; absent until its first line was read. */
  readonly exportedAt?: string;
  readonly product?: string;
  /** Values were masked when it was exported. */
  readonly isMasked: boolean;
  readonly messages: number;
  readonly lines: number;
  /** The first 100. */
  readonly problems: readonly RecordingProblem[];
  readonly problemCount: number;
  readonly subscriptions: readonly RecordedSubscription[];
  readonly rules: readonly RecordedRule[];
}

export interface RecordedSubscription extends WireSubscription {
  readonly appId: string;
}

export interface RecordedRule extends ResponseRule {
  readonly appId: string;
}

/** Messages of a recording become new messages here. */
export interface RecordingReplayParams {
  readonly recordingId: string;
  readonly filter?: string;
  readonly messageIds?: readonly string[];
  /** Absent: as fast as they are taken. */
  readonly ratePerSecond?: number;
}

/** `shell`: a recording and a shell script, for any CI. */
export const TEST_TARGETS = ['vitest', 'playwright', 'shell'] as const;
export type TestTarget = (typeof TEST_TARGETS)[number];

export interface ToTestParams extends RecordingChoice {
  readonly target?: TestTarget;
  /** Title of the test. */
  readonly name?: string;
  /** Final states that differ from the recorded ones, by delivery id. */
  readonly expect?: Readonly<Record<string, DeliveryState>>;
}

export interface ToTestResult {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Messages that a test cannot bring about again. */
  readonly skipped: readonly { readonly messageId: string; readonly reason: string }[];
}

/** Something that takes a while. */
export interface JobReport {
  readonly jobId: string;
  /** Method that began it. */
  readonly kind: string;
  readonly done: number;
  readonly count: number;
  readonly failed: readonly { readonly messageId: string; readonly reason: string }[];
  readonly running: boolean;
  readonly cancelled?: true;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** How many failed, where `failed` names the first 1,000 only. */
  readonly failures?: number;
  /** Messages removed at the end, and what brings them back (`undo`). */
  readonly removed?: number;
  readonly undoToken?: string;
  /** Why it ended before its end. */
  readonly error?: string;
}

export interface RecordingMethods {
  'recordings.export': { params: ExportParams; result: ExportStarted };
  'recordings.read': { params: { jobId: string; part: number }; result: ExportPart };
  'recordings.import': { params: ImportParams; result: Recording };
  'recordings.list': { params: Readonly<Record<string, never>>; result: { items: readonly Recording[] } };
  'recordings.close': { params: { recordingId: string }; result: null };
  'recordings.replay': {
    params: RecordingReplayParams;
    result: { jobId: string; count: number };
  };
  'recordings.toTest': { params: ToTestParams; result: ToTestResult };
}

export interface JobMethods {
  'jobs.get': { params: { jobId: string }; result: JobReport };
  'jobs.cancel': { params: { jobId: string }; result: JobReport };
}
