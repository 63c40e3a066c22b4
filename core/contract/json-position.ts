/** Finds the position at which a text stops being JSON. */
import { errorText } from './error-text.ts';
import { skipSpace } from './json-scan.ts';

export interface JsonMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first mistake of a text; undefined: the text is JSON. Lines and columns count from 1. */
export function jsonMistake(text: string): JsonMistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const before = text.slice(0, stopOf(text)).split('\n');
    return {
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: withoutPosition(errorText(error)),
    };
  }
}

/** Whether a text is an incomplete JSON text: the right continuation would complete it. */
export function endsTooEarly(text: string): boolean {
  return jsonMistake(text) !== undefined && stopOf(text) === text.length;
}

/**
 * Removes the position and the quoted text from the parser's message: the parser names a position for some
 * mistakes only.
 */
function withoutPosition(said: string): string {
  const [head = said] = said.split(/, (?:\.\.\.)?"|,? (?:in JSON )?at position \d/, 1);
  return head === '' ? said : head.replace(/ in JSON$/, '');
}

/** Tokens that the grammar allows at this point. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or end' | 'nothing';

/** Index at which the parser stops; the length of the text if it ends too early. */
function stopOf(text: string): number {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let at = 0;
  const afterValue = (): Next => (open.length === 0 ? 'nothing' : ', or end');
  for (;;) {
    at = skipSpace(text, at);
    const char = text[at];
    if (char === undefined) return at;
    const inside = open.at(-1);
    const isName: boolean = next === 'name' || next === 'name or }';
    const closes = char === (inside === '{' ? '}' : ']');
    if (closes && (next === ', or end' || next === 'value or ]' || next === 'name or }')) {
      open.pop();
      at += 1;
      next = afterValue();
    } else if (next === ', or end' || next === ':') {
      if (char !== (next === ':' ? ':' : ',')) return at;
      at += 1;
      next = next === ':' || inside === '[' ? 'value' : 'name';
    } else if (next === 'nothing') {
      return at;
    } else if (char === '"') {
      const end = pastString(text, at);
      if (!end.whole) return end.at;
      ({ at } = end);
      next = isName ? ':' : afterValue();
    } else if (isName) {
      return at;
    } else if (char === '{' || char === '[') {
      open.push(char);
      at += 1;
      next = char === '{' ? 'name or }' : 'value or ]';
    } else {
      const end = /[-\d]/.test(char) ? pastNumber(text, at) : pastWord(text, at);
      if (!end.whole) return end.at;
      ({ at } = end);
      next = afterValue();
    }
  }
}

/** Index after a value, and whether the value is complete. */
interface End {
  readonly at: number;
  readonly whole: boolean;
}

function pastString(text: string, from: number): End {
  let at = from + 1;
  for (;;) {
    // oxlint-disable-next-line no-control-regex -- no control character may stand in a string
    at = past(/[^"\\\u0000-\u001F]*/y, text, at);
    if (text[at] === '"') return { at: at + 1, whole: true };
    if (text[at] !== '\\') return { at, whole: false };
    const after = past(/\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y, text, at);
    if (after === at) return { at: past(/\\(?:u[\dA-Fa-f]*)?/y, text, at), whole: false };
    at = after;
  }
}

function pastNumber(text: string, from: number): End {
  let at = from;
  for (const [part, needed] of [
    [/-?/y, /0|[1-9]\d*/y],
    [/\.?/y, /\d+/y],
    [/(?:[eE][+-]?)?/y, /\d+/y],
  ] as const) {
    const start = past(part, text, at);
    if (start === at && at !== from) continue;
    at = past(needed, text, start);
    if (at === start) return { at, whole: false };
  }
  return { at, whole: true };
}

function pastWord(text: string, from: number): End {
  const word = ['true', 'false', 'null'].find((one) => one[0] === text[from]) ?? '';
  let same = 0;
  while (same < word.length && text[from + same] === word[same]) same += 1;
  return { at: from + same, whole: same > 0 && same === word.length };
}

/** Index after the match of the sticky pattern; `at` without a match. */
function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
