/** Goes over the messages in windows of numbers: each step is short, however long the history is and whatever the filter asks. */
import type { Filter } from '../../domain/filter/ast.ts';
import type { Order } from '../stored/paging.ts';
import type { SqlValue } from './facts.ts';
import { Judge } from './judge.ts';
import { compileSql } from './sql.ts';
import type { CompiledSql } from './sql.ts';
import type { Statements } from './prepared.ts';
import { numberIn } from './statements.ts';

/** Numbers of the first window; it grows while its search takes less than `QUICK_MS`. */
const FIRST_WINDOW = 2000;
const QUICK_MS = 5;
const SLOW_MS = 20;
const GROWTH = 4;
/** Messages that one step lets the evaluator look at. */
const MOST_JUDGED = 1000;

export interface Bounds {
  readonly oldest: number;
  readonly newest: number;
}

/** The lowest and the highest number there is; undefined: there is no message. */
export function boundsOf(statements: Statements): Bounds | undefined {
  const row = statements.one(
    'SELECT (SELECT min(number) FROM message) AS oldest, (SELECT max(number) FROM message) AS newest',
  );
  const oldest = numberIn(row, 'oldest');
  return oldest === 0 ? undefined : { oldest, newest: numberIn(row, 'newest') };
}

interface Window {
  readonly low: number;
  readonly high: number;
}

export class Walk {
  readonly #statements: Statements;
  readonly #sql: CompiledSql;
  readonly #judge: Judge;
  readonly #order: Order;
  readonly #end: number;
  #position: number;
  #size = FIRST_WINDOW;

  /** @param after number to go on after; undefined: from the first in that order */
  constructor(
    statements: Statements,
    query: { readonly filter: Filter; readonly nowMs: number },
    range: { readonly order: Order; readonly after?: number | undefined; readonly bounds: Bounds },
  ) {
    const { order, after, bounds } = range;
    this.#statements = statements;
    this.#sql = compileSql(query.filter, 'window', query.nowMs);
    this.#judge = new Judge(statements, query.filter, query.nowMs);
    this.#order = order;
    this.#end = order === 'oldest' ? bounds.newest : bounds.oldest;
    this.#position =
      order === 'oldest'
        ? Math.max(bounds.oldest, (after ?? 0) + 1)
        : Math.min(bounds.newest, (after ?? Infinity) - 1);
  }

  get isDone(): boolean {
    return this.#order === 'oldest' ? this.#position > this.#end : this.#position < this.#end;
  }

  /** The last number that was looked at. */
  get passed(): number {
    return this.#order === 'oldest' ? this.#position - 1 : this.#position + 1;
  }

  /** Numbers that match, in order, at most `limit`: those of the next piece, which may have none. */
  step(limit: number): number[] {
    const window = this.#window();
    const { over, under, isExact } = this.#sql;
    const most = isExact ? limit : Math.min(limit, MOST_JUDGED);
    const direction = this.#order === 'oldest' ? 'ASC' : 'DESC';
    const startMs = performance.now();
    const found = this.#query(
      `SELECT m.number AS number, ${isExact ? '1' : under} AS sure ${this.#from()} AND ${over}
       ORDER BY m.number ${direction} LIMIT ?3`,
      window,
      most,
    );
    const last = found.at(-1);
    const isCut = found.length === most && last !== undefined;
    if (isCut) this.#moveTo(numberIn(last, 'number'));
    else this.#finish(window, performance.now() - startMs);
    return this.#judge.matching(
      found.map((row) => ({ number: numberIn(row, 'number'), isSure: numberIn(row, 'sure') === 1 })),
    );
  }

  /** How many match in the next piece. */
  count(): number {
    if (!this.#sql.isExact) return this.step(MOST_JUDGED).length;
    const window = this.#window();
    const startMs = performance.now();
    const [row] = this.#query(`SELECT count(*) AS n ${this.#from()} AND ${this.#sql.over}`, window, 0);
    this.#finish(window, performance.now() - startMs);
    return numberIn(row, 'n');
  }

  #from(): string {
    const content = this.#sql.needsContent ? 'JOIN content c ON c.number = m.number' : '';
    return `FROM message m ${content} WHERE m.number BETWEEN ?1 AND ?2 AND ${this.#sql.bound}`;
  }

  #query(sql: string, { low, high }: Window, limit: number) {
    const values: readonly SqlValue[] = [low, high, limit, ...this.#sql.values];
    return this.#statements.all(sql, ...values);
  }

  #window(): Window {
    const far = this.#size - 1;
    return this.#order === 'oldest'
      ? { low: this.#position, high: Math.min(this.#end, this.#position + far) }
      : { low: Math.max(this.#end, this.#position - far), high: this.#position };
  }

  #finish({ low, high }: Window, tookMs: number): void {
    this.#moveTo(this.#order === 'oldest' ? high : low);
    if (tookMs < QUICK_MS) this.#size *= GROWTH;
    else if (tookMs > SLOW_MS) this.#size = Math.max(1, Math.floor(this.#size / GROWTH));
  }

  #moveTo(passed: number): void {
    this.#position = this.#order === 'oldest' ? passed + 1 : passed - 1;
  }
}
