/** A history on disk beside a plain list of what must be in it, and the random steps that both take. */

import fc from 'fast-check';
import { expect, vi } from 'vitest';

import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { WriteAhead } from '../../core/adapters/sqlite-journal/write-ahead.ts';
import { accepted, delivered, published } from './journal-records.ts';
import { messagesOf, NONE, ops } from './newest-stand.ts';
import type { NewestStand } from './newest-stand.ts';

/** The text of a message, as its table has it. */
const TEXT = '(SELECT wire FROM content c WHERE c.number = m.number) AS text';

const NO_LIMIT = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };
const TEXTS = ['x', 'é', '€', '😀'] as const;

interface TableRow {
  readonly number: number;
}

/** What the list knows of a message. */
interface Known {
  readonly text: string;
  isEnded: boolean;
  /** How often the writing thread had heard of everything when it was written, or has ended. */
  writtenAt: number;
}

const bytes = fc.constantFrom(10, 10, 2000, 2000, 20_000, 60_000, 300_000, 3_000_000);
export const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write'),
      bytes,
      isEnded: fc.boolean(),
      text: fc.constantFrom(...TEXTS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('burst'),
      bytes: fc.constantFrom(300, 20_000, 60_000),
      count: fc.integer({ min: 2, max: 150 }),
      isKilled: fc.boolean(),
      isRead: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('at once'), bytes }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end'),
      count: fc.integer({ min: 1, max: 30 }),
      then: fc.constantFrom('nothing', 'size', 'prune'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass'), ms: fc.constantFrom(60, 250, 1000, 4000, 700_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('size') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('prune'),
      maxMessages: fc.integer({ min: 0, max: 300 }),
      spares: fc.constantFrom(0, 0, 1, 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sync'),
      level: fc.constantFrom('full', 'normal'),
      bytes,
      order: fc.constantFrom('before', 'after'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('beside'),
      what: fc.constantFrom('fold', 'idle', 'size'),
      bytes,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('idle') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill') }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** Turns of the event loop that requests of the writing thread take: groups are written meanwhile. */
const TURNS = [0, 3, 1, 0, 2];

/** A writing thread that is as slow as the turns say. */
export function slowly(): () => Promise<void> {
  let asked = 0;
  return async () => {
    for (let left = TURNS[asked++ % TURNS.length] ?? 0; left > 0; left--)
      await new Promise((resolve) => setImmediate(resolve));
  };
}

function same(found: unknown, wanted: unknown): void {
  expect(found).toEqual(wanted);
}

/** A history and the list beside it. */
export class Pair {
  readonly list = new Map<number, Known>();
  folder: string;
  writer: WriteAhead;
  readonly #stand: NewestStand;
  #next = 1;
  /** Messages whose end came in a later group and may still wait: a removal may pass over them. */
  readonly #endedLater = new Set<number>();

  constructor(stand: NewestStand) {
    this.#stand = stand;
    this.folder = stand.folder;
    this.writer = stand.open().writer;
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case 'write':
        return this.write(one.bytes, one.isEnded, one.text);
      case 'burst':
        return this.#burst(one);
      case 'at once':
        return this.#atOnce(one.bytes);
      case 'end':
        return this.#end(one);
      case 'pass':
        await vi.advanceTimersByTimeAsync(one.ms);
        return;
      case 'read':
        return this.equal();
      case 'size':
        return this.#size();
      case 'prune':
        return this.#prune(one.maxMessages, one.spares);
      case 'sync':
        return this.#sync(one);
      case 'beside':
        return this.#beside(one.what, one.bytes);
      case 'idle':
        return this.writer.idle();
      case 'again':
        await this.writer.close();
        return this.#open(this.folder);
      case 'kill':
        return this.#open(this.#stand.killed(this.folder));
    }
  }

  /** The tables have what the list has, once everything was taken into them. */
  async equal(): Promise<void> {
    same(
      await this.#inTables(),
      [...this.list].map(([number, { text, isEnded }]) => ({
        number,
        text,
        states: isEnded ? 'processed' : 'retrying',
        attempts: isEnded ? 1 : 0,
        transitions: isEnded ? 2 : 1,
      })),
    );
  }

  /** Each message of the tables, once everything was taken into them. */
  async #inTables(): Promise<readonly TableRow[]> {
    same(await this.writer.ask('fold', null), true);
    this.#endedLater.clear();
    for (const known of this.list.values()) known.writtenAt = -1;
    // Rows of the statement have these members.
    return messagesOf(this.folder, TEXT) as TableRow[];
  }

  async write(size: number, isEnded: boolean, text: string): Promise<void> {
    const { number, records } = this.#come(size, isEnded, text);
    same(this.writer.isNext(number), true);
    same(await this.writer.write([records], false), NONE);
    this.#written([number]);
  }

  #written(numbers: readonly number[]): void {
    for (const number of numbers) {
      const known = this.list.get(number);
      if (known !== undefined) known.writtenAt = this.#stand.told;
    }
  }

  /** A write beside a change of the level: what was begun before counts as the old level says, what comes after as the new one. */
  async #sync({ level, bytes: size, order }: Extract<Step, { kind: 'sync' }>): Promise<void> {
    const early = order === 'before' ? [this.write(size, true, 'x')] : [];
    const changing = this.writer.setSync(level);
    await Promise.all([...early, changing, ...(order === 'after' ? [this.write(size, true, 'x')] : [])]);
  }

  async #size(): Promise<void> {
    same((await this.writer.size()).messages, this.list.size);
  }

  #come(size: number, isEnded: boolean, text: string): { number: number; records: Op[] } {
    const number = this.#next++;
    const wire = `${number}:${text.repeat(size)}`;
    this.list.set(number, { text: wire, isEnded, writtenAt: Infinity });
    const first = ops(
      accepted(number, { wire }),
      published(number),
      delivered(number, 'retrying', { transition: {} }),
    );
    return { number, records: isEnded ? [...first, ...ended(number)] : first };
  }

  /** While somebody reads the file stays small, so its beginning is used again while its end is still needed. */
  async #burst({ bytes: size, count, isRead, isKilled }: Extract<Step, { kind: 'burst' }>): Promise<void> {
    if (isRead) await this.equal();
    for (let left = count; left > 0; left--) await this.write(size, true, 'x');
    if (isKilled) this.#open(this.#stand.killed(this.folder));
  }

  async #atOnce(size: number): Promise<void> {
    const { number, records } = this.#come(size, true, 'é');
    if (!this.writer.writeNow(records, number)) {
      same(this.writer.isNext(number), true);
      same(await this.writer.write([records], false), NONE);
    }
    this.#written([number]);
  }

  async #end({ count, then }: Extract<Step, { kind: 'end' }>): Promise<void> {
    const open = [...this.list].filter(([, { isEnded }]) => !isEnded).slice(0, count);
    if (open.length === 0) return;
    for (const [number, known] of open) {
      known.isEnded = true;
      known.writtenAt = Infinity;
      this.#endedLater.add(number);
    }
    same(await this.writer.write([open.flatMap(([number]) => ended(number))], false), NONE);
    this.#written(open.map(([number]) => number));
    if (then === 'size') await this.#size();
    if (then === 'prune') await this.#prune(Math.max(0, this.list.size - count));
  }

  /**
   * Removes what is too much, oldest first. A message whose end still waits may be passed over, and a newer one goes in its place. It goes
   * once everything was read.
   */
  async #prune(maxMessages: number, spares = 0): Promise<void> {
    const mayBePassedOver = new Set(this.#endedLater);
    const removable = this.#removable(maxMessages);
    // No newer message goes in place of a spared one.
    const spared = new Set(mayBePassedOver.size === 0 ? removable.slice(0, spares) : []);
    const wanted = removable.filter((number) => !spared.has(number));
    const removed = await this.#pruned(maxMessages, spared);
    same(removed, wanted.length);
    if (mayBePassedOver.size === 0) return this.#forget(wanted);
    const kept = new Set((await this.#inTables()).map(({ number }) => number));
    const gone = [...this.list.keys()].filter((number) => !kept.has(number));
    same(gone.length, removed);
    for (const number of gone) same(this.list.get(number)?.isEnded, true);
    for (const number of wanted) same(gone.includes(number) || mayBePassedOver.has(number), true);
    // Nothing newer goes before an older one whose end the tables had.
    const newest = Math.max(0, ...gone);
    for (const [number, { isEnded }] of this.list)
      if (isEnded && number < newest) same(gone.includes(number) || mayBePassedOver.has(number), true);
    this.#forget(gone);
    const rest = this.#removable(maxMessages - 1);
    same(await this.#pruned(maxMessages - 1), rest.length);
    this.#forget(rest);
  }

  /** Messages that a removal takes, because nothing of them waits. */
  #removable(maxMessages: number): readonly number[] {
    const ended = [...this.list].filter(([, { isEnded }]) => isEnded).map(([number]) => number);
    return ended.slice(0, Math.max(0, this.list.size - maxMessages));
  }

  /** Groups that wait go on waiting, unless the tables alone do not have enough that can be removed. */
  async #pruned(maxMessages: number, spared: ReadonlySet<number> = new Set()): Promise<number> {
    const { asked, told } = this.#stand;
    const beyond = this.list.size - maxMessages;
    const inTables = [...this.list.values()].filter(({ isEnded, writtenAt }) => isEnded && writtenAt < told);
    const from = asked.length;
    const { removed } = await this.writer.prune({ ...NO_LIMIT, maxMessages, spared: [...spared] }, 10_000);
    const [first, ...then] = asked.slice(from);
    same(first, 'prune');
    if (then.length > 0) same(then, ['follow', 'prune']);
    if (inTables.length >= beyond) same(then, []);
    return removed;
  }

  #forget(gone: readonly number[]): void {
    for (const number of gone) this.list.delete(number);
  }

  async #beside(what: 'fold' | 'idle' | 'size', size: number): Promise<void> {
    const other =
      what === 'fold'
        ? this.writer.ask('fold', null)
        : what === 'idle'
          ? this.writer.idle()
          : this.writer.size();
    await Promise.all([other, this.write(size, true, '€')]);
  }

  #open(folder: string): void {
    this.folder = folder;
    const { writer, report } = this.#stand.open(folder);
    this.writer = writer;
    same(report.notes, []);
  }
}

const ended = (number: number): Op[] =>
  ops(
    delivered(number, 'processed', {
      attempt: { attemptId: `att_${number}` },
      transition: { from: 'retrying', sequence: 2 },
    }),
  );
