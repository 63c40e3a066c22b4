/**
 * Finds members of a document that no reader reads, each with its field and the name that was probably meant.
 */
import { nearest } from './filter/mistakes.ts';
import { isObject } from './json.ts';

/** `Problem.code` of an unknown member, whose name is wrong and not its value. */
export const NOT_READ = 'NOT_READ';
/** `Problem.code` of a document of a kind that Sidelight knows and does not use: nothing is wrong with it. */
export const OTHER_KIND = 'OTHER_KIND';

export interface UnknownMember {
  /** Path of the member, for example `spec.topc`. */
  readonly field: string;
  readonly message: string;
}

/** Maximum number of complaints about one document. */
const MAX = 20;

/**
 * Known names, by a pattern for the path of their object: `''` is the document itself, a trailing `[]` each
 * element of an array, `*` any name.
 */
export type KnownMembers = Readonly<Record<string, readonly string[]>>;

export interface HowToLook {
  /** Put before every field; absent: nothing. */
  readonly at?: string | undefined;
  /**
   * Absent: members that differ from a known one only in letter case are left to `Members`, which knows whether
   * the profile accepts them.
   */
  readonly caseMatters?: boolean;
  /** False: nobody reads the messages, so the names that were meant are not looked up. */
  readonly withHints?: boolean;
}

/** The unknown members of a document, which are mostly typing mistakes. */
export function unknownMembers(
  value: unknown,
  known: KnownMembers,
  { at = '', caseMatters = false, withHints = true }: HowToLook = {},
): readonly UnknownMember[] {
  return Object.entries(known)
    .flatMap(([pattern, names]) =>
      objectsAt(value, pattern).flatMap(({ of, path }) =>
        Object.keys(of)
          .filter((name) => !isKnown(name, names, caseMatters))
          .slice(0, MAX)
          .map((name) => {
            const field = [at, path, name].filter((part) => part !== '').join('.');
            const meant = withHints ? nearest(name, names) : undefined;
            const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
            return { field, message: `${field} is not read.${hint}` };
          }),
      ),
    )
    .slice(0, MAX);
}

function isKnown(name: string, names: readonly string[], caseMatters: boolean): boolean {
  if (names.includes(name)) return true;
  return !caseMatters && names.some((one) => one.toLowerCase() === name.toLowerCase());
}

interface At {
  readonly of: Readonly<Record<string, unknown>>;
  readonly path: string;
}

interface Seen {
  readonly value: unknown;
  readonly path: string;
}

function under(path: string, name: string, value: unknown): Seen {
  return { value, path: path === '' ? name : `${path}.${name}` };
}

/** The objects that `pattern` names. Values of another type are left to their reader, which complains. */
function objectsAt(value: unknown, pattern: string): readonly At[] {
  let at: readonly Seen[] = [{ value, path: '' }];
  for (const step of pattern === '' ? [] : pattern.split('.')) {
    const name = step.replace(/\[\]$/, '');
    at = at.flatMap((one) => {
      if (!isObject(one.value)) return [];
      if (name === '*') return Object.entries(one.value).map(([key, value]) => under(one.path, key, value));
      const found = one.value[name];
      if (!step.endsWith('[]')) return [under(one.path, name, found)];
      if (!Array.isArray(found)) return [];
      return (found as readonly unknown[]).map((element, index) =>
        under(one.path, `${name}[${index}]`, element),
      );
    });
  }
  return at.flatMap((one) => (isObject(one.value) ? [{ of: one.value, path: one.path }] : []));
}
