/** Names what the samples added or removed, in a few words. */
import { fill } from '../copy/fill.ts';
import { FIRST_RUN } from '../copy/messages.ts';

/** Kinds whose items have short names. */
const NAMED: ReadonlySet<string> = new Set(['subscription', 'hold']);

/**
 * One part for each kind, such as "subscriptions payments, refunds". Items with long names are only counted;
 * items without a kind stay as they are.
 */
export function addedWords(things: readonly string[]): string {
  const kinds = Object.entries(FIRST_RUN.kinds).flatMap(([kind, words]) => {
    const names = things.flatMap((each) => (each.startsWith(`${kind} `) ? each.slice(kind.length + 1) : []));
    if (names.length === 0) return [];
    const word = names.length === 1 ? words.one : words.many;
    return NAMED.has(kind)
      ? fill(FIRST_RUN.kindNamed, { kind: word, names: names.join(', ') })
      : fill(FIRST_RUN.kindCounted, { n: names.length, kind: word });
  });
  const others = things.filter((each) =>
    Object.keys(FIRST_RUN.kinds).every((kind) => !each.startsWith(`${kind} `)),
  );
  const parts = [...others, ...kinds];
  return parts.length === 0 ? FIRST_RUN.nothing : parts.join('; ');
}
