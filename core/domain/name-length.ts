/**
 * Bounds of the texts that stand in the row of a message. A list has hundreds of rows, and each row is in memory as long as its message is
 * unfinished, so a text of megabytes cannot stand there. Over HTTP a topic and a content type are never longer: the head of a request
 * has a bound of its own.
 */
import { cutPlace } from '../contract/cut-place.ts';
import { startOf } from './codec.ts';

/** Most characters of a topic and of a content type that is given, and those that a row has of what an event says: id, type, subject, content type. */
export const LONGEST_NAME = 16_384;

/** What is wrong with a name that is too long; undefined: nothing. @param what "a topic" */
export function tooLongName(what: string, { length }: string): string | undefined {
  if (length <= LONGEST_NAME) return undefined;
  return `${what} has at most ${LONGEST_NAME} characters: actual are ${length}`;
}

/** The text as a row has it: cut, and marked so, where it is too long. The event itself keeps it whole. */
export function rowText(text: string): string {
  if (text.length <= LONGEST_NAME) return text;
  return `${startOf(text, cutPlace(text, LONGEST_NAME - 1))}…`;
}
