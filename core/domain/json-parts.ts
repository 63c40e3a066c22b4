/** Changes parts of a JSON text, so that every other byte stays the same. */

import { partsOf } from '../contract/json-scan.ts';

/** @param change returns the new text of a value, or the old one */
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
 * @param text JSON object that a parser accepted
 * @returns text of each member's value, by name; for a repeated name the last value, as in parsers
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(partsOf(text).map(({ name, start, end }) => [name, text.slice(start, end)]));
}

/** @returns JSON object with the members in alphabetical order */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? 'null'}`).join(',')}}`;
}
