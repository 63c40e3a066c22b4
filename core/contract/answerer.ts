/**
 * Names who gave the answer of an attempt, and of what type it is: behind a tap a rule or a person may have
 * answered instead of the app.
 */
import type { Facts } from './fill.ts';
import type { Attempt } from './message.ts';
import { shortened } from './cut-place.ts';
import { withoutUndefined } from './without-undefined.ts';

/** Id that takes the place of a rule's id in an answer that a person gave to a held delivery. */
export const BY_HAND_ID = 'by-hand';

/** Members of an attempt that say who answered. */
type Answered = Pick<Attempt, 'tap' | 'answeredBy' | 'instead'>;

/** The answer that was judged: the app's own, or the one that a person gave instead. */
export function judgedAnswer({
  response,
  error,
  instead,
}: Pick<Attempt, 'response' | 'error' | 'instead'>): Pick<Attempt, 'response' | 'error'> {
  return instead ?? { ...withoutUndefined({ response, error }) };
}

/**
 * Subject of a sentence about an answer, with a capital letter. A mock app is called the app, whatever rule
 * it answers by.
 */
export function answererOf(attempt: Answered | undefined): string {
  if (attempt?.instead !== undefined) return 'A person';
  const by = attempt?.answeredBy;
  if (attempt?.tap === undefined || by === undefined) return 'The app';
  if (by.ruleId === BY_HAND_ID) return 'A person';
  return by.name === undefined ? 'A rule of Sidelight' : `Sidelight's rule "${by.name}"`;
}

/** The subject for the places `{Who}` and `{who}` of a sentence. */
export function answererFacts(attempt: Answered | undefined): Facts {
  const who = answererOf(attempt);
  return { Who: who, who: who.replace(/^(The|A) /, (article) => article.toLowerCase()) };
}

/** Maximum number of characters of a content type in a sentence. */
const MAX_TYPE_LENGTH = 60;

/** Media type with its words in brackets, ` (content type text/html)`; "" if the headers have none. */
export function ofContentType(headers: Readonly<Record<string, string>>): string {
  const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
  return type === '' ? '' : ` (content type ${shortened(type, MAX_TYPE_LENGTH)})`;
}
