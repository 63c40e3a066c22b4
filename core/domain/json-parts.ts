/**
 * Works on the texts of a JSON value's parts, so that a part can be removed or replaced while every other
 * byte stays the same.
 */

import { partsOf } from '../contract/json-scan.ts';

/**
 * Replaces values in a text: `change` returns the new text of a value, or the old one. Everything between the
 * values stays.
 */
export function withParts(text: string, change: (name: string, value: string) => string): string {
  let changed = '';
  let from = 0;
  for (const { name, start, end } of partsOf(text)) {
    changed += text.slice(from, start) + change(name, text.slice(start, end));
    from = end;
  }
  return changed + text.slice(from);
}

/**
 * Text of each member's value, by name. `text` must be a JSON object that a parser accepted. For a repeated
 * name the last value counts, as in parsers.
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(partsOf(text).map(({ name, start, end }) => [name, text.slice(start, end)]));
}

/** JSON text of an object from the texts of its members, in alphabetical order. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? 'null'}`).join(',')}}`;
}
