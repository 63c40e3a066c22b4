/**
 * Prices of the operations of a match rule in steps, computed from the operands before the operation runs.
 * One step is about 0.1 µs of work.
 */
import type { Steps } from './steps.ts';

/** Deepest nesting of lists and objects that a rule may compare or pass to a function. */
const DEEPEST = 64;
/** Characters that one step copies or compares. */
const CHARACTERS = 64;
/** Elements of a list that one step passes over. */
const ELEMENTS = 4;
/** Steps for one member of an object whose names are listed. */
const MEMBER = 4;
/** Steps for finding the type of a list or an object. */
const COMPOUND = 20;
/** Steps for formatting a date in a time zone and reading it back. */
const TIME_ZONE = 1000;

type Price = (operands: readonly unknown[], steps: Steps) => void;

/** Prices of operators that read whole values; all others cost only the step that every node costs. */
export const OPERATOR_PRICES: Readonly<Record<string, Price>> = {
  '==': equality,
  '!=': equality,
  in: ([value, list], steps) => {
    if (!Array.isArray(list)) return mustBeKey(value);
    spendOver(steps, list.length, ELEMENTS);
    if (isLong(value)) for (const one of list) equality([value, one], steps);
  },
  '+': (operands, steps) => {
    for (const one of operands) spendOver(steps, sizeOf(one), Array.isArray(one) ? ELEMENTS : CHARACTERS);
  },
  '<': ordering,
  '<=': ordering,
  '>': ordering,
  '>=': ordering,
  '-': none,
  '*': none,
  '/': none,
  '%': none,
  '!_': none,
  '-_': none,
};

/** Prices of operators whose operands the library takes without finding their types. */
export const UNTYPED_PRICES: Readonly<Record<string, Price>> = {
  '[]': ([, key]) => mustBeKey(key),
  // Keys and values alternate.
  map: (operands) => {
    for (let at = 0; at < operands.length; at += 2) mustBeKey(operands[at]);
  },
};

/**
 * Macros, which iterate over the members of the value before them. The work for each member is counted
 * separately.
 */
export const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/**
 * Prices of functions and methods by name; the receiver of a method is the first operand. Patterns of
 * `matches` are paid for where they run.
 */
export const FUNCTION_PRICES: Readonly<Record<string, Price>> = {
  ...named(['startsWith', 'endsWith'], ([, part], steps) => spendOver(steps, sizeOf(part), CHARACTERS)),
  ...named(['contains', 'indexOf', 'lastIndexOf'], searching),
  ...named(['lowerAscii', 'upperAscii', 'bytes', 'bool', 'int', 'uint', 'string'], ([value], steps) =>
    spendOver(steps, sizeOf(value), 16),
  ),
  // A text may have a sign between all of its digits, each of which is taken out.
  double: ([value], steps) => spendOver(steps, sizeOf(value), 1),
  ...named(['hex', 'base64', 'json'], ([value], steps) => spendOver(steps, sizeOf(value), 4)),
  ...named(['trim', 'timestamp'], ([value], steps) => spendOver(steps, sizeOf(value), CHARACTERS)),
  ...named(['matches', 're2matches', 'at', 'dyn', 'type', 'getMilliseconds'], none),
  size: ([value], steps) => {
    if (typeof value === 'string') spendOver(steps, value.length, 4);
    else if (isCompound(value) && !Array.isArray(value)) steps.spend(memberCost(value, steps));
  },
  substring: ([text, start, end], steps) => {
    const length = Number(end ?? sizeOf(text)) - Number(start);
    if (length > 0) spendOver(steps, Math.min(length, sizeOf(text)), CHARACTERS);
  },
  split: (operands, steps) => {
    searching(operands, steps);
    spendOver(steps, sizeOf(operands[0]), 4);
  },
  join: ([list, between], steps) => {
    if (!Array.isArray(list)) return;
    steps.spend(list.length);
    let characters = list.length * sizeOf(between);
    for (const one of list) characters += sizeOf(one);
    spendOver(steps, characters, CHARACTERS);
  },
  // The parser of durations backtracks at every digit, and again at every position.
  duration: ([text], steps) => spendOver(steps, sizeOf(text) ** 3, 16),
  ...named(
    [
      'getDate',
      'getDayOfMonth',
      'getDayOfWeek',
      'getDayOfYear',
      'getFullYear',
      'getHours',
      'getMinutes',
      'getMonth',
      'getSeconds',
    ],
    ([, zone], steps) => {
      if (zone === undefined) return;
      steps.spend(TIME_ZONE);
      // A text that is no time zone is read and repeated in an error as long as it is.
      spendOver(steps, sizeOf(zone), 16);
    },
  ),
};

/** Price of a function that has none of its own. */
export const OTHER_FUNCTION: Price = (operands, steps) => {
  for (const one of operands) spendOver(steps, sizeOf(one), 4);
};

/** Price of the names that a macro iterates over, if the value is an object. */
export const OVER_MEMBERS: Price = ([value], steps) => {
  if (isCompound(value) && !Array.isArray(value)) steps.spend(memberCost(value, steps));
};

/** Pays for finding the type of a value, without that of its first element or member. */
export function spendOnType(value: unknown, steps: Steps): void {
  if (!isCompound(value)) return;
  steps.spend(COMPOUND);
  if (!Array.isArray(value)) steps.spend(memberCost(value, steps));
}

/** Refuses a list, an object or bytes as a key: the library would write all of it as a text. */
function mustBeKey(key: unknown): void {
  if (isCompound(key) || key instanceof Uint8Array) throw new Error('lists, objects, bytes cannot be keys');
}

/** Pays for running a pattern on a text, by the number of its instructions. */
export function spendOnPattern(text: string, instructions: number, steps: Steps): void {
  steps.spend(Math.ceil(text.length * (4 + instructions / 10)));
}

/** Length of a pattern whose every character costs one step more: the library compiles long ones in quadratic time. */
const SLOWER_EACH = 32;

/**
 * Pays for compiling a pattern, at most, judged by its text: counted repeats multiply, and classes of Unicode
 * have hundreds of ranges.
 */
export function spendOnNewPattern(pattern: string, steps: Steps): void {
  steps.spend(Math.floor(pattern.length ** 2 / SLOWER_EACH));
  let repeats = 1;
  for (const [, least = '0', , most = least] of pattern.matchAll(/\{(\d{1,4})(,(\d*))?\}/g))
    repeats = Math.min(1000, repeats * Math.max(1, Number(least), Number(most)));
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  steps.spend(300 + (pattern.length + classes * 300) * repeats);
  if (FOLDS.test(pattern)) steps.spend(charactersInRanges(pattern) * FOLDED);
}

/** The flag of a pattern by which letters fit in both cases. */
const FOLDS = /\(\?[a-z]*i/i;
/** Steps for one character of a range in such a pattern: the library looks up the other cases of each. */
const FOLDED = 3;
/** First and last character that has another case. */
const [FIRST_FOLDED, LAST_FOLDED] = [0x41, 0x1e943];
/** One character of a pattern, in any of its forms. */
const CHARACTER = /\\x\{([\da-f]+)\}|\\x([\da-f]{2})|\\([0-7]{1,3})|\\?([^])/giu;

/** Number of characters with another case in all ranges of a pattern, at most: `a-z` counts outside of a class too. */
function charactersInRanges(pattern: string): number {
  let count = 0;
  let low: number | undefined;
  let before: number | undefined;
  let isRange = false;
  for (const [all, braces, pair, octal, plain = ''] of pattern.matchAll(CHARACTER)) {
    const hex = braces ?? pair;
    const code =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8)
          : plain.codePointAt(0);
    if (isRange && low !== undefined && code !== undefined)
      count += Math.max(0, Math.min(code, LAST_FOLDED) - Math.max(low, FIRST_FOLDED) + 1);
    isRange = all === '-';
    low = before;
    before = code;
  }
  return count;
}

function none(): void {
  // An operation without a price costs only the step of its node.
}

/**
 * Pays for comparing two values to the end, which two equal ones are. The names of an object are listed also where the other one has
 * fewer.
 */
function equality([left, right]: readonly unknown[], steps: Steps, depth = 0): void {
  if (isText(left) && isText(right) && left.length === right.length)
    spendOver(steps, left.length, CHARACTERS);
  if (!isCompound(left) || !isCompound(right) || left === right) return;
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return;
  if (depth === DEEPEST) throw tooDeep();
  steps.spend(COMPOUND + Math.max(topSize(left), topSize(right)) * MEMBER);
  for (const [name, one] of entriesOf(left)) equality([one, memberOf(right, name)], steps, depth + 1);
}

function ordering([left, right]: readonly unknown[], steps: Steps): void {
  spendOver(steps, Math.min(sizeOf(left), sizeOf(right)), CHARACTERS);
}

/** Pays for a search: a long part that nearly fits everywhere makes it slow. */
function searching([text, part]: readonly unknown[], steps: Steps): void {
  const length = sizeOf(part);
  if (length <= sizeOf(text)) spendOver(steps, sizeOf(text) * (1 + length / 16), CHARACTERS);
}

function spendOver(steps: Steps, amount: number, perStep: number): void {
  if (amount >= perStep) steps.spend(Math.floor(amount / perStep));
}

/** Size of a value: characters of a text, elements of a list, bytes; 0: fixed size. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return 0;
}

function topSize(value: object): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : Object.keys(value).length;
}

function entriesOf(value: object): Iterable<readonly [unknown, unknown]> {
  return value instanceof Map ? value : Object.entries(value);
}

function memberOf(value: object, name: unknown): unknown {
  return value instanceof Map ? value.get(name) : Reflect.get(value, String(name));
}

/** Cost of listing an object's names, which takes time for all members even if only the first is wanted. */
export function memberCost(value: object, steps: Steps): number {
  return steps.membersOf(value) * MEMBER;
}

/** Whether comparing a value may take long. */
function isLong(value: unknown): boolean {
  return isText(value) || isCompound(value);
}

/** A text, or bytes: a comparison passes over them one by one. */
function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** Whether a value is a list or an object, from JSON or made by a rule. An object may have a member named `constructor`. */
function isCompound(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === null || kind === Object.prototype || kind === Array.prototype || kind === Map.prototype;
}

function named(names: readonly string[], price: Price): Record<string, Price> {
  return Object.fromEntries(names.map((name) => [name, price]));
}

function tooDeep(): Error {
  return new Error(`a value is nested deeper than ${DEEPEST} levels, more than a rule may compare`);
}
