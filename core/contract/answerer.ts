/** Who gave the answer of an attempt: behind a tap a rule or a person may have answered, and the app was not asked. */
import type { Facts } from './fill.ts';
import type { Attempt } from './message.ts';
import { withoutUndefined } from './without-undefined.ts';

/** Stands for the rule in an answer that a person gave to a held delivery. */
export const BY_HAND_ID = 'by-hand';

/** What is known of who answered. */
type Answered = Pick<Attempt, 'tap' | 'answeredBy' | 'instead'>;

/** The answer that was judged: the app's own, or what a person gave in its place. */
export function judgedAnswer({
  response,
  error,
  instead,
}: Pick<Attempt, 'response' | 'error' | 'instead'>): Pick<Attempt, 'response' | 'error'> {
  return instead ?? { ...withoutUndefined({ response, error }) };
}

/** The subject of a sentence, as it begins one. A mock app is the app itself, whatever rule it answers by. */
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
