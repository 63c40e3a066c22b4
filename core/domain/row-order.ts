/** Sorts paused lists: the value of each column, read from a row, and how two values compare. */
import { foremost, rankOf } from '../contract/attention.ts';
import type { MessageRow } from '../contract/message.ts';
import { SORTABLE } from '../contract/words.ts';
import { answerText } from './answer-text.ts';
import { worstState } from './facet.ts';

export type SortValue = string | number | undefined;
export type Sortable = (typeof SORTABLE)[number];

/** Reads the name of a column; undefined: no column has it. */
export function readSortable(text: string): Sortable | undefined {
  return SORTABLE.find((each) => each === text);
}

function moment(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at);
}

const VALUES: Readonly<Record<Sortable, (row: MessageRow) => SortValue>> = {
  number: ({ number }) => number,
  time: ({ at }) => Date.parse(at),
  app: ({ appId }) => appId,
  pubsub: ({ pubsubname }) => pubsubname,
  topic: ({ topic }) => topic,
  type: ({ eventType }) => eventType,
  eventId: ({ eventId }) => eventId,
  subject: ({ subject }) => subject,
  state: (row) => rankOf(worstState(row)),
  attempts: ({ deliveries }) => deliveries.reduce((sum, { attempts }) => sum + attempts, 0),
  answer: (row) => answerText(foremost(row.deliveries)?.lastAnswer),
  duration: (row) => foremost(row.deliveries)?.lastDurationMs,
  cause: (row) => foremost(row.deliveries)?.rule,
  next: (row) => moment(foremost(row.deliveries)?.nextAttemptAt),
  expires: ({ expiresAt }) => moment(expiresAt),
  size: ({ sizeBytes }) => sizeBytes,
  contentType: ({ contentType }) => contentType,
  route: (row) => foremost(row.deliveries)?.route,
  origin: ({ source }) => source,
  batch: ({ batchId }) => batchId,
  trace: ({ traceId }) => traceId,
  streamId: ({ broker }) => broker?.['id'],
  consumer: ({ broker }) => broker?.['consumer'],
};

/** Value of a row in a column; undefined: it has none. Times are in ms since 1970. */
export function sortValueOf(by: Sortable, row: MessageRow): SortValue {
  return VALUES[by](row);
}

/** A text of a payload; one that reads as a number is compared as a number. */
export function payloadValue(text: string | undefined): SortValue {
  if (text === undefined || text.trim() === '') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

/**
 * Compares two values; negative: `a` comes first in ascending order. Numbers come before texts; rows without
 * a value come last in both directions.
 */
export function compareValues(a: SortValue, b: SortValue, isDown: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (a === b) return 0;
  const isLess = typeof a === typeof b ? a < b : typeof a === 'number';
  return isLess === isDown ? 1 : -1;
}
