/** Pages, scans and tests over the file. Pages go on in steps, so that others are answered in between. */
import type { MessageRow } from '../../contract/message.ts';
import { EMPTY_FILTER } from '../../domain/filter/ast.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import type { ScanSlice } from '../../ports/journal.ts';
import { pageOf } from '../stored/paging.ts';
import type { Order, Page } from '../stored/paging.ts';
import { Judge } from './judge.ts';
import type { Statements } from './prepared.ts';
import { SqliteReader } from './reader.ts';
import { compileSql } from './sql.ts';
import { isNoJson } from './sqlite.ts';
import { numberIn } from './statements.ts';
import { boundsOf, Walk } from './walk.ts';

/** Time of one slice of a scan, and of what a page does before it lets others run. */
const SLICE_MS = 16;
/** Numbers that are tested with one statement. */
const AT_ONCE = 500;

export interface PageQuery {
  readonly filter?: Filter | undefined;
  readonly order: Order;
  readonly after?: number | undefined;
  readonly limit: number;
  readonly nowMs: number;
}

/** Resolves after other work has run; rejects when the caller no longer waits. */
export type YieldToOthers = () => Promise<void>;

export class SqliteSearch {
  readonly #statements: Statements;
  readonly #reader: SqliteReader;

  constructor(statements: Statements) {
    this.#statements = statements;
    this.#reader = new SqliteReader(statements);
  }

  async page(query: PageQuery, yieldToOthers: YieldToOthers): Promise<Page> {
    const items: MessageRow[] = [];
    let hasMore = false;
    const walk = this.#walk(query, query.after);
    while (walk !== undefined && !walk.isDone && !hasMore) {
      const numbers = await inTime(walk, query.limit + 1 - items.length, yieldToOthers);
      const rows = this.#reader.rows(numbers.slice(0, query.limit - items.length));
      // A message that was removed between the two statements is left out.
      items.push(...rows.filter((row) => row !== undefined));
      hasMore = numbers.length > rows.length;
    }
    return pageOf(items, hasMore, await this.#total(query, yieldToOthers));
  }

  scan(query: PageQuery): ScanSlice {
    const walk = this.#walk(query, query.after);
    const numbers: number[] = [];
    const until = performance.now() + SLICE_MS;
    while (walk !== undefined && !walk.isDone) {
      numbers.push(...walk.step(query.limit - numbers.length));
      if (!walk.isDone && (numbers.length >= query.limit || performance.now() >= until))
        return { numbers, next: walk.passed };
    }
    return { numbers };
  }

  test(numbers: readonly number[], filter: Filter, nowMs: number): number[] {
    try {
      return this.#test(numbers, filter, nowMs, true);
    } catch (error) {
      if (!isNoJson(error)) throw error;
      return this.#test(numbers, filter, nowMs, false);
    }
  }

  #test(numbers: readonly number[], filter: Filter, nowMs: number, readsJson: boolean): number[] {
    const { over, under, bound, values, needsContent } = compileSql(filter, 'points', nowMs, readsJson);
    const judge = new Judge(this.#statements, filter, nowMs);
    const content = needsContent ? 'JOIN content c ON c.number = m.number' : '';
    const sql = `SELECT m.number AS number, ${under} AS sure FROM message m ${content}
      WHERE m.number IN (SELECT value FROM json_each(?1)) AND ${bound} AND ${over}`;
    const passed: number[] = [];
    for (let at = 0; at < numbers.length; at += AT_ONCE) {
      const list = JSON.stringify(numbers.slice(at, at + AT_ONCE));
      const found = this.#statements.all(sql, list, 0, 0, ...values);
      const candidates = found.map((row) => numberIn(row, 'number') * (numberIn(row, 'sure') === 1 ? 1 : -1));
      passed.push(...judge.matching(candidates));
    }
    return passed;
  }

  async #total(query: PageQuery, yieldToOthers: YieldToOthers): Promise<number> {
    if (query.filter === undefined || query.filter.isEmpty) return this.#reader.stats().messages;
    const walk = this.#walk(query, undefined);
    let total = 0;
    let until = performance.now() + SLICE_MS;
    while (walk !== undefined && !walk.isDone) {
      total += walk.count();
      if (performance.now() < until) continue;
      await yieldToOthers();
      until = performance.now() + SLICE_MS;
    }
    return total;
  }

  #walk({ filter = EMPTY_FILTER, nowMs, order }: PageQuery, after: number | undefined): Walk | undefined {
    const bounds = boundsOf(this.#statements);
    return bounds && new Walk(this.#statements, { filter, nowMs }, { order, after, bounds });
  }
}

/** Searches step by step until something is found, the end is reached, or other work is due. */
async function inTime(walk: Walk, limit: number, yieldToOthers: YieldToOthers): Promise<number[]> {
  const until = performance.now() + SLICE_MS;
  while (!walk.isDone) {
    const numbers = walk.step(limit);
    if (numbers.length > 0) return numbers;
    if (performance.now() >= until) await yieldToOthers();
  }
  return [];
}
