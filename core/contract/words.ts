/** Closed lists of words for messages, views and exports. */

/**
 * Origins of a message. `elsewhere`: a tap saw its delivery, or a broker gave it, and the history has no publish of it: none was seen here,
 * or it was removed since.
 */
export const ORIGINS = [
  'http',
  'bulk',
  'grpc',
  'grpc-bulk',
  'console',
  'replay',
  'binding',
  'dead-letter',
  'elsewhere',
] as const;
export type Origin = (typeof ORIGINS)[number];

/** State of a message that has no deliveries, or none yet. */
export const STAGES = ['held', 'waiting', 'refused', 'dropped', 'expired'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * State of a message in one word; the one that needs attention most comes first. `none`: no subscription
 * matched. `unseen`: no delivery of it was seen here, though there may be one. It was published through a tap,
 * whose sidecar alone knows its subscriptions, or a broker has it that may give it to another program of a
 * group.
 */
export const ROW_STATES = [
  'parked',
  'dead-lettered',
  'refused',
  'expired',
  'held',
  'retrying',
  'attempting',
  'waiting',
  'queued',
  'dropped',
  'none',
  'unseen',
  'processed',
] as const;
export type RowState = (typeof ROW_STATES)[number];

export const ATTEMPT_ERRORS = ['refused', 'reset', 'timeout', 'cancelled'] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERRORS)[number];

/**
 * Formats of an export. `recording`: `.sidelight.jsonl`. `ndjson`: one payload per line. `bulk`: JSON entries
 * for a bulk publish. `csv`. `har`: the attempts.
 */
export const EXPORT_FORMATS = ['recording', 'ndjson', 'bulk', 'csv', 'har'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Results for a message when two recordings are compared: in both and equal, in both and different, or in one
 * of them only.
 */
export const COMPARED = ['same', 'changed', 'only-before', 'only-after'] as const;
export type Compared = (typeof COMPARED)[number];

/** How messages of two recordings are matched; see domain/recording/match-messages.ts. */
export const JOINED_BY = ['id', 'data', 'order'] as const;
export type JoinedBy = (typeof JOINED_BY)[number];

/** Kinds of difference between two messages: of the message itself, then of one of its deliveries. */
export const DIFFERENCES = [
  'data',
  'contentType',
  'type',
  'subject',
  'attributes',
  'metadata',
  'stage',
  'delivery',
  'app',
  'state',
  'route',
  'answers',
] as const;
export type DifferenceOf = (typeof DIFFERENCES)[number];

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

/** Kinds of test. `scenario`: a file for `sidelight test`. `vitest`: a test that runs it as well. */
export const TEST_TARGETS = ['scenario', 'vitest'] as const;
export type TestTarget = (typeof TEST_TARGETS)[number];

/**
 * Groupings that `groupBy` of `view.open` accepts beside a path such as `data.order.id`. `repeats`: equal
 * second, topic, type and answer.
 */
export const GROUPINGS = [
  'topic',
  'type',
  'state',
  'route',
  'answer',
  'trace',
  'correlation',
  'batch',
  'replay',
  'repeats',
] as const;
/** Order of groups: by their value, by the state that needs attention most, or by the time of their first message. */
export type GroupOrder = 'name' | 'attention' | 'time';
/** The order of each grouping. Groups of a path into the payload are in the order of time: there is no end to their values. */
export const GROUP_ORDERS: Readonly<Record<(typeof GROUPINGS)[number], GroupOrder>> = {
  topic: 'name',
  type: 'name',
  state: 'attention',
  route: 'name',
  answer: 'name',
  trace: 'time',
  correlation: 'time',
  batch: 'time',
  replay: 'time',
  repeats: 'time',
};
/** Columns that `sortBy` of `view.open` accepts beside a path such as `data.order.id`. */
export const SORTABLE = [
  'number',
  'time',
  'app',
  'pubsub',
  'topic',
  'type',
  'eventId',
  'subject',
  'state',
  'attempts',
  'answer',
  'duration',
  'cause',
  'next',
  'expires',
  'size',
  'contentType',
  'route',
  'origin',
  'batch',
  'trace',
  'streamId',
  'consumer',
] as const;
export const HOLD_POINTS = ['publish', 'delivery', 'response'] as const;
export type HoldPoint = (typeof HOLD_POINTS)[number];

export const REFERENCE_HINT_IDS = [
  'rule-extension-function',
  'rule-refused',
  'rule-unquoted-word',
  'rule-not-compared',
  'raw-payload-quoted',
  'batch-drop-split',
  'trace-not-text',
  'dead-letter-at-once',
  'expired-dead-letter',
  'redis-redelivery',
  'redis-redeliver-interval',
  'redis-batch-size',
  'lost-after-one-attempt',
  'batch-also-to-root',
] as const;
export type ReferenceHintId = (typeof REFERENCE_HINT_IDS)[number];

/** Maximum number of characters of a payload in a line of a list. */
export const PREVIEW_CHARS = 200;
