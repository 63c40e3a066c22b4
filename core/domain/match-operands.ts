/**
 * Converts operands of a match rule that the library reads differently from the reference: numbers of
 * different types, the order of texts, and conversions. An operand is replaced before the library does the
 * operation.
 */

/** Type by which the library represents an unsigned number. */
interface Unsigned {
  valueOf(): bigint;
}

const ORDERING: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
/** Limit from which a decimal number is not converted to a whole number of 64 bits. */
const WHOLE_LIMIT = 2 ** 63;
const WHOLE = /^[+-]?\d+$/;
const UNSIGNED = /^\d+$/;
/** Numbers in another base, which the reference does not accept as numbers. */
const OTHER_BASE = /^[+-]?0[box]/i;
/** An underscore that does not stand between two digits. */
const MISPLACED = /(?<!\d)_|_(?!\d)/;
/** A number in digits, not as a word (`inf`). */
const DIGITS = /^[+-]?[\d.]/;
/** No time at all, which needs no unit. */
const NO_TIME = /^[+-]?0$/;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** The only operand of a function. Throws for one that the reference refuses. */
export function asConverted(name: string, value: unknown): unknown {
  if (name === 'string') return typeof value === 'number' ? decimalText(value) : value;
  if (name === 'int') {
    const isWhole = typeof value === 'string' ? WHOLE.test(value) : typeof value !== 'number' || fits(value);
    if (!isWhole) throw new Error('int() type error: cannot convert to int');
  }
  if (name === 'uint' && typeof value === 'string' && !UNSIGNED.test(value))
    throw new Error('uint() type error: cannot convert to uint');
  if (name === 'double' && typeof value === 'string') return doubleText(value);
  if (name === 'duration' && typeof value === 'string' && NO_TIME.test(value)) return '0s';
  return value;
}

/**
 * A text for double(), as the library reads it. Throws for one that the reference refuses: another base, or a number beyond all decimal
 * ones.
 */
function doubleText(text: string): string {
  // The reference takes digits in groups (`1_000.5`) here, and in int() it does not.
  const digits = MISPLACED.test(text) ? text : text.replaceAll('_', '');
  const isBeyond = DIGITS.test(digits) && !Number.isFinite(Number(digits));
  if (OTHER_BASE.test(text) || isBeyond) throw new Error('double() type error: cannot convert to double');
  return digits;
}

/** The right operand of an operator, converted for its left one. Throws if the reference has no answer. */
export function asCompared(op: string, left: unknown, right: unknown): unknown {
  if (op === '==' || op === '!=') return likeLeft(left, right);
  if (op === 'in') return Array.isArray(right) ? replaced(right, (one) => likeLeft(left, one)) : right;
  if (!ORDERING.has(op)) return right;
  if (Number.isNaN(left) || Number.isNaN(right)) throw new Error('NaN values cannot be ordered');
  if (typeof left === 'string' && typeof right === 'string') return orderedLike(left, right);
  return likeLeft(left, right);
}

/** The right value, with all parts that the reference takes as equal replaced by those of the left value. */
function likeLeft(left: unknown, right: unknown): unknown {
  if (left === right) return right;
  if (isNumber(left)) return isNumber(right) && isSameNumber(left, right) ? left : right;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || right.length !== left.length) return right;
    return replaced(right, (one, index) => likeLeft(left[index], one));
  }
  if (!isPlain(left) || !isPlain(right)) return right;
  const names = Object.keys(right);
  const values = names.map((name) => right[name]);
  const alike = replaced(values, (one, index) => likeLeft(left[names[index] ?? ''], one));
  return alike === values ? right : Object.fromEntries(names.map((name, index) => [name, alike[index]]));
}

/** The converted list; the same object if nothing in it changed. */
function replaced(
  list: readonly unknown[],
  by: (one: unknown, index: number) => unknown,
): readonly unknown[] {
  let changed: unknown[] | undefined;
  for (const [index, one] of list.entries()) {
    const next = by(one, index);
    if (changed === undefined && Object.is(next, one)) continue;
    changed ??= [...list];
    changed[index] = next;
  }
  return changed ?? list;
}

/** Compares a whole and a decimal number as decimal numbers, so large whole ones lose digits. */
function isSameNumber(left: number | bigint | Unsigned, right: number | bigint | Unsigned): boolean {
  const [one, other] = [left.valueOf(), right.valueOf()];
  return typeof one === typeof other ? one === other : Number(one) === Number(other);
}

/**
 * The right text, or one that the library orders as the reference orders the two: by whole characters instead
 * of halves of them.
 */
function orderedLike(left: string, right: string): string {
  if (left === right) return right;
  let at = 0;
  while (left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  const [mine, yours] = [left.charCodeAt(at), right.charCodeAt(at)];
  if (isSurrogate(mine) && yours >= AFTER_SURROGATES) return '';
  if (isSurrogate(yours) && mine >= AFTER_SURROGATES) return `${left}+`;
  return right;
}

function isSurrogate(unit: number): boolean {
  return unit >= FIRST_SURROGATE && unit < AFTER_SURROGATES;
}

function fits(value: number): boolean {
  return value > -WHOLE_LIMIT && value < WHOLE_LIMIT;
}

/** Shortest text of a number, with an exponent below 0.0001 and from a million on, as the reference writes it. */
function decimalText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return value.toString();
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function isNumber(value: unknown): value is number | bigint | Unsigned {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  // An object of the event may have a member named `valueOf`.
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isPlain(value)) return false;
  return typeof value.valueOf() === 'bigint';
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === null || kind === Object.prototype;
}
