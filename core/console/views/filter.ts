/** Parses the filter, group and sort parameters of methods; a mistake becomes a refusal with its position. */
import { GROUPINGS, SORTABLE } from '../../contract/words.ts';
import { readFacet } from '../../domain/facet.ts';
import type { Facet } from '../../domain/facet.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { readSortable } from '../../domain/row-order.ts';
import { mistakeIn } from '../../domain/filter/meant.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import { Refusal } from '../../domain/refusal.ts';

/** Parses a filter. Throws Refusal FILTER_SYNTAX with position, length, found, expected and, if one is close, a suggestion. */
export function readFilter(text: string): Filter {
  const parsed = parseFilter(text);
  if (parsed.ok) return parsed.filter;
  const { message: reason, expected, ...place } = mistakeIn(text, parsed.error);
  throw new Refusal('FILTER_SYNTAX', { reason }, { field: 'filter', expected, data: place });
}

/** Throws Refusal INVALID_PARAMS. */
export function readGroupBy(text: string): Facet {
  const facet = readFacet(text);
  if (facet !== undefined) return facet;
  const expected = `${GROUPINGS.join(', ')}, or a path such as data.order.id`;
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `groupBy must be ${expected}, got ${JSON.stringify(text.slice(0, 100))}` },
    { field: 'groupBy', expected },
  );
}

/** A path into the payload, such as `data.order.id`. Throws Refusal INVALID_PARAMS. */
export function readDataPath(text: string): Facet {
  const facet = readFacet(text);
  if (facet?.kind === 'data') return facet;
  const expected = 'a path such as data.order.id';
  const reason = `paths must have ${expected}, got ${JSON.stringify(text.slice(0, 100))}`;
  throw new Refusal('INVALID_PARAMS', { reason }, { field: 'paths', expected });
}

/** Sort key of a view. */
export type SortBy =
  | { readonly kind: 'column'; readonly column: (typeof SORTABLE)[number] }
  | { readonly kind: 'facet'; readonly facet: Facet };

/** A column, or a path into the payload. Throws Refusal INVALID_PARAMS. */
export function readSortBy(text: string): SortBy {
  const column = readSortable(text);
  if (column !== undefined) return { kind: 'column', column };
  const facet = readFacet(text);
  if (facet?.kind === 'data') return { kind: 'facet', facet };
  const expected = `${SORTABLE.join(', ')}, or a path such as data.order.id`;
  const reason = `sortBy must be ${expected}, got ${JSON.stringify(text.slice(0, 100))}`;
  throw new Refusal('INVALID_PARAMS', { reason }, { field: 'sortBy', expected });
}
