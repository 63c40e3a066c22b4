/**
 * Reads the members of a JSON or YAML object by name, and complains precisely: the field, what it must be,
 * and what was found.
 */
import type { Problem } from '../contract/subscription.ts';
import { memberInAnyCase } from '../contract/member-in-any-case.ts';
import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';

/** Thrown by a reader for an element that cannot be used; `readElement` turns it into a problem. */
export class BadMember extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.name = 'BadMember';
    this.field = field;
  }
}

/** Names a value in the words of a complaint. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value.length > 60 ? 'a long text' : `the text ${JSON.stringify(value)}`;
  return `the ${typeof value} ${typeof value === 'bigint' ? value.toString() : JSON.stringify(value)}`;
}

/** A member whose name differs only in letter case from one that is read. */
export interface MemberHint {
  readonly field: string;
  /** The field that is read. */
  readonly meant: string;
  /** Text of the hint: `"wrote": did you mean "meant"?` */
  readonly text: string;
}

/** Maximum number of hints about one document or element. */
const MAX_HINTS = 20;

/** The members of one object. JSON null counts as absent. */
export class Members {
  readonly #of: JsonObject;
  readonly #at: string;
  readonly #anyCase: boolean;
  readonly #hints: MemberHint[];
  readonly #asked = new Set<string>();

  /**
   * Wraps an object.
   * @param hints filled with "did you mean" lines for members that differ in letter case only
   */
  constructor(of: JsonObject, at: string, anyCase: boolean, hints: MemberHint[]) {
    this.#of = of;
    this.#at = at;
    this.#anyCase = anyCase;
    this.#hints = hints;
  }

  /** The member's value; undefined: absent or null. */
  get(name: string): unknown {
    const exact = Object.hasOwn(this.#of, name);
    const near = exact ? undefined : memberInAnyCase(this.#of, name);
    if (near !== undefined && !this.#anyCase) this.#hint(near.name, name);
    const value = exact ? this.#of[name] : this.#anyCase ? near?.value : undefined;
    return value === null ? undefined : value;
  }

  /** Names of all members, as written. */
  names(): readonly string[] {
    return Object.keys(this.#of);
  }

  field(name: string): string {
    return this.#at === '' ? name : `${this.#at}.${name}`;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'string') return value;
    throw this.bad(name, 'a string', value);
  }

  flag(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.bad(name, 'true or false', value);
  }

  integer(name: string): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
    throw this.bad(name, 'a whole number', value);
  }

  object(name: string): Members | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (isObject(value)) return new Members(value, this.field(name), this.#anyCase, this.#hints);
    throw this.bad(name, 'an object', value);
  }

  objects(name: string): readonly Members[] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.bad(name, 'an array', value);
    return (value as readonly unknown[]).map((element, index) => {
      if (isObject(element))
        return new Members(element, `${this.field(name)}[${index}]`, this.#anyCase, this.#hints);
      throw this.bad(`${name}[${index}]`, 'an object', element);
    });
  }

  /** A member that is an array of texts. */
  texts(name: string): readonly string[] {
    const value = this.get(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.bad(name, 'an array of strings', value);
    return (value as readonly unknown[]).map((element, index) => {
      if (typeof element === 'string') return element;
      throw this.bad(`${name}[${index}]`, 'a string', element);
    });
  }

  /** A member that is an object whose values are all strings. */
  record(name: string): Readonly<Record<string, string>> {
    const value = this.get(name);
    if (value === undefined) return {};
    if (!isObject(value)) throw this.bad(name, 'an object of strings', value);
    const record: Record<string, string> = {};
    for (const [key, element] of Object.entries(value)) {
      if (typeof element !== 'string') {
        throw this.bad(`${name}.${key}`, `a string (${JSON.stringify(String(element))})`, element);
      }
      record[key] = element;
    }
    return record;
  }

  bad(name: string, expected: string, value: unknown): BadMember {
    const field = this.field(name);
    // A member that is there under another name is one mistake, so that nothing is said of a missing one.
    if (value === undefined && this.#hints.some(({ meant }) => meant === field))
      return new BadMember(field, describeHints(this.#hints));
    // The hint is what helps, and a place with little room shows the beginning.
    const hint = this.#hints.length > 0 ? `${describeHints(this.#hints)} ` : '';
    return new BadMember(field, `${hint}${field} must be ${expected}, found ${found(value)}.`);
  }

  #hint(wrote: string, meant: string): void {
    // Each complaint repeats all hints, and a document may have thousands of both.
    if (this.#asked.has(wrote) || this.#hints.length >= MAX_HINTS) return;
    this.#asked.add(wrote);
    this.#hints.push({
      field: this.field(wrote),
      meant: this.field(meant),
      text: `"${wrote}": did you mean "${meant}"?`,
    });
  }
}

export function describeHints(hints: readonly MemberHint[]): string {
  return hints.map(({ text }) => text).join(' ');
}

/** Runs a reader on one element. A bad member gives a problem instead of an element. */
export function readElement<T>(
  read: () => T,
  position: Omit<Problem, 'message'>,
  prefix: string,
): { value: T } | { problem: Problem } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof BadMember)) throw error;
    return {
      problem: { ...position, field: error.field, message: `${prefix}${error.message}`, severity: 'error' },
    };
  }
}
