/** What one operation of a match rule costs in steps, told from its operands before it is done. One step is about 0.1 µs of work. */
import type { Steps } from './steps.ts';

/** Lists and objects within each other that a rule may compare or hand to a function. */
const DEEPEST = 64;
/** Characters that a step copies or compares. */
const CHARACTERS = 64;
/** Elements of a list that a step passes over. */
const ELEMENTS = 4;
/** Steps for a member of an object whose names are listed. */
const MEMBER = 4;
/** Steps for finding out what a list or an object is. */
const COMPOUND = 20;
/** A date in a time zone is formatted and read again. */
const TIME_ZONE = 1000;

type Price = (operands: readonly unknown[], steps: Steps) => void;

/** Operators that look at whole values; the others cost the step that every node costs. */
export const OPERATOR_PRICES: Readonly<Record<string, Price>> = {
  '==': equality,
  '!=': equality,
  in: ([value, list], steps) => {
    if (!Array.isArray(list)) return;
    spendOver(steps, list.length, ELEMENTS);
    if (typeof value === 'string') {
      for (const one of list) if (isLike(one, value)) spendOver(steps, value.length, CHARACTERS);
    } else if (isCompound(value)) for (const one of list) equality([value, one], steps);
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

/** Macros go over the members of the value before them; what they do with each is counted by itself. */
export const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Functions and methods by name, the receiver of a method first. Patterns of `matches` are paid for where they run. */
export const FUNCTION_PRICES: Readonly<Record<string, Price>> = {
  ...named(['startsWith', 'endsWith'], ([, part], steps) => spendOver(steps, sizeOf(part), CHARACTERS)),
  ...named(['contains', 'indexOf', 'lastIndexOf'], searching),
  ...named(
    ['lowerAscii', 'upperAscii', 'bytes', 'bool', 'double', 'int', 'uint', 'string'],
    ([value], steps) => spendOver(steps, sizeOf(value), 16),
  ),
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
  // The reader of durations goes back at every digit, and again at every position.
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
    (operands, steps) => {
      if (operands.length > 1) steps.spend(TIME_ZONE);
    },
  ),
};

/** A function without a price of its own. */
export const OTHER_FUNCTION: Price = (operands, steps) => {
  for (const one of operands) spendOver(steps, sizeOf(one), 4);
};

/** Pays for the names of what a macro goes over, where it is an object. */
export const OVER_MEMBERS: Price = ([value], steps) => {
  if (isCompound(value) && !Array.isArray(value)) steps.spend(memberCost(value, steps));
};

/** What finding out the type of a value costs: the first element of the first element, down to the last. Refuses deep ones. */
export function spendOnType(value: unknown, steps: Steps): void {
  let at = value;
  for (let depth = 0; isCompound(at); depth++) {
    if (depth === DEEPEST) throw tooDeep();
    steps.spend(COMPOUND);
    if (Array.isArray(at)) at = at[0];
    else {
      steps.spend(memberCost(at, steps));
      at = firstMember(at);
    }
  }
}

/** What a pattern costs on a text, once it is known how many instructions it has. */
export function spendOnPattern(text: string, instructions: number, steps: Steps): void {
  steps.spend(Math.ceil(text.length * (4 + instructions / 10)));
}

/** What making a pattern costs at most, told from its text: counted repeats multiply, classes of Unicode have hundreds of ranges. */
export function spendOnNewPattern(pattern: string, steps: Steps): void {
  let repeats = 1;
  for (const [, least = '0', , most = least] of pattern.matchAll(/\{(\d{1,4})(,(\d*))?\}/g))
    repeats = Math.min(1000, repeats * Math.max(1, Number(least), Number(most)));
  const classes = pattern.match(/\\[pP]/g)?.length ?? 0;
  steps.spend(300 + (pattern.length + classes * 300) * repeats);
}

function none(): void {
  // Costs no more than the step of its node.
}

function equality([left, right]: readonly unknown[], steps: Steps): void {
  if (typeof left === 'string' && isLike(right, left)) spendOver(steps, left.length, CHARACTERS);
  if (!isCompound(left) || !isCompound(right) || left === right) return;
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return;
  spendOnWhole(topSize(left) <= topSize(right) ? left : right, 0, steps);
}

/** Every value within a value; two that are equal are compared to the last. */
function spendOnWhole(value: unknown, depth: number, steps: Steps): void {
  if (typeof value === 'string') spendOver(steps, value.length, CHARACTERS);
  if (!isCompound(value)) return;
  if (depth === DEEPEST) throw tooDeep();
  steps.spend(COMPOUND + topSize(value) * MEMBER);
  for (const one of Object.values(value)) spendOnWhole(one, depth + 1, steps);
}

function ordering([left, right]: readonly unknown[], steps: Steps): void {
  spendOver(steps, Math.min(sizeOf(left), sizeOf(right)), CHARACTERS);
}

/** A long part that nearly fits at every place makes the search slow. */
function searching([text, part]: readonly unknown[], steps: Steps): void {
  const length = sizeOf(part);
  if (length <= sizeOf(text)) spendOver(steps, sizeOf(text) * (1 + length / 16), CHARACTERS);
}

function spendOver(steps: Steps, amount: number, perStep: number): void {
  if (amount >= perStep) steps.spend(Math.floor(amount / perStep));
}

/** Characters of a text, elements of a list, bytes; 0: of a fixed size. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return 0;
}

function topSize(value: object): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** Listing the names of an object takes as long as it has members, also where only the first one is wanted. */
function memberCost(value: object, steps: Steps): number {
  return steps.membersOf(value) * MEMBER;
}

function firstMember(value: object): unknown {
  for (const name in value) if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  return undefined;
}

function isLike(one: unknown, text: string): boolean {
  return typeof one === 'string' && one.length === text.length;
}

/** A list or an object of JSON, or one that a rule made. */
function isCompound(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const { constructor } = value;
  return constructor === undefined || constructor === Object || constructor === Array;
}

function named(names: readonly string[], price: Price): Record<string, Price> {
  return Object.fromEntries(names.map((name) => [name, price]));
}

function tooDeep(): Error {
  return new Error(`a value is nested deeper than ${DEEPEST} levels, more than a rule may compare`);
}
