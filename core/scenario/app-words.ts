/** What an app said, as one bounded line of a report: without secrets in addresses, and without characters that move the cursor. */
import { judgedAnswer } from '../contract/answerer.ts';
import { beginningOf } from '../contract/cut-place.ts';
import type { Attempt } from '../contract/message.ts';
import { htmlPage } from '../domain/html-page.ts';
import { tryParse } from '../domain/json.ts';
import { printable } from '../domain/names.ts';
import { shownAddress } from '../domain/redact.ts';

/** Maximum number of characters of an answer or of a line of output. */
const MAX_CHARACTERS = 200;
/** Characters that are read: white space, which becomes one blank, may be most of them. */
const READ = 20 * MAX_CHARACTERS;

/** A text of an app as one line; "": the text is blank. */
function appWords(text: string): string {
  return printable(beginningOf(shownAddress(text.slice(0, READ)), MAX_CHARACTERS));
}

/** Body of the answer that was judged, as one line; undefined: the answer has none, or none that says more than its status does. */
export function answerWords(
  attempt: Pick<Attempt, 'response' | 'error' | 'instead' | 'word' | 'bulk'>,
): string | undefined {
  const { response } = judgedAnswer(attempt);
  if (response === undefined || response.bodyBase64 === true || response.bodyError !== undefined)
    return undefined;
  const { body } = response;
  if (attempt.word !== undefined && (attempt.bulk !== undefined || hasOneMember(body))) return undefined;
  const words = htmlPage(body) ?? appWords(body);
  return words === '' ? undefined : words;
}

function hasOneMember(body: string): boolean {
  const value = tryParse(body)?.value;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 1;
}
