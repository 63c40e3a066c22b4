/** Closed lists of words that messages, views and exports are told with. */

/** How a message came in; `elsewhere`: a tap saw it delivered, and nobody here saw it published. */
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

/** The state of a message before its deliveries, or without any. */
export const STAGES = ['held', 'waiting', 'refused', 'dropped', 'expired'] as const;
export type Stage = (typeof STAGES)[number];

/** What one word says of a message, what needs attention most first; `none`: no subscription matched. */
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
  'processed',
] as const;
export type RowState = (typeof ROW_STATES)[number];

export const ATTEMPT_ERRORS = ['refused', 'reset', 'timeout', 'cancelled'] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERRORS)[number];

/** `recording`: `.sidelight.jsonl`; `ndjson`: one payload per line; `bulk`: JSON entries for a bulk publish; `csv`; `har`: the attempts. */
export const EXPORT_FORMATS = ['recording', 'ndjson', 'bulk', 'csv', 'har'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What comparing two recordings says of a message: it is in both, and alike or not, or in one of them only. */
export const COMPARED = ['same', 'changed', 'only-before', 'only-after'] as const;
export type Compared = (typeof COMPARED)[number];

/** Why a message of each recording are taken for the same one; see domain/recording/join.ts. */
export const JOINED_BY = ['id', 'data', 'order'] as const;
export type JoinedBy = (typeof JOINED_BY)[number];

/** What can differ between two messages: of the message itself, then of one of its deliveries. */
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

/** `scenario`: a file for `sidelight test`; `vitest`: a test that runs it as well. */
export const TEST_TARGETS = ['scenario', 'vitest'] as const;
export type TestTarget = (typeof TEST_TARGETS)[number];

/** What `groupBy` of `view.open` can be beside a path such as `data.order.id`. `repeats`: same second, topic, type and answer. */
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
/** Columns that `sortBy` of `view.open` can name beside a path such as `data.order.id`. */
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

/** Characters of a payload that a line of a list shows. */
export const PREVIEW_CHARS = 200;
