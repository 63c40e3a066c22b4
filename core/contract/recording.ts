/** Recordings and jobs: what `recordings.*` and `jobs.*` take and give. */
import { count, filter, id, limit, messageIds, name } from './bounds.ts';
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

/** Which messages: those named, else those that match, else all. At most one of `messageIds` and `filter`. */
export const recordingChoice = members({
  filter: Optional(filter),
  messageIds: Optional(messageIds),
  /** Id of an imported recording; absent: the live history. */
  recordingId: Optional(id),
});
export type RecordingChoice = Static<typeof recordingChoice>;

export const exportParams = extend(recordingChoice, {
  /** Default `recording`. */
  format: Optional(oneOf(EXPORT_FORMATS)),
  /** Authorization, cookies, access keys and the like become `***`; default true. */
  maskHeaders: Optional(Bool()),
  /** Paths in the data whose values become `***`, for example `card.number`; `*` stands for every member or element. */
  maskPaths: Optional(list(Text({ minLength: 1, maxLength: 1000 }), { maxItems: 100 })),
  /** For `csv`. */
  columns: Optional(list(oneOf(CSV_COLUMNS), { minItems: 1, maxItems: CSV_COLUMNS.length })),
});
export type ExportParams = Static<typeof exportParams>;

export const exportStarted = members({
  jobId: Text(),
  /** Messages that will be in it. */
  count: Num(),
  /** A name for the file. */
  name: Text(),
  contentType: Text(),
});
export type ExportStarted = Static<typeof exportStarted>;

/** One piece of an export. The file is the texts of all parts, one after the other, as UTF-8. */
export const exportPart = members({
  part: Num(),
  text: Text(),
  isLast: Bool(),
  /** Messages written so far, of `count`. */
  done: Num(),
  count: Num(),
});
export type ExportPart = Static<typeof exportPart>;

/** A file comes whole or in pieces: pieces after the first name the recording that the first one gave. */
export const importParams = members({
  /** Name of the file. */
  name: Optional(name),
  text: Text(),
  /** Goes on with this one. */
  recordingId: Optional(id),
  /** Nothing follows; default true. */
  isLast: Optional(Bool()),
});
export type ImportParams = Static<typeof importParams>;

/** A line of a file that could not be used; the rest of the file is there. */
export const recordingProblem = members({
  /** From 1. */
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

/** An imported recording: read-only, beside the live history. */
export const recording = members({
  recordingId: Text(),
  name: Text(),
  state: oneOf(['reading', 'ready']),
  /** When and by which version it was exported; absent until its first line was read. */
  exportedAt: Optional(Text()),
  product: Optional(Text()),
  /** Values were masked when it was exported. */
  isMasked: Bool(),
  messages: Num(),
  lines: Num(),
  /** The first 100. */
  problems: list(recordingProblem),
  problemCount: Num(),
  subscriptions: list(recordedSubscription),
  rules: list(recordedRule),
});
export type Recording = Static<typeof recording>;

/** Messages of a recording become new messages here. */
export const recordingReplayParams = extend(recordingChoice, {
  recordingId: id,
  /** Absent: as fast as they are taken. */
  ratePerSecond: Optional(Num({ minimum: 0.01, maximum: 10_000 })),
});

export const toTestParams = extend(recordingChoice, {
  /** Default `scenario`. */
  target: Optional(oneOf(TEST_TARGETS)),
  /** Title of the test. */
  name: Optional(name),
  /** Final states that differ from the recorded ones, by delivery id. */
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
  /** Messages that a test cannot bring about again. */
  skipped: list(
    members({
      messageId: Text(),
      reason: Text(),
    }),
  ),
});
export type ToTestResult = Static<typeof toTestResult>;

/** Two recordings, or a recording and the live history. */
export const compareParams = members({
  /** Id of an open recording; absent: the live history. */
  before: Optional(id),
  /** Id of another one; absent: the live history. */
  after: Optional(id),
  /** Only messages that match, on both sides. */
  filter: Optional(filter),
  /** False: each app id is an app of its own. Default: ids that are on one side only are matched by their subscriptions, as `apps` names them. */
  matchApps: Optional(Bool()),
  /** Which lines are wanted; absent: all of them. Counts are always of all. */
  show: Optional(list(oneOf(COMPARED), { minItems: 1, maxItems: COMPARED.length })),
  cursor: Optional(id),
  limit: Optional(limit),
});
export type CompareParams = Static<typeof compareParams>;

/** One thing that is not the same on both sides. */
export const difference = members({
  what: oneOf(DIFFERENCES),
  /** The app of the delivery that it is about; absent: it is about the message. */
  appId: Optional(Text()),
  /** In one line, cut where it is long; absent: there is nothing on this side. */
  before: Optional(Text()),
  after: Optional(Text()),
});
export type Difference = Static<typeof difference>;

/** A message of either side, or two that are taken for the same one. */
export const comparedMessage = members({
  is: oneOf(COMPARED),
  /** Why two messages are taken for the same one; absent: there is only one. */
  joinedBy: Optional(oneOf(JOINED_BY)),
  before: Optional(messageRow),
  after: Optional(messageRow),
  differences: list(difference),
});
export type ComparedMessage = Static<typeof comparedMessage>;

export const compareResult = members({
  counts: eachOf(COMPARED, count),
  /** Apps that are taken for the same one under another id. */
  apps: list(members({ before: Text(), after: Text() })),
  /** In the order of `before`; messages that are only in `after` follow the one that they came after. */
  items: list(comparedMessage),
  nextCursor: orNull(Text()),
});
export type CompareResult = Static<typeof compareResult>;

/** Something that takes a while. */
export const jobReport = members({
  jobId: Text(),
  /** Method that began it. */
  kind: Text(),
  /** How many are done; those that failed are not among them. */
  done: Num(),
  count: Num(),
  /** Recording that the messages of `failed` are of; absent: the live history. */
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
  /** How many failed, where `failed` names the first 1,000 only. */
  failures: Optional(Num()),
  /** Messages removed at the end, and what brings them back (`undo`). */
  removed: Optional(Num()),
  undoToken: Optional(Text()),
  /** Why it ended before its end. */
  error: Optional(Text()),
});
export type JobReport = Static<typeof jobReport>;
