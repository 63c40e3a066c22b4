/** Memory that the texts of a message's row take, next to body and metadata. */
import type { MessageRow } from '../contract/message.ts';

/** Number of characters that every estimate of a message covers. A publisher chooses the length: even an event's type may have 4 MB. */
const USUAL_CHARACTERS = 500;
/** Characters that one tag counts next to its own. */
const TAG_CHARACTERS = 16;

type Texts = Pick<
  MessageRow,
  'topic' | 'contentType' | 'eventId' | 'eventType' | 'subject' | 'note' | 'tags'
>;

/** Estimated bytes: two for each character of long texts, also of the note and the tags that a person gives. */
export function rowMemory({ topic, contentType, eventId, eventType, subject, note, tags }: Texts): number {
  let characters = topic.length + contentType.length + (eventId?.length ?? 0);
  characters += (eventType?.length ?? 0) + (subject?.length ?? 0) + (note?.length ?? 0);
  if (tags !== undefined) for (const tag of tags) characters += TAG_CHARACTERS + tag.length;
  return characters <= USUAL_CHARACTERS ? 0 : 2 * characters;
}
