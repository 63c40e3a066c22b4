/** The own texts of a JSON value's parts, so that a part can be taken out or replaced while every other byte stays as it was. */

import { partsOf } from '../contract/json-scan.ts';

/** The text with other values in place of some: `change` gives the new text of one, or the same. Everything between them stays. */
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
 * Member name -> text of its value. `text` must be a JSON object that a parser accepted.
 * A name that is there twice keeps its last value, as parsers do.
 */
export function memberTexts(text: string): Map<string, string> {
  return new Map(partsOf(text).map(({ name, start, end }) => [name, text.slice(start, end)]));
}

/** JSON object text of parts, members in alphabetical order. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  const names = [...members.keys()].toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? 'null'}`).join(',')}}`;
}
