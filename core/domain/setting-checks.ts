/**
 * Building blocks for checks of settings. A check takes a value and returns it completed, or says what it
 * expected and found.
 */
import { counted } from '../contract/count-text.ts';
import { shortened } from '../contract/cut-place.ts';
import { eitherOf } from '../contract/list-text.ts';
import { isObject } from './json.ts';
import { found } from './members.ts';
import { no, ok } from './result.ts';
import type { Result } from './result.ts';

export interface SettingComplaint {
  readonly expected: string;
  readonly found: string;
  /** Member inside the setting, if that is an object. */
  readonly field?: string;
}

export interface Check<T> {
  readonly expected: string;
  readonly read: (value: unknown) => Result<T, SettingComplaint>;
}

/** One setting of the table. */
export interface SettingRow<T> {
  readonly default: T;
  readonly check: Check<T>;
  readonly meaning: string;
}

/** Longest wait a timer takes, in ms (24.8 days). */
export const MAX_TIMER_MS = 2_147_483_647;

export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const expected = `a whole number ${rangeOf(min, max)}`;
  return check(expected, (value): value is number => Number.isSafeInteger(value) && within(value, min, max));
}

export function decimal(min: number, max: number = Number.MAX_VALUE): Check<number> {
  const expected = `a number ${rangeOf(min, max)}`;
  return check(expected, (value): value is number => Number.isFinite(value) && within(value, min, max));
}

export function flag(): Check<boolean> {
  return check('true or false', (value): value is boolean => typeof value === 'boolean');
}

export function word<W extends string>(words: readonly W[]): Check<W> {
  return check(eitherOf(words), (value): value is W => words.some((one) => one === value));
}

/** Most characters of a text in a setting. The system takes no longer paths. */
const MAX_TEXT = 4096;
/** Most elements of a list, and most members of an object, in a setting. */
const MAX_ELEMENTS = 1000;

export function text(expected: string, good: (text: string) => boolean): Check<string> {
  const short = check(expected, (value): value is string => typeof value === 'string' && good(value));
  return {
    expected,
    read: (value) =>
      typeof value === 'string' && value.length > MAX_TEXT
        ? no({
            expected: `${expected}, at most ${MAX_TEXT.toLocaleString('en-US')} characters`,
            found: counted(value.length, 'character'),
          })
        : short.read(value),
  };
}

/** Accepts null, which means "not given". */
export function orNull<T>(of: Check<T>): Check<T | null> {
  return {
    expected: `${of.expected}, or null`,
    read: (value) => (value === null ? ok(null) : of.read(value)),
  };
}

export function listOf<T>(element: Check<T>): Check<readonly T[]> {
  const expected = `a list, each ${element.expected}`;
  return {
    expected,
    read: (value) => {
      if (!Array.isArray(value)) return no({ expected, found: found(value) });
      if (value.length > MAX_ELEMENTS) return no(tooMany(expected, value.length, 'element'));
      const list: T[] = [];
      for (const [index, one] of (value as readonly unknown[]).entries()) {
        const read = element.read(one);
        if (!read.ok) return no({ ...read.complaint, field: `[${index}]` });
        list.push(read.value);
      }
      return ok(list);
    },
  };
}

type Checks<T> = { readonly [K in keyof T]-?: Check<T[K]> };

/**
 * An object of known members. Absent members get the default's values; with `exact` false the result has only
 * the given ones.
 */
export function members<T extends object>(checks: Checks<T>, defaults: T): Check<T> {
  const partial = someMembers(checks);
  return {
    expected: partial.expected,
    read: (value) => {
      const read = partial.read(value);
      return read.ok ? ok({ ...defaults, ...read.value }) : read;
    },
  };
}

/** Some members of an object, each checked; unknown ones are refused. */
export function someMembers<T extends object>(checks: Checks<T>): Check<Partial<T>> {
  const names = Object.keys(checks) as (keyof T & string)[];
  const expected = `an object with ${names.join(', ')}`;
  return {
    expected,
    read: (value) => {
      if (!isObject(value)) return no({ expected, found: found(value) });
      const result: Partial<T> = {};
      for (const [name, one] of Object.entries(value)) {
        const known = names.find((candidate) => candidate === name);
        if (known === undefined)
          return no({ expected, found: `the member ${nameOf(name)}`, field: nameOf(name) });
        const read = checks[known].read(one);
        if (!read.ok) return no({ ...read.complaint, field: joinField(known, read.complaint.field) });
        result[known] = read.value;
      }
      return ok(result);
    },
  };
}

export function recordOf<T>(keys: Check<string>, values: Check<T>): Check<Readonly<Record<string, T>>> {
  const expected = `an object: ${keys.expected} to ${values.expected}`;
  return {
    expected,
    read: (value) => {
      if (!isObject(value)) return no({ expected, found: found(value) });
      const entries = Object.entries(value);
      if (entries.length > MAX_ELEMENTS) return no(tooMany(expected, entries.length, 'member'));
      const record: [string, T][] = [];
      for (const [key, one] of entries) {
        const goodKey = keys.read(key);
        if (!goodKey.ok) return no({ ...goodKey.complaint, field: nameOf(key) });
        const read = values.read(one);
        if (!read.ok) return no({ ...read.complaint, field: joinField(nameOf(key), read.complaint.field) });
        record.push([key, read.value]);
      }
      // An assignment would lose the key __proto__, which an app may have as its id.
      return ok(Object.fromEntries(record));
    },
  };
}

/** Adds a condition to a check. */
export function also<T>(of: Check<T>, expected: string, good: (value: T) => boolean): Check<T> {
  return {
    expected: `${of.expected}, ${expected}`,
    read: (value) => {
      const read = of.read(value);
      if (!read.ok || good(read.value)) return read;
      return no({ expected, found: shortened(JSON.stringify(value), MAX_FOUND) });
    },
  };
}

function check<T>(expected: string, good: (value: unknown) => value is T): Check<T> {
  return { expected, read: (value) => (good(value) ? ok(value) : no({ expected, found: found(value) })) };
}

/** A list or an object that has too many. */
function tooMany(expected: string, count: number, what: string): SettingComplaint {
  return {
    expected: `${expected}, at most ${counted(MAX_ELEMENTS, what)}`,
    found: counted(count, what),
  };
}

/** Most characters that a complaint repeats of a name, and of a value. */
const MAX_NAME = 100;
const MAX_FOUND = 100;

function nameOf(member: string): string {
  return shortened(member, MAX_NAME);
}

function within(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function rangeOf(min: number, max: number): string {
  const top = max >= Number.MAX_SAFE_INTEGER ? undefined : max.toLocaleString('en-US');
  return top === undefined
    ? `of at least ${min.toLocaleString('en-US')}`
    : `from ${min.toLocaleString('en-US')} to ${top}`;
}

function joinField(outer: string, inner: string | undefined): string {
  if (inner === undefined) return outer;
  return inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}
