/** Reads a request body that has to be one JSON value: the value, or why there is none. */
import { endsTooEarly } from '../contract/json-position.ts';
import type { Differences } from '../contract/profile.ts';
import { firstText, firstValue } from './json.ts';
import type { FirstText, FirstValue } from './json.ts';

/** Reason for a body that exceeds its limit. */
export const TOO_LARGE = 'stream too large';

export interface BodyRules extends Pick<Differences, 'endOfJson' | 'textAfterJson'> {
  /** True if the text is only the beginning of a body that exceeds its limit. */
  readonly isBeginning?: boolean;
}

/** The first value of a body; a text is the reason why the body is refused. */
export function readJsonBody(text: string, rules: BodyRules): FirstValue | string {
  return readBody(text, rules, firstValue);
}

/** The text of the first value of a body, which is not parsed; a text is the reason why the body is refused. */
export function readJsonText(text: string, rules: BodyRules): FirstText | string {
  return readBody(text, rules, firstText);
}

function readBody<T extends FirstText>(
  text: string,
  { endOfJson, textAfterJson, isBeginning = false }: BodyRules,
  read: (text: string) => T | undefined,
): T | string {
  if (text.trim() === '') return isBeginning ? TOO_LARGE : endOfJson.empty;
  const first = read(text);
  if (first === undefined) {
    if (!endsTooEarly(text)) return 'the body is not JSON';
    return isBeginning ? TOO_LARGE : endOfJson.cut;
  }
  return first.trailing && textAfterJson === 'refused' ? 'there is text after the JSON value' : first;
}
