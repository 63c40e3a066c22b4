/** SQL conditions, each in two forms: messages that may match, and those that certainly do. The evaluator checks the rest. */
import type { Comparison, FilterValue } from '../../domain/filter/ast.ts';
import { columnText } from './columns.ts';
import type { SqlValue } from './columns.ts';

/**
 * `over` holds for every message that matches, and may hold for more; `under` only for messages that match, maybe not for
 * all. Both are never NULL. If both are the same text, SQL alone decides.
 */
export interface Clause {
  readonly over: string;
  readonly under: string;
}

export const NONE: Clause = { over: '0', under: '0' };
/** Clause of a filter that SQL cannot decide: the evaluator checks every message. */
export const ANY: Clause = { over: '1', under: '0' };

export function exactly(sql: string): Clause {
  return { over: sql, under: sql };
}

/**
 * A test of which a part may be NULL, as 1 or 0. A condition stops at the first part that decides; a value of AND and OR
 * looks at every part, and reading a payload as JSON is most of what a search costs.
 */
export function decided(condition: string): string {
  return `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
}

export function and(clauses: readonly Clause[]): Clause {
  return { over: join(clauses, 'over', 'AND'), under: join(clauses, 'under', 'AND') };
}

export function or(clauses: readonly Clause[]): Clause {
  return { over: join(clauses, 'over', 'OR'), under: join(clauses, 'under', 'OR') };
}

export function not({ over, under }: Clause): Clause {
  return { over: negated(under), under: negated(over) };
}

/** A clause that decides only where `condition` holds. Elsewhere it is not evaluated, and the evaluator checks the message. */
export function onlyWhere(condition: string, { over, under }: Clause): Clause {
  return {
    over: `CASE WHEN ${condition} THEN ${over} ELSE 1 END`,
    under: `CASE WHEN ${condition} THEN ${under} ELSE 0 END`,
  };
}

function join(clauses: readonly Clause[], side: keyof Clause, word: 'AND' | 'OR'): string {
  const [neutral, final] = word === 'AND' ? ['1', '0'] : ['0', '1'];
  const parts = clauses.map((clause) => clause[side]).filter((sql) => sql !== neutral);
  if (parts.includes(final)) return final;
  if (parts.length === 0) return neutral;
  return parts.length === 1 ? (parts[0] ?? neutral) : `(${parts.join(` ${word} `)})`;
}

function negated(sql: string): string {
  if (sql === '1') return '0';
  return sql === '0' ? '1' : `NOT (${sql})`;
}

/** Values of a statement by position, after those that every statement has. */
export class Params {
  readonly values: SqlValue[] = [];
  readonly #first: number;

  /** @param first position of the first value, from 1 */
  constructor(first: number) {
    this.#first = first;
  }

  bind(value: SqlValue): string {
    this.values.push(value);
    return `?${this.#first + this.values.length - 1}`;
  }
}

export interface Compiling {
  readonly params: Params;
  /** ms since 1970, for ages. */
  readonly nowMs: number;
  /** SQL may search payloads. */
  readonly readsText: boolean;
  /** SQL may read payloads as JSON. */
  readonly readsJson: boolean;
  /** True for a message `m` that has a row in `table` for which `condition` holds; `condition` names its columns plainly, or as those of `x`. */
  has(table: 'delivery' | 'attempt' | 'transition', condition: string): string;
}

/** Whether an expression passes one value; undefined: no number does. */
export function numberTest(
  op: Comparison,
  value: FilterValue,
  params: Params,
): ((expression: string) => string) | undefined {
  if (value.kind === 'range') {
    const [from, to] = [params.bind(value.from), params.bind(value.to)];
    return (expression) => `${expression} BETWEEN ${from} AND ${to}`;
  }
  if (value.kind !== 'number') return undefined;
  const wanted = params.bind(value.value);
  return (expression) => `${expression} ${op} ${wanted}`;
}

/** SQLite compares a pattern again at every place of a payload: a longer one that nearly fits everywhere would take minutes. */
const MAX_PATTERN_LENGTH = 50;

/** The pattern for GLOB; undefined: it is too long. */
export function globOf(pattern: string): string | undefined {
  const glob = columnText(pattern).replaceAll(/[[?]/g, '[$&]');
  return glob.length > MAX_PATTERN_LENGTH ? undefined : glob;
}

/** For LIKE … ESCAPE '\': the text anywhere, ASCII letters in either case. Undefined: too long for it. */
export function likeAnywhere(text: string): string | undefined {
  if (text.length > MAX_PATTERN_LENGTH) return undefined;
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
