/** Maps the list's columns to those of a CSV export. */
import type { CsvColumn } from '../../core/contract/recording.ts';

const BY_COLUMN: Readonly<Record<string, CsvColumn>> = {
  number: 'number',
  time: 'at',
  app: 'app',
  pubsub: 'pubsubname',
  topic: 'topic',
  type: 'eventType',
  eventId: 'eventId',
  subject: 'subject',
  state: 'state',
  attempts: 'attempts',
  answer: 'lastAnswer',
  duration: 'durationMs',
  size: 'sizeBytes',
  contentType: 'contentType',
  route: 'route',
  origin: 'source',
};

/**
 * CSV columns in the order of the list. Columns that depend on the present moment, such as the next attempt,
 * have none.
 */
export function csvColumnsOf(columns: readonly string[]): readonly CsvColumn[] {
  return columns.flatMap((id) => BY_COLUMN[id] ?? []);
}
