/**
 * The bound for filters that messages meet on their way: those of holds, and those of the mock app's rules. Nothing else goes on while such
 * a filter is evaluated, so all of them together may look through texts only a few times for each message.
 */
import type { Filter, FilterNode } from './ast.ts';

/** Texts and patterns that all holds together may look for, and all rules of one mock app. */
export const MOST_LIVE_SEARCHES = 10;

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
