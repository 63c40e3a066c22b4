/** The parsed filter: plain data that is evaluated here, compiled to SQL elsewhere, and can be sent as JSON. */

export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<='] as const;
/** `=` with several values is "any of them"; `!=` is the negation of `=`. The other four have one value that is no list. */
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
  'status',
  'protocol',
  'size',
  'age',
  'time',
  'changed',
  'data',
  'meta',
  'rule',
  'cause',
  'is',
  'origin',
  'batch',
  'replayof',
  'trace',
  'subject',
  'error',
  'answeredby',
  'level',
  'part',
] as const;
export type TermKey = (typeof TERM_KEYS)[number];

/**
 * One value of a term. `size` values are in bytes, `age` values in milliseconds, `time` and `changed` values in milliseconds since 1970, as plain numbers; `5xx` is a range.
 * A `pattern` has at least one `*` (any run of characters) and no other special character.
 * `data` alone has booleans and null, and a number there never equals a string of digits.
 */
export type FilterValue =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'pattern'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  /** Both ends included. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' };

export interface TermNode {
  readonly kind: 'term';
  readonly key: TermKey;
  /** `data`: member names and indices from the payload's top. `meta`: the one metadata key. Absent for every other key. */
  readonly path?: readonly (string | number)[];
  readonly op: Comparison;
  /** At least one; exactly one unless `op` is `=`. */
  readonly values: readonly FilterValue[];
}

export type FilterNode =
  /** Two or more; no nodes at all is the empty filter, which every message passes. */
  | { readonly kind: 'and'; readonly nodes: readonly FilterNode[] }
  /** Two or more. */
  | { readonly kind: 'or'; readonly nodes: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly node: FilterNode }
  | TermNode
  /** Case-insensitive substring of the searchable text. */
  | { readonly kind: 'text'; readonly value: Extract<FilterValue, { kind: 'string' | 'pattern' }> };

export interface Filter {
  /** No condition: every message passes. */
  readonly isEmpty: boolean;
  readonly root: FilterNode;
}

/** Passed by every message. */
export const EMPTY_FILTER: Filter = { isEmpty: true, root: { kind: 'and', nodes: [] } };

/** Where a filter is wrong, and how to put it right. */
export interface FilterError {
  /** First character concerned, from 1. */
  readonly position: number;
  /** Characters concerned; 0 = something is missing there. */
  readonly length: number;
  /** Text at the place of the mistake; "" = the end of the filter. */
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
