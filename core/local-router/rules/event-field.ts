/**
 * Reads a member of an event by its key in filters and mappings: `data.a.b`, with the first segment in any
 * letter case.
 */
import { memberInAnyCase } from '../../contract/member-in-any-case.ts';
import { isObject } from '../../domain/json.ts';

/** The member. Undefined: it does not exist. */
export function fieldOf(event: Readonly<Record<string, unknown>>, key: string): unknown {
  const [first = '', ...rest] = key.split('.');
  let at: unknown = memberInAnyCase(event, first)?.value;
  for (const part of rest) {
    if (!isObject(at) || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  return at;
}
