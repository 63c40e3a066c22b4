/** The filter language as SQL over the journal's tables, for a window of message numbers or for given ones. */
import type { Filter, FilterNode } from '../../domain/filter/ast.ts';
import { answerText } from '../../domain/filter/answer-text.ts';
import { and, ANY, not, or, Params } from './clause.ts';
import type { Clause, Compiling } from './clause.ts';
import type { SqlValue } from './columns.ts';
import { textClause } from './sql-payload.ts';
import { termClause } from './sql-terms.ts';

/**
 * Which messages a statement looks at: all with a number from ?1 to ?2, or those of a JSON list in ?1. It decides how
 * other tables are asked: once for the whole window, or for each message.
 */
export type Reach = 'window' | 'points';

/** A filter as conditions on `message m` and, where `needsContent`, `content c`. */
export interface CompiledSql extends Clause {
  /**
   * A condition that is always true. It names the last parameter, because SQLite refuses values for parameters that a statement does not
   * name.
   */
  readonly bound: string;
  /** For ?4 on. */
  readonly values: readonly SqlValue[];
  readonly isExact: boolean;
  readonly needsContent: boolean;
  /** How often a payload is looked at, at most; at least 1. */
  readonly reads: number;
}

/** More nodes than this would exceed SQLite's limits on the depth of an expression. */
const MAX_NODES = 200;
/** SQL goes through a payload again for each value; for more of them than this the evaluator, which reads it once, is quicker. */
const MAX_SEARCHES = 8;
/** Position of the first value of the filter itself. */
const FIRST_VALUE = 4;

/**
 * @param nowMs ms since 1970, for ages
 * @param readsJson false: the evaluator checks payloads, because SQLite ends a whole statement at one that is no valid JSON
 */
export function compileSql(filter: Filter, reach: Reach, nowMs: number, readsJson = true): CompiledSql {
  const params = new Params(FIRST_VALUE);
  const searches = searchesOf(filter.root);
  const readsText = searches <= MAX_SEARCHES;
  const has: Compiling['has'] = (table, condition) =>
    reach === 'window'
      ? `m.number IN (SELECT number FROM ${table} x WHERE number BETWEEN ?1 AND ?2 AND ${condition})`
      : `EXISTS (SELECT 1 FROM ${table} x WHERE x.number = m.number AND ${condition})`;
  const clause =
    sizeOf(filter.root) > MAX_NODES
      ? ANY
      : compileNode(filter.root, { params, nowMs, has, readsText, readsJson: readsJson && readsText });
  const { over, under } = clause;
  return {
    over,
    under,
    bound: `?${FIRST_VALUE - 1 + params.values.length} IS NOT NULL`,
    values: params.values,
    isExact: over === under,
    needsContent: /\bc\./.test(over) || /\bc\./.test(under),
    reads: Math.max(1, searches),
  };
}

function compileNode(node: FilterNode, compiling: Compiling): Clause {
  switch (node.kind) {
    case 'and':
      return and(node.nodes.map((each) => compileNode(each, compiling)));
    case 'or':
      return or(node.nodes.map((each) => compileNode(each, compiling)));
    case 'not':
      return not(compileNode(node.node, compiling));
    case 'text':
      return textClause(node.value, compiling);
    case 'term':
      return node.op === '!='
        ? not(termClause({ ...node, op: '=' }, compiling))
        : termClause(node, compiling);
  }
}

/** Values that a payload is searched for. */
function searchesOf(node: FilterNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.reduce((sum, each) => sum + searchesOf(each), 0);
    case 'not':
      return searchesOf(node.node);
    case 'text':
      return 1;
    case 'term':
      if (node.key === 'answer') return node.values.filter((value) => answerText(value) !== undefined).length;
      return node.key === 'data' ? node.values.length : 0;
  }
}

function sizeOf(node: FilterNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.reduce((sum, each) => sum + sizeOf(each), 1);
    case 'not':
      return 1 + sizeOf(node.node);
    case 'text':
      return 1;
    case 'term':
      return node.values.length;
  }
}
