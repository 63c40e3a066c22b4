/** A history on disk beside a plain list of what must be in it, and the random steps that both take. */

import fc from 'fast-check';
import { expect, vi } from 'vitest';

import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { accepted, delivered, messageRow, published, removed } from './journal-records.ts';
import { messagesOf, NONE, ops } from './newest-stand.ts';
import type { NewestStand } from './newest-stand.ts';
import { Reading, sizesIn, wrongIn } from './tables-check.ts';

/** Size of the file of the newest records before it grows. */
const FILE_BYTES = 2 * 1024 * 1024;

/** The text of a message, as its table has it. */
const TEXT = '(SELECT wire FROM content c WHERE c.number = m.number) AS text';

const NO_LIMIT = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };
const TEXTS = ['x', 'é', '€', '😀'] as const;

interface TableRow {
  readonly number: number;
}

type Keep = typeof NO_LIMIT;

/** What the list knows of a message. */
interface Known {
  readonly text: string;
  readonly atMs: number;
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('long pause'), bytes }) },
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
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      ms: fc.constantFrom(60, 250, 1000, 4000, 599_500, 700_000),
    }),
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
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('keep'),
      by: fc.constantFrom('bytes', 'age'),
      share: fc.constantFrom(0, 0.3, 0.6, 0.9, 1),
      spares: fc.constantFrom(0, 0, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remove'),
      from: fc.constantFrom(0, 0.2, 0.5, 0.9),
      count: fc.constantFrom(1, 5, 100, Infinity),
      then: fc.constantFrom('nothing', 'size', 'prune', 'kill'),
      /** What happened to them meanwhile comes after their removal. */
      late: fc.constantFrom('no', 'in the group', 'in the next group'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('come and go'), bytes }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('begin to read') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end of reading') }) },
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
      what: fc.constantFrom('commit', 'idle', 'size'),
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
  writer: Appender;
  readonly #stand: NewestStand;
  #next = 1;
  /** Messages whose end came in a later group and may still wait: a removal may pass over them. */
  readonly #endedLater = new Set<number>();
  /** How often the writing thread had heard of everything when a person last removed messages. */
  #removedAt = -1;
  /** A reader who has not finished. */
  #reading: Reading | undefined;

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
      case 'long pause':
        return this.#longPause(one.bytes);
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
      case 'keep':
        return this.#keep(one);
      case 'remove':
        return this.#remove(one);
      case 'come and go':
        return this.#comeAndGo(one.bytes);
      case 'begin to read':
        this.#reading ??= new Reading(this.folder);
        return;
      case 'end of reading':
        return this.#endReading();
      case 'sync':
        return this.#sync(one);
      case 'beside':
        return this.#beside(one.what, one.bytes);
      case 'idle':
        return this.writer.idle();
      case 'again':
        this.#endReading();
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
    same(wrongIn(this.folder), []);
    const removable = [...this.list].filter(([, { isEnded }]) => isEnded).map(([number]) => number);
    same([...sizesIn(this.folder).removable], removable);
  }

  /** Ends what is open, so that the folder can be removed. */
  end(): void {
    this.#endReading();
  }

  /** The reader has seen one state all the time, whatever was written and removed. */
  #endReading(): void {
    same(this.#reading?.end() ?? true, true);
    this.#reading = undefined;
  }

  /** Each message of the tables, once everything was taken into them. */
  async #inTables(): Promise<readonly TableRow[]> {
    same(await this.writer.ask('commit', null), true);
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
    // Once in a while the time of day was set back.
    const atMs = Date.parse(messageRow(number).at) - (number % 7 === 0 ? 50 : 0);
    this.list.set(number, { text: wire, atMs, isEnded, writtenAt: Infinity });
    const first = ops(
      accepted(number, { wire, row: { at: new Date(atMs).toISOString() } }),
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

  /** The file grows and is left alone until it is about to shrink; a kill when that time is over, right after another write. */
  async #longPause(size: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(4000);
    for (let left = 2 * Math.ceil(FILE_BYTES / 60_000); left > 0; left--) await this.write(60_000, true, 'x');
    await vi.advanceTimersByTimeAsync(599_500);
    await this.write(size, true, 'x');
    await vi.advanceTimersByTimeAsync(700);
    this.#open(this.#stand.killed(this.folder));
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
    // A removal by a person is told of first, because only the tables know what goes with it.
    const isRemovalTold = this.#removedAt !== told;
    const { removed } = await this.writer.prune({ ...NO_LIMIT, maxMessages, spared: [...spared] }, 10_000);
    const meanwhile = asked.slice(from);
    // A file that is full enough is emptied part by part, beside the removal: the tables get more then, whatever the removal needs.
    if (meanwhile.includes('settle')) {
      same(['prune', 'prune,prune'].includes(meanwhile.filter((kind) => kind === 'prune').join()), true);
      return removed;
    }
    const [first, ...then] = meanwhile.slice(isRemovalTold || meanwhile[0] === 'prune' ? 0 : 1);
    same(first, 'prune');
    if (then.length > 0) same(then, ['follow', 'prune']);
    if (inTables.length >= beyond) same(then, []);
    return removed;
  }

  /** Removes what is too large together, or too old, once everything is in the tables; what waits at `age` is told of if it may be too old. */
  async #keep({ by, share, spares }: Extract<Step, { kind: 'keep' }>): Promise<void> {
    if (by === 'bytes') await this.#inTables();
    const sizes = sizesIn(this.folder);
    const numbers = [...this.list.keys()];
    const olderThan = this.list.get(numbers[Math.floor(numbers.length * share)] ?? 0)?.atMs ?? Infinity;
    const keep =
      by === 'bytes'
        ? { ...NO_LIMIT, maxBytes: Math.floor(sizes.bytes * share) }
        : { ...NO_LIMIT, olderThanMs: Number.isFinite(olderThan) ? olderThan : Number.MAX_SAFE_INTEGER };
    const wanted = this.#beyond(keep, sizes);
    const spared = new Set(this.#endedLater.size === 0 ? wanted.slice(0, spares) : []);
    const { removed: gone } = await this.writer.prune({ ...keep, spared: [...spared] }, 10_000);
    const mayStay = new Set([...spared, ...this.#endedLater]);
    // Where one whose end waits is passed over, the next ones may be old too.
    const mayGo = new Set(this.#endedLater.size === 0 ? wanted : [...wanted, ...this.#olderThan(keep)]);
    const kept = new Set((await this.#inTables()).map(({ number }) => number));
    const went = numbers.filter((number) => !kept.has(number));
    same(went.length, gone);
    for (const number of went) same([number, mayGo.has(number)], [number, true]);
    for (const number of wanted) same([number, went.includes(number) || mayStay.has(number)], [number, true]);
    this.#forget(went);
  }

  /** Messages that a removal takes, oldest first, up to the first that may stay. */
  #beyond({ maxBytes, olderThanMs }: Keep, { bytes, of }: ReturnType<typeof sizesIn>): readonly number[] {
    const found: number[] = [];
    let left = bytes;
    for (const [number, { isEnded, atMs }] of this.list) {
      if (!isEnded) continue;
      if (left <= maxBytes && atMs >= olderThanMs) break;
      found.push(number);
      left -= of.get(number) ?? 0;
    }
    return found;
  }

  /** A message that is removed in the group in which it came. */
  async #comeAndGo(size: number): Promise<void> {
    const { number, records } = this.#come(size, false, 'x');
    same(this.writer.isNext(number), true);
    same(await this.writer.write([[...records, ...ops(removed(number)), ...ended(number)]], false), NONE);
    this.#removedAt = this.#stand.told;
    this.list.delete(number);
  }

  #olderThan({ olderThanMs }: Keep): readonly number[] {
    return [...this.list].filter(([, { isEnded, atMs }]) => isEnded && atMs < olderThanMs).map(([n]) => n);
  }

  /** A person removes messages, open ones too. */
  async #remove({ from, count, then, late }: Extract<Step, { kind: 'remove' }>): Promise<void> {
    const numbers = [...this.list.keys()];
    const first = Math.floor(numbers.length * from);
    const gone = numbers.slice(first, first + count);
    if (gone.length === 0) return;
    const after = gone.slice(0, 5).flatMap(ended);
    const together = late === 'in the group' ? after : [];
    same(await this.writer.write([[...ops(removed(...gone)), ...together]], false), NONE);
    this.#removedAt = this.#stand.told;
    if (late === 'in the next group') same(await this.writer.write([after], false), NONE);
    for (const number of gone) {
      this.list.delete(number);
      this.#endedLater.delete(number);
    }
    if (then === 'size') await this.#size();
    if (then === 'prune') await this.#prune(Math.floor(this.list.size / 2));
    if (then === 'kill') this.#open(this.#stand.killed(this.folder));
  }

  #forget(gone: readonly number[]): void {
    for (const number of gone) this.list.delete(number);
  }

  async #beside(what: 'commit' | 'idle' | 'size', size: number): Promise<void> {
    const other =
      what === 'commit'
        ? this.writer.ask('commit', null)
        : what === 'idle'
          ? this.writer.idle()
          : this.writer.size();
    await Promise.all([other, this.write(size, true, '€')]);
  }

  #open(folder: string): void {
    this.#endReading();
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
