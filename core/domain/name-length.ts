/**
 * Limits of the texts in the row of a message. A list has hundreds of rows, and each row is in memory as long as its message is unfinished,
 * so it must not contain a text of megabytes. Over HTTP a topic and a content type of our own sidecar are never longer, because the head of a
 * request has a limit of its own.
 */
import { cutPlace } from '../contract/cut-place.ts';
import { startOf } from './codec.ts';

/** Maximum length of a topic and of a given content type; an event's id, type, subject and content type are cut to it in rows. */
export const MAX_NAME_LENGTH = 16_384;

/**
 * Complaint about a name that is too long; undefined: none.
 * @param what "a topic"
 */
export function tooLongName(what: string, { length }: string): string | undefined {
  if (length <= MAX_NAME_LENGTH) return undefined;
  return `${what} has at most ${MAX_NAME_LENGTH} characters: actual are ${length}`;
}

/** The text for a row; one that is too long is cut and marked. The event itself keeps the whole text. */
export function rowText(text: string): string {
  if (text.length <= MAX_NAME_LENGTH) return text;
  return `${startOf(text, cutPlace(text, MAX_NAME_LENGTH - 1))}…`;
}

/** Whether `rowText` has cut a text. */
export function isCutText(text: string): boolean {
  // A pair is not split, so a cut text may have one character less than the limit.
  return text.length >= MAX_NAME_LENGTH - 1 && text.endsWith('…');
}
