/** Finds one entry's part in a bulk request or its answer. */
import type { RecordedBody } from '../../core/contract/message.ts';
import { textOfPointer } from './json-pointer.ts';

/**
 * The element of `entries` or `statuses` with this id, as written; undefined: the body has none that can be
 * read.
 */
export function batchEntryText(
  { body, bodyBase64 }: RecordedBody,
  list: 'entries' | 'statuses',
  entryId: string,
): string | undefined {
  if (bodyBase64 === true) return undefined;
  const index = indexOf(body, list, entryId);
  return index < 0 ? undefined : textOfPointer(body, `/${list}/${index}`);
}

function indexOf(body: string, list: string, entryId: string): number {
  try {
    const read: unknown = JSON.parse(body);
    const items: unknown = Object(read)[list];
    return Array.isArray(items) ? items.findIndex((item) => Object(item).entryId === entryId) : -1;
  } catch {
    // A body that is no JSON, or was cut in the record, is shown whole.
    return -1;
  }
}
