/** Counts what the samples added or removed, in a few words: a notification is read in passing. */
import { fill } from '../copy/fill.ts';
import { FIRST_RUN } from '../copy/messages.ts';

/** One part for each kind, such as "2 subscriptions"; things without a kind stay as they are. */
export function addedText(things: readonly string[]): string {
  const kinds = Object.entries(FIRST_RUN.kinds);
  const counted = kinds.flatMap(([kind, words]) => {
    const n = things.filter((each) => each.startsWith(`${kind} `)).length;
    return n === 0 ? [] : [fill(FIRST_RUN.kindCounted, { n, kind: n === 1 ? words.one : words.many })];
  });
  const others = things.filter((each) => kinds.every(([kind]) => !each.startsWith(`${kind} `)));
  const parts = [...others, ...counted];
  return parts.length === 0 ? FIRST_RUN.nothing : parts.join(', ');
}
