/** One entry's part of a bulk request or of the answer to it. */
import type { RecordedBody } from '../../core/contract/message.ts';
import { textOfPointer } from './json-pointer.ts';

/** The element of `entries` or `statuses` with this id, as it is written; undefined when the body has none that can be read. */
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
    // An answer that is no JSON, or a request that was cut when it was recorded, is shown as it is.
    return -1;
  }
}
