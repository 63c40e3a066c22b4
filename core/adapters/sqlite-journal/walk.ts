/** Goes over the messages in windows of numbers: each step is short, however long the history is and whatever the filter asks. */
import type { Filter } from '../../domain/filter/ast.ts';
import type { Order } from '../stored/paging.ts';
import type { SqlValue } from './columns.ts';
import { Judge } from './judge.ts';
import { compileSql } from './sql.ts';
import type { CompiledSql } from './sql.ts';
import { isNoJson } from './sqlite.ts';
import type { Statements } from './prepared.ts';
import { jsonOf, numberIn, textIn } from './statements.ts';

/** Numbers of the first window; it grows while its search takes less than `QUICK_MS`. */
const FIRST_WINDOW = 2000;
const QUICK_MS = 5;
const SLOW_MS = 20;
const GROWTH = 4;
/** A smaller window costs more to ask for than to look at. */
const MIN_WINDOW = 250;
/** Messages that one step lets the evaluator look at. */
const MAX_JUDGED = 1000;
/** Matches that one step counts where SQL alone cannot. */
const MAX_COUNTED = 10_000;

/** Characters of payloads that one step reads, counted once for each time that the filter looks at them. */
const MAX_READ = 64 * 1024 * 1024;

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

/** The first ones up to a limit, and up to as many as one step lets the evaluator look at: those below 0. */
function atMost(candidates: number[], limit: number): number[] {
  let doubtful = 0;
  for (let index = 0; index < candidates.length; index += 1) {
    if (index === limit || doubtful === MAX_JUDGED) return candidates.slice(0, index);
    if ((candidates[index] ?? 0) < 0) doubtful++;
  }
  return candidates;
}

interface Window {
  readonly low: number;
  readonly high: number;
}

export class Walk {
  readonly #statements: Statements;
  readonly #query: { readonly filter: Filter; readonly nowMs: number };
  #sql: CompiledSql;
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
    this.#query = query;
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
    return this.#aroundDamage(() => this.#step(limit));
  }

  /** How many match in the next piece. */
  count(): number {
    return this.#aroundDamage(() => this.#count());
  }

  /** Repeats a step without JSON in SQL if a payload is damaged, because that must not end a search: the evaluator then reads payloads. */
  #aroundDamage<T>(look: () => T): T {
    try {
      return look();
    } catch (error) {
      if (!isNoJson(error)) throw error;
      this.#sql = compileSql(this.#query.filter, 'window', this.#query.nowMs, false);
      return look();
    }
  }

  #step(limit: number): number[] {
    const window = this.#window();
    const { over, under, isExact, needsContent } = this.#sql;
    // Payloads are read forwards, also for the newest ones: backwards the file is read worse.
    const isTurned = this.#order === 'newest' && needsContent;
    const direction = this.#order === 'newest' && !isTurned ? 'DESC' : 'ASC';
    const startMs = performance.now();
    // One text for all of them: a row for each costs as much as most searches. What SQL is not sure of is below 0.
    const row = this.#statements.one(
      `SELECT json_group_array(n) AS list FROM (
         SELECT ${isExact ? 'm.number' : `CASE WHEN ${under} THEN m.number ELSE -m.number END`} AS n
         ${this.#from()} AND ${over} ORDER BY m.number ${direction} LIMIT ?3)`,
      ...this.#values(window, isTurned ? -1 : limit),
    );
    const all = jsonOf<number[]>(textIn(row, 'list'));
    if (isTurned) all.reverse();
    const found = atMost(all, limit);
    const last = found.at(-1);
    const isCut = last !== undefined && (found.length < all.length || found.length === limit);
    if (isCut) this.#cut(Math.abs(last), window, found.length / all.length);
    else this.#finish(window, performance.now() - startMs);
    return isExact ? found : this.#judge.matching(found);
  }

  #count(): number {
    if (!this.#sql.isExact) return this.step(MAX_COUNTED).length;
    const window = this.#window();
    const startMs = performance.now();
    const sql = `SELECT count(*) AS n ${this.#from()} AND ${this.#sql.over}`;
    const row = this.#statements.one(sql, ...this.#values(window, 0));
    this.#finish(window, performance.now() - startMs);
    return numberIn(row, 'n');
  }

  #from(): string {
    const content = this.#sql.needsContent ? 'JOIN content c ON c.number = m.number' : '';
    return `FROM message m ${content} WHERE m.number BETWEEN ?1 AND ?2 AND ${this.#sql.bound}`;
  }

  #values({ low, high }: Window, limit: number): readonly SqlValue[] {
    return [low, high, limit, ...this.#sql.values];
  }

  #window(): Window {
    const far = this.#size - 1;
    const window =
      this.#order === 'oldest'
        ? { low: this.#position, high: Math.min(this.#end, this.#position + far) }
        : { low: Math.max(this.#end, this.#position - far), high: this.#position };
    const { needsContent, isExact, reads } = this.#sql;
    return needsContent || !isExact ? this.#withinReach(window, Math.floor(MAX_READ / reads)) : window;
  }

  /** A statement cannot be interrupted, so it gets messages up to a sum of sizes: at least one, however large that is. */
  #withinReach({ low, high }: Window, size: number): Window {
    const [end, direction] = this.#order === 'oldest' ? ['max', 'ASC'] : ['min', 'DESC'];
    const row = this.#statements.one(
      `SELECT ${end}(number) AS last FROM (
         SELECT number, size, sum(size) OVER (ORDER BY number ${direction}) AS total
         FROM message WHERE number BETWEEN ?1 AND ?2) WHERE total - size < ?3`,
      low,
      high,
      size,
    );
    const last = numberIn(row, 'last');
    if (last === 0) return { low, high };
    return this.#order === 'oldest' ? { low, high: last } : { low: last, high };
  }

  /** Ends a window at the limit: the next window begins there and is about as large as the part that was used. */
  #cut(passed: number, { low, high }: Window, taken: number): void {
    this.#moveTo(passed);
    this.#size = Math.max(MIN_WINDOW, Math.ceil((high - low + 1) * taken));
  }

  #finish({ low, high }: Window, tookMs: number): void {
    this.#moveTo(this.#order === 'oldest' ? high : low);
    if (tookMs < QUICK_MS) this.#size *= GROWTH;
    else if (tookMs > SLOW_MS) this.#size = Math.max(MIN_WINDOW, Math.floor(this.#size / GROWTH));
  }

  #moveTo(passed: number): void {
    this.#position = this.#order === 'oldest' ? passed + 1 : passed - 1;
  }
}
