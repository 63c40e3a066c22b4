/**
 * Bounds for filters that messages pass through on their way: those of holds, and those of the mock app's
 * rules. Evaluation blocks the process, so all these filters together may search only a few texts for each
 * message, and their work for one message is counted.
 */
import type { Steps } from '../steps.ts';
import { answerText } from './answer-text.ts';
import type { Filter, FilterNode } from './ast.ts';

/** Maximum number of texts and patterns that all holds together may search for, and all rules of one mock app. */
export const MAX_LIVE_SEARCHES = 10;

/**
 * Steps that all holds may take for one message at one point, and all rules of a mock app for one request:
 * about 0.3 s of work.
 */
export const LIVE_STEPS = 3_000_000;

/** Characters of a payload that one step reads, or makes searchable. */
const READ = 16;
/** Parts of a pattern shorter than this are compared as a whole wherever they nearly fit. */
const SHORT = 12;
/** Comparisons of a character that count as one step. */
const COMPARED = 110;
/** Characters of a text that one step passes in the search for a long part. */
const PASSED = 8;

/** Pays for reading a payload, or for making its searchable text. */
export function spendOnReading(characters: number, steps: Steps): void {
  steps.spend(Math.ceil(characters / READ));
}

/**
 * Pays for a search before it is done: the cost of the pattern's longest part if it nearly fits everywhere.
 */
export function spendOnSearch(text: string, pattern: string, steps: Steps): void {
  let longest = 0;
  for (const part of pattern.split('*')) longest = Math.max(longest, part.length);
  const each = longest < SHORT ? longest / COMPARED : 1 / PASSED;
  steps.spend(Math.ceil(text.length * each));
}

/** Number of searches of a filter: its free texts, and its values with `*` beside other characters. */
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
      if (node.key === 'answer') return node.values.filter((value) => answerText(value) !== undefined).length;
      return node.values.filter((value) => value.kind === 'pattern' && !/^\*+$/.test(value.value)).length;
  }
}
