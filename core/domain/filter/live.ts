/**
 * The bounds for filters that messages meet on their way: those of holds, and those of the mock app's rules. Nothing else goes on while such
 * a filter is evaluated, so all of them together may look through texts only a few times for each message, and what they do with one
 * message is counted.
 */
import type { Steps } from '../steps.ts';
import type { Filter, FilterNode } from './ast.ts';

/** Texts and patterns that all holds together may look for, and all rules of one mock app. */
export const MOST_LIVE_SEARCHES = 10;

/** Steps that all holds may take for one message at one point, and all rules of a mock app for one request: about 0.3 s of work at most. */
export const LIVE_STEPS = 3_000_000;

/** Characters of a payload that a step reads, or makes searchable. */
const READ = 16;
/** Parts of a pattern that are shorter are compared as a whole at every place where they nearly fit. */
const SHORT = 12;
/** Comparisons of a character that make a step. */
const COMPARED = 110;
/** Characters of a text that a step passes while a long part is sought. */
const PASSED = 8;

/** Pays for reading a payload, or for the searchable text that was made of it. */
export function spendOnReading(characters: number, steps: Steps): void {
  steps.spend(Math.ceil(characters / READ));
}

/** Pays for looking through a text, before it is done: what the pattern's longest part costs if it nearly fits everywhere. */
export function spendOnSearch(text: string, pattern: string, steps: Steps): void {
  let longest = 0;
  for (const part of pattern.split('*')) longest = Math.max(longest, part.length);
  const each = longest < SHORT ? longest / COMPARED : 1 / PASSED;
  steps.spend(Math.ceil(text.length * each));
}

/** How often a filter looks through a text: its free texts, and its values with `*` beside other characters. */
export function searchesOf(filter: Filter): number {
  return searchesIn(filter.root);
}

function searchesIn(node: FilterNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.reduce((sum, each) => sum + searchesIn(each), 0);
    case 'not':
      return searchesIn(node.node);
    case 'text':
      return 1;
    case 'term':
      return node.values.filter((value) => value.kind === 'pattern' && !/^\*+$/.test(value.value)).length;
  }
}
