/**
 * Runs the regular expressions of JSON Schemas in linear time. Patterns that need backtracking are refused,
 * so no pattern blocks the process.
 */
import { RE2JS } from '@bufbuild/re2';
import { errorText } from '../contract/error-text.ts';

/** Interface of a pattern for ajv. */
export interface LinearPattern {
  readonly test: (text: string) => boolean;
  /** Text that differs between patterns. */
  readonly toString: () => string;
}

/** Thrown for a pattern that is invalid, or cannot run in linear time. */
export class PatternRefused extends Error {
  readonly pattern: string;

  constructor(pattern: string, why: string) {
    super(`the pattern ${JSON.stringify(pattern)} ${why}`);
    this.pattern = pattern;
  }
}

const ONLY_BACKTRACKING: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'looks ahead or behind, which cannot be checked in linear time'],
  [/^\\(?:[1-9]|k<)/, 'refers back to a group, which cannot be checked in linear time'],
];

/** White space of ECMAScript, as the inside of a character class. */
const SPACE = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;

/** One token of a pattern: an escape, the beginning of a group, or a character. */
const TOKEN =
  /\\u\{[0-9A-Fa-f]+\}|\\u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\c[A-Za-z]|\\k<|\\[pP]\{(?:Script|sc|General_Category|gc)=|\\[^]|\(\?<?[=!]|\(\?<(?=[^=!])|[^]/gu;

/** Compiles a pattern of ECMA-262 with the flag `u`, which JSON Schema prescribes. Throws PatternRefused. */
export function linearPattern(pattern: string): LinearPattern {
  try {
    // This expression only checks the grammar and is never run.
    RegExp(pattern, 'u');
  } catch (error) {
    throw new PatternRefused(pattern, `is not a regular expression (${errorText(error)})`);
  }
  const translated = translate(pattern);
  try {
    const compiled = RE2JS.compile(translated);
    return { test: (text) => compiled.test(text), toString: () => pattern };
  } catch (error) {
    const reason = errorText(error);
    throw new PatternRefused(pattern, `cannot be checked in linear time (${reason})`);
  }
}

function translate(pattern: string): string {
  let inClass = false;
  let out = '';
  for (const [token] of pattern.matchAll(TOKEN)) {
    const refused = inClass ? undefined : ONLY_BACKTRACKING.find(([found]) => found.test(token));
    if (refused !== undefined) throw new PatternRefused(pattern, refused[1]);
    out += translated(token, inClass);
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
  }
  return out;
}

function translated(token: string, inClass: boolean): string {
  if (token === '(?<') return '(?P<';
  if (token === '.' && !inClass) return String.raw`[^\n\r\x{2028}\x{2029}]`;
  if (token === '[' && inClass) return String.raw`\[`;
  if (token === String.raw`\s`) return inClass ? SPACE : `[${SPACE}]`;
  if (token === String.raw`\S` && !inClass) return `[^${SPACE}]`;
  if (/^\\[pP]\{/.test(token)) return token.slice(0, 3);
  if (token === String.raw`\0`) return String.raw`\x00`;
  if (token === String.raw`\b` && inClass) return String.raw`\x08`;
  if (token.startsWith(String.raw`\c`)) return `\\x{${(token.charCodeAt(2) % 32).toString(16)}}`;
  if (!token.startsWith(String.raw`\u`)) return token;
  const units = [...token.matchAll(/[0-9A-Fa-f]{2,}/g)].map(([digits]) => Number.parseInt(digits, 16));
  const [high = 0, low] = units;
  const point = low === undefined ? high : 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  return `\\x{${point.toString(16)}}`;
}
