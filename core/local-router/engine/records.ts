/** Deliveries, events and history in the store: written, read, listed, pruned. */
import { isEndedState } from '../../contract/delivery.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type {
  RouterAttempt,
  RouterDeliveryQuery,
  RouterDeliveryRow,
  RouterTransition,
} from '../../contract/event-router/local-router.ts';
import type { Prepare, RouterStore } from '../store/store.ts';
import { LIVE_STATES, rowOf } from './entry.ts';
import type { Entry, KeptEvent } from './entry.ts';

const MAX_LISTED = 500;
const ROW =
  'SELECT row, (SELECT max(seq) FROM history WHERE delivery = deliveries.no) AS seq FROM deliveries';

/** The engine's tables. A read sees every earlier change. */
export class Records {
  readonly #store: RouterStore;

  constructor(store: RouterStore) {
    this.#store = store;
  }

  /** Highest numbers that were assigned. */
  numbers(): { readonly delivery: number; readonly event: number } {
    const delivery = this.#read('SELECT max(no) AS n FROM deliveries')[0]?.['n'];
    const event = this.#read('SELECT max(no) AS n FROM events')[0]?.['n'];
    return { delivery: Number(delivery ?? 0), event: Number(event ?? 0) };
  }

  /** Stores events and deliveries; resolves when they are on disk. */
  accept(
    events: readonly { readonly no: number; readonly topic: string; readonly event: KeptEvent }[],
    entries: readonly Entry[],
    nowMs: number,
  ): Promise<void> {
    return this.#store.accept((prepare) => {
      const addEvent = prepare('INSERT INTO events VALUES (?, ?, ?, ?)');
      for (const { no, topic, event } of events) addEvent.run(no, topic, nowMs, JSON.stringify(event));
      const addEntry = prepare('INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)');
      for (const entry of entries) {
        const { no, id, event, lane, topic, state, bytes } = entry;
        addEntry.run(no, id, event, lane, topic, state, bytes, JSON.stringify(entry));
      }
    });
  }

  /** Stores the present state of an entry and the transition that led to it. */
  change(entry: Entry, transition: RouterTransition | undefined, nowMs: number): void {
    const { no, state } = entry;
    const ended = isEndedState(state) ? nowMs : null;
    const seq = transition === undefined ? 0 : (entry.seq += 1);
    const row = JSON.stringify(entry);
    const json = JSON.stringify(transition ?? null);
    this.#store.note((prepare) => {
      prepare('UPDATE deliveries SET state = ?, ended = ?, row = ? WHERE no = ?').run(state, ended, row, no);
      if (seq > 0) addHistory(prepare, { no, seq, kind: 'transition', json });
    });
  }

  attempt(entry: Entry, attempt: RouterAttempt): void {
    const { no } = entry;
    const seq = (entry.seq += 1);
    const json = JSON.stringify(attempt);
    this.#store.note((prepare) => addHistory(prepare, { no, seq, kind: 'attempt', json }));
  }

  event(no: number): KeptEvent | undefined {
    const [row] = this.#read('SELECT json FROM events WHERE no = ?', no);
    const value: unknown = row === undefined ? undefined : JSON.parse(String(row['json']));
    return isEvent(value) ? value : undefined;
  }

  live(): Entry[] {
    const marks = LIVE_STATES.map(() => '?').join(', ');
    return this.#entries(`${ROW} WHERE state IN (${marks}) ORDER BY no`, ...LIVE_STATES);
  }

  get(id: string): Entry | undefined {
    return this.#entries(`${ROW} WHERE id = ?`, id)[0];
  }

  history(entry: Entry): { readonly transitions: RouterTransition[]; readonly attempts: RouterAttempt[] } {
    const transitions: RouterTransition[] = [];
    const attempts: RouterAttempt[] = [];
    for (const row of this.#read(
      'SELECT kind, json FROM history WHERE delivery = ? ORDER BY seq',
      entry.no,
    )) {
      const value: unknown = JSON.parse(String(row['json']));
      if (row['kind'] === 'attempt' && isAttempt(value)) attempts.push(value);
      else if (isTransition(value)) transitions.push(value);
    }
    return { transitions, attempts };
  }

  /** Deliveries of a query, newest first. */
  list(query: RouterDeliveryQuery): {
    readonly items: readonly RouterDeliveryRow[];
    readonly nextCursor: string | null;
    readonly total: number;
  } {
    const limit = Math.min(Math.max(Math.trunc(query.limit ?? 100), 1), MAX_LISTED);
    const { where, values } = clauseOf(query);
    const total = Number(
      this.#read(`SELECT count(*) AS n FROM deliveries${where}`, ...values)[0]?.['n'] ?? 0,
    );
    const after = /^\d{1,15}$/.test(query.cursor ?? '') ? Number(query.cursor) : Number.MAX_SAFE_INTEGER;
    const and = where === '' ? ' WHERE no < ?' : `${where} AND no < ?`;
    const found = this.#entries(`${ROW}${and} ORDER BY no DESC LIMIT ?`, ...values, after, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = found.length > limit && last !== undefined;
    return { items: page.map(rowOf), nextCursor: more ? String(last.no) : null, total };
  }

  /** Number of deliveries in each state, by event subscription. */
  counts(): Map<string, Partial<Record<DeliveryState, number>>> {
    const counts = new Map<string, Partial<Record<DeliveryState, number>>>();
    for (const row of this.#read('SELECT subscription, state, count(*) AS n FROM deliveries GROUP BY 1, 2')) {
      const lane = String(row['subscription']);
      counts.set(lane, { ...counts.get(lane), [String(row['state'])]: Number(row['n']) });
    }
    return counts;
  }

  /** Deliveries of a lane that wait for a person. */
  waitingFor(lane: string): Entry[] {
    const sql = `${ROW} WHERE subscription = ? AND state IN ('held', 'parked')`;
    return this.#entries(sql, lane);
  }

  /**
   * Removes ended deliveries beyond the limits, the oldest first, and events that no delivery needs any more.
   */
  prune(olderThanMs: number, mostBytes: number): number {
    const old = this.#read('SELECT no, bytes FROM deliveries WHERE ended IS NOT NULL ORDER BY ended DESC');
    let bytes = 0;
    const cut = old.findIndex((row) => (bytes += Number(row['bytes'])) > mostBytes);
    const numbers = new Set(cut < 0 ? [] : old.slice(cut).map((row) => Number(row['no'])));
    const late = this.#read('SELECT no FROM deliveries WHERE ended < ?', olderThanMs);
    for (const row of late) numbers.add(Number(row['no']));
    if (numbers.size === 0) return 0;
    this.#store.note((prepare) => {
      const remove = prepare('DELETE FROM deliveries WHERE no = ?');
      const forget = prepare('DELETE FROM history WHERE delivery = ?');
      for (const no of numbers) {
        remove.run(no);
        forget.run(no);
      }
      prepare('DELETE FROM events WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE event = events.no)').run();
    });
    return numbers.size;
  }

  #entries(sql: string, ...values: readonly (string | number)[]): Entry[] {
    return this.#read(sql, ...values).flatMap((row) => {
      const value: unknown = JSON.parse(String(row['row']));
      if (!isEntry(value)) return [];
      // A crash may have happened between the writes of an attempt's record and the row.
      value.seq = Math.max(value.seq, Number(row['seq'] ?? 0));
      return [value];
    });
  }

  #read(sql: string, ...values: readonly (string | number)[]): readonly Record<string, unknown>[] {
    return this.#store.read(sql, ...values);
  }
}

function clauseOf(query: RouterDeliveryQuery): {
  readonly where: string;
  readonly values: readonly string[];
} {
  const terms: string[] = [];
  const values: string[] = [];
  if (query.states !== undefined && query.states.length > 0) {
    terms.push(`state IN (${query.states.map(() => '?').join(', ')})`);
    values.push(...query.states);
  }
  if (query.subscriptionId !== undefined) {
    terms.push('subscription = ?');
    values.push(query.subscriptionId.toLowerCase());
  }
  if (query.topic !== undefined) {
    terms.push('topic = ? COLLATE NOCASE');
    values.push(query.topic);
  }
  if (query.text !== undefined && query.text !== '') {
    terms.push('instr(lower(row), lower(?)) > 0');
    values.push(query.text);
  }
  return { where: terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`, values };
}

function addHistory(
  prepare: Prepare,
  record: { readonly no: number; readonly seq: number; readonly kind: string; readonly json: string },
): void {
  const add = prepare('INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?)');
  add.run(record.no, record.seq, record.kind, record.json);
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'lane' in value && 'dueMs' in value;
}

function isEvent(value: unknown): value is KeptEvent {
  return typeof value === 'object' && value !== null && 'schema' in value && 'text' in value;
}

function isAttempt(value: unknown): value is RouterAttempt {
  return typeof value === 'object' && value !== null && 'attemptId' in value;
}

function isTransition(value: unknown): value is RouterTransition {
  return typeof value === 'object' && value !== null && 'to' in value;
}
