/** Parameters and results of `recordings.*` and `jobs.*`. */
import { count, filter, id, limit, messageIds, name, upTo } from './bounds.ts';
import { DELIVERY_STATES } from './delivery.ts';
import { messageRow } from './message.ts';
import { responseRule } from './mock-app.ts';
import {
  Bool,
  dictionary,
  eachOf,
  extend,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  Text,
} from './schema.ts';
import type { Static } from './schema.ts';
import { wireSubscription } from './subscription.ts';
import { COMPARED, CSV_COLUMNS, DIFFERENCES, EXPORT_FORMATS, JOINED_BY, TEST_TARGETS } from './words.ts';

export type { Compared, CsvColumn, DifferenceOf, ExportFormat, JoinedBy, TestTarget } from './words.ts';

/**
 * Chosen messages: those named, else those that match, else all. At most one of `messageIds` and `filter` is
 * given.
 */
export const recordingChoice = members({
  filter: Optional(filter),
  /** Highest number of a chosen message; not together with `messageIds`. */
  upTo: Optional(upTo),
  messageIds: Optional(messageIds),
  /** Id of an imported recording; absent: the live history. */
  recordingId: Optional(id),
});
export type RecordingChoice = Static<typeof recordingChoice>;

export const exportParams = extend(recordingChoice, {
  /** Default `recording`. */
  format: Optional(oneOf(EXPORT_FORMATS)),
  /** Whether Authorization, cookies, access keys and the like become `***`; default true. */
  maskHeaders: Optional(Bool()),
  /** Paths in the data whose values become `***`, for example `card.number`; `*` stands for every member or element. */
  maskPaths: Optional(list(Text({ minLength: 1, maxLength: 1000 }), { maxItems: 100 })),
  /** Columns for `csv`. */
  columns: Optional(list(oneOf(CSV_COLUMNS), { minItems: 1, maxItems: CSV_COLUMNS.length })),
});
export type ExportParams = Static<typeof exportParams>;

export const exportStarted = members({
  jobId: Text(),
  /** Number of messages that the export will have. */
  count: Num(),
  /** Suggested name of the file. */
  name: Text(),
  contentType: Text(),
});
export type ExportStarted = Static<typeof exportStarted>;

/** One piece of an export. The file consists of the texts of all pieces in order, as UTF-8. */
export const exportPart = members({
  part: Num(),
  text: Text(),
  isLast: Bool(),
  /** Messages written so far, of `count`. */
  done: Num(),
  count: Num(),
});
export type ExportPart = Static<typeof exportPart>;

/**
 * Parameters of an import. A file is sent whole or in pieces; pieces after the first name the recording that
 * the first call returned.
 */
export const importParams = members({
  /** Name of the file. */
  name: Optional(name),
  text: Text(),
  /** Recording that this piece continues. */
  recordingId: Optional(id),
  /** Whether this is the last piece; default true. */
  isLast: Optional(Bool()),
});
export type ImportParams = Static<typeof importParams>;

/** A line of a file that could not be used. The rest of the file is imported. */
export const recordingProblem = members({
  /** Number of the line, from 1. */
  line: Num(),
  message: Text(),
});
export type RecordingProblem = Static<typeof recordingProblem>;

export const recordedSubscription = extend(wireSubscription, {
  appId: Text(),
});
export type RecordedSubscription = Static<typeof recordedSubscription>;

export const recordedRule = extend(responseRule, {
  appId: Text(),
});
export type RecordedRule = Static<typeof recordedRule>;

/** An imported recording, which is read-only and separate from the live history. */
export const recording = members({
  recordingId: Text(),
  name: Text(),
  state: oneOf(['reading', 'ready']),
  /** Time of the export and version that made it; absent before the first line is read. */
  exportedAt: Optional(Text()),
  product: Optional(Text()),
  /** Whether values were masked in the export. */
  isMasked: Bool(),
  messages: Num(),
  lines: Num(),
  /** The first 100. */
  problems: list(recordingProblem),
  problemCount: Num(),
  /** Whether the line that ends a recording is missing: the file was cut off, or its export was. */
  endsEarly: Bool(),
  subscriptions: list(recordedSubscription),
  rules: list(recordedRule),
});
export type Recording = Static<typeof recording>;

/** Parameters of a replay of a recording, which publishes its messages as new ones. */
export const recordingReplayParams = extend(recordingChoice, {
  recordingId: id,
  /** Messages per second; absent: as fast as they are accepted. */
  ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 10_000 })),
});

export const toTestParams = extend(recordingChoice, {
  /** Kind of test; default `scenario`. */
  target: Optional(oneOf(TEST_TARGETS)),
  /** Title of the test. */
  name: Optional(name),
  /** Final states to expect instead of the recorded ones, by delivery id. */
  expect: Optional(dictionary(oneOf(DELIVERY_STATES))),
});
export type ToTestParams = Static<typeof toTestParams>;

export const toTestResult = members({
  files: list(
    members({
      name: Text(),
      text: Text(),
    }),
  ),
  /** Messages that a test cannot reproduce. */
  skipped: list(
    members({
      messageId: Text(),
      reason: Text(),
    }),
  ),
});
export type ToTestResult = Static<typeof toTestResult>;

/** The two sides of a comparison: recordings, or a recording and the live history. */
export const compareParams = members({
  /** Id of an open recording; absent: the live history. */
  before: Optional(id),
  /** Id of another open recording; absent: the live history. */
  after: Optional(id),
  /** Filter for the messages of both sides. */
  filter: Optional(filter),
  /**
   * False: app ids are compared as they are. Default: apps whose ids are on one side only are matched by
   * their subscriptions, and `apps` names them.
   */
  matchApps: Optional(Bool()),
  /** Kinds of lines to return; absent: all. The counts always include all. */
  show: Optional(list(oneOf(COMPARED), { minItems: 1, maxItems: COMPARED.length })),
  cursor: Optional(id),
  limit: Optional(limit),
});
export type CompareParams = Static<typeof compareParams>;

/** One difference between the two sides. */
export const difference = members({
  what: oneOf(DIFFERENCES),
  /** App of the delivery that differs; absent: the message itself differs. */
  appId: Optional(Text()),
  /** Value on this side in one line, cut if it is long; absent: this side has none. */
  before: Optional(Text()),
  after: Optional(Text()),
});
export type Difference = Static<typeof difference>;

/** A message of one side, or a pair of matched messages. */
export const comparedMessage = members({
  is: oneOf(COMPARED),
  /** How two messages were matched; absent: there is only one. */
  joinedBy: Optional(oneOf(JOINED_BY)),
  before: Optional(messageRow),
  after: Optional(messageRow),
  differences: list(difference),
});
export type ComparedMessage = Static<typeof comparedMessage>;

export const compareResult = members({
  counts: eachOf(COMPARED, count),
  /** Apps that were matched although their ids differ. */
  apps: list(members({ before: Text(), after: Text() })),
  /**
   * Lines in the order of `before`. A message that is only in `after` follows the one before it in `after`.
   */
  items: list(comparedMessage),
  nextCursor: orNull(Text()),
});
export type CompareResult = Static<typeof compareResult>;

/** Progress of a job. */
export const jobReport = members({
  jobId: Text(),
  /** Method that started the job. */
  kind: Text(),
  /** Number of items that are done, without failed ones. */
  done: Num(),
  count: Num(),
  /** Recording to which the messages of `failed` belong; absent: the live history. */
  recordingId: Optional(Text()),
  failed: list(
    members({
      messageId: Text(),
      reason: Text(),
    }),
  ),
  running: Bool(),
  cancelled: Optional(Literal(true)),
  startedAt: Optional(Text()),
  endedAt: Optional(Text()),
  /** Number of failed items, if `failed` names only the first 1,000. */
  failures: Optional(Num()),
  /** Number of messages removed at the end, and the token that restores them (`undo`). */
  removed: Optional(Num()),
  undoToken: Optional(Text()),
  /** Why the job ended early. */
  error: Optional(Text()),
});
export type JobReport = Static<typeof jobReport>;
