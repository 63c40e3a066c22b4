/** Finds one entry's part in a bulk request or its answer. */
import { memberInAnyCase } from '../../core/contract/member-in-any-case.ts';
import type { RecordedBody } from '../../core/contract/message.ts';
import { textOfPointer } from './json-pointer.ts';

/**
 * The element of `entries` or `statuses` with this id, as written; the last one where several have it, because that one counts.
 * Undefined: the body has none that can be read.
 */
export function batchEntryText(
  { body, bodyBase64 }: RecordedBody,
  list: 'entries' | 'statuses',
  entryId: string,
): string | undefined {
  if (bodyBase64 === true) return undefined;
  const place = placeOf(body, list, entryId);
  return place === undefined ? undefined : textOfPointer(body, place);
}

/** Pointer to the element. Letter case is ignored as it is when the answer counts. */
function placeOf(body: string, list: string, entryId: string): string | undefined {
  try {
    const read = memberInAnyCase(Object(JSON.parse(body)), list);
    const index = Array.isArray(read?.value)
      ? read.value.findLastIndex((item) => idOf(item) === entryId)
      : -1;
    return read === undefined || index < 0 ? undefined : `/${read.name}/${index}`;
  } catch {
    // A body that is no JSON, or was cut in the record, is shown whole.
    return undefined;
  }
}

/** An app over gRPC writes `entry_id`. */
function idOf(item: unknown): unknown {
  const fields: Readonly<Record<string, unknown>> = Object(item);
  return memberInAnyCase(fields, 'entryId')?.value ?? fields['entry_id'];
}
