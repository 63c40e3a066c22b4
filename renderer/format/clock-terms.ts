/** Times of day in a filter, as the column Time shows them: only the console knows the day and the time zone of the person. */
import type { Result } from '../../core/contract/console.ts';
import { fill } from '../copy/fill.ts';
import { FILTER } from '../copy/messages.ts';
import { lastMoment } from './clock-time.ts';

type FilterCheck = Result<'filter.check'>;

/** The comparison that a word in front of a time stands for; `time` and `changed` have one of their own. */
const COMPARED: Readonly<Record<string, string>> = {
  after: 'time:>=',
  since: 'time:>=',
  from: 'time:>=',
  before: 'time:<=',
  until: 'time:<=',
};
const TERM =
  /(?<=^|[\s(-])(?<key>time|changed|after|since|from|before|until)(?<op>:[<>]=?|[<>]=?|[:=])(?<clock>\d{1,2}:\d\d(?::\d\d(?:\.\d{1,3})?)?)(?=$|[\s)])/g;

/** The answer of the host about a filter; where its mistake is a time without a day, the last such moment is suggested. */
export function withDay(filter: string, check: FilterCheck): FilterCheck {
  const { error } = check;
  if (error === undefined) return check;
  const found = [...filter.matchAll(TERM)].flatMap((match) => dayOf(match) ?? []);
  const wrong = found.find(({ at, term }) => error.position > at && error.position <= at + term.length);
  if (wrong === undefined) return check;
  const meant = found.reduceRight(
    (text, { at, term, suggestion }) => text.slice(0, at) + suggestion + text.slice(at + term.length),
    filter,
  );
  const { at, term, suggestion } = wrong;
  const message = fill(FILTER.noDay, { term });
  const { expected } = error;
  const place = { position: at + 1, length: term.length, found: term };
  return { ok: false, meant, error: { ...place, expected, suggestion, message } };
}

interface Dated {
  /** Index of the term in the filter. */
  readonly at: number;
  readonly term: string;
  readonly suggestion: string;
}

/** A term with a time of day, and the one with its day; undefined: its time is none. */
function dayOf({ 0: term, index: at, groups }: RegExpExecArray): Dated | undefined {
  const { key = '', op = '', clock = '' } = groups ?? {};
  const moment = lastMoment(clock);
  if (moment === undefined) return undefined;
  const compared = COMPARED[key] ?? `${key}${/[<>]/.test(op) ? op : ':>='}`;
  return { at, term, suggestion: compared + moment };
}
