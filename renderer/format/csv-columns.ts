/** The columns of a CSV export that say what the list shows. */
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

/** In the order of the list; columns that are about the moment of looking, such as the next attempt, have none. */
export function csvColumnsOf(columns: readonly string[]): readonly CsvColumn[] {
  return columns.flatMap((id) => BY_COLUMN[id] ?? []);
}
