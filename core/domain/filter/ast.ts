/**
 * The parsed filter as plain data: evaluate.ts evaluates it, the journal on disk compiles it to SQL, and it
 * can be sent as JSON.
 */

export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<='] as const;
/**
 * Operators. `=` with several values means any of them; `!=` is the negation of `=`. The other four take one
 * value that is no list.
 */
export type Comparison = (typeof COMPARISONS)[number];

export const TERM_KEYS = [
  'topic',
  'pubsub',
  'app',
  'route',
  'state',
  'type',
  'source',
  'id',
  'attempts',
  'took',
  'status',
  'answer',
  'protocol',
  'size',
  'age',
  'time',
  'changed',
  'data',
  'meta',
  'rule',
  'lastrule',
  'cause',
  'is',
  'origin',
  'batch',
  'replayof',
  'trace',
  'subject',
  'contenttype',
  'error',
  'answeredby',
  'level',
  'part',
] as const;
export type TermKey = (typeof TERM_KEYS)[number];

/**
 * One value of a term. `size` values are in bytes, `age` and `took` values in milliseconds, `time` and `changed` values in milliseconds
 * since 1970, as plain numbers; `5xx` is a range. A `pattern` has at least one `*` (any run of characters) and no other special character.
 * `data` alone has booleans and null, and a number there never equals a string of digits.
 */
export type FilterValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'pattern'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  /** A range with both ends included. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' };

export interface TermNode {
  readonly kind: 'term';
  readonly key: TermKey;
  /** `data`: member names and indices from the payload's top. `meta`: the one metadata key. Absent for every other key. */
  readonly path?: readonly (string | number)[];
  readonly op: Comparison;
  /** Values of the term: at least one, and exactly one unless `op` is `=`. */
  readonly values: readonly FilterValue[];
}

export type FilterNode =
  /** Two nodes or more. Without nodes it is the empty filter, which every message passes. */
  | { readonly kind: 'and'; readonly nodes: readonly FilterNode[] }
  /** Two nodes or more. */
  | { readonly kind: 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | TermNode
  /** Free text: a substring of the searchable text, in any letter case. */
  | { readonly kind: 'text'; readonly value: Extract<FilterValue, { kind: 'string' | 'pattern' }> };

export interface Filter {
  /** True if there is no condition, so that every message passes. */
  readonly isEmpty: boolean;
  readonly root: FilterNode;
}

/** The filter that every message passes. */
export const EMPTY_FILTER: Filter = { isEmpty: true, root: { kind: 'and', nodes: [] } };

/** A mistake in a filter, with its position and how to correct it. */
export interface FilterError {
  /** Position of the first wrong character, from 1. */
  readonly position: number;
  /** Number of wrong characters; 0 = something is missing there. */
  readonly length: number;
  /** Text at the position of the mistake; "" = the end of the filter. */
  readonly found: string;
  readonly expected: string;
  /** A key or word that was probably meant. */
  readonly suggestion?: string;
  /** The complaint as one sentence for a person. */
  readonly message: string;
}

export type ParsedFilter =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly error: FilterError };
