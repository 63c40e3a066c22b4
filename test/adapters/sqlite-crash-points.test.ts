/** A kill before and after each step by which records come to the disk: what had its answer is there at the next start, once. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Fold } from '../../core/adapters/sqlite-journal/fold.ts';
import { NewestFile } from '../../core/adapters/sqlite-journal/newest-file.ts';
import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { SyncLevel } from '../../core/adapters/sqlite-journal/requests.ts';
import { Tables } from '../../core/adapters/sqlite-journal/tables.ts';
import type { Appender } from '../../core/adapters/sqlite-journal/appender.ts';
import { times } from '../support/extent.ts';
import { slowly } from './history-and-list.ts';
import { accepted, count, delivered, published, removed } from './journal-records.ts';
import { NewestStand, NONE, ops, whole } from './newest-stand.ts';
import { wrongIn } from './tables-check.ts';

const PART_BYTES = 200_000;
const WIDE = { data: 'x'.repeat(20_000) };
const NO_LIMIT = { maxMessages: Infinity, maxBytes: Infinity, olderThanMs: 0 };
/** At which times of a step that comes often the process is killed. */
const KILLED_AT: ReadonlySet<number> = new Set([0, 3, 15].slice(0, times(2, 3)));

/** State of each message, by its number. */
type States = ReadonlyMap<number, 'queued' | 'processed'>;

interface Kill {
  readonly at: string;
  readonly folder: string;
  /** What had its answer. */
  readonly answered: States;
  /** What may have come beside that: messages of the group that is being written, and those that a removal is taking. */
  readonly maybe: ReadonlySet<number>;
}

let stand: NewestStand;
let writer: Appender;
let folder: string;
let states: Map<number, 'queued' | 'processed'>;
let maybe: Set<number>;
let kills: Kill[];
let seen: Map<string, number>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  stand = new NewestStand(slowly(), PART_BYTES);
  ({ folder } = stand);
  states = new Map();
  maybe = new Set();
  kills = [];
  seen = new Map();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await stand.remove();
});

/** A copy of the folder as a kill would leave it now. */
function killedAt(at: string): void {
  const nth = seen.get(at) ?? 0;
  seen.set(at, nth + 1);
  if (!KILLED_AT.has(nth)) return;
  kills.push({ at, folder: stand.killed(folder), answered: new Map(states), maybe: new Set(maybe) });
}

type Method = (...given: unknown[]) => unknown;

/** Calls it as before, with a kill on both sides. */
function watch(of: object, name: string): void {
  // Each name is that of a method.
  const methods = of as Record<string, Method>;
  const made = methods[name] as Method;
  vi.spyOn(methods, name).mockImplementation(function (this: object, ...given) {
    killedAt(`before ${name}`);
    const answer = Reflect.apply(made, this, given);
    killedAt(`after ${name}`);
    return answer;
  });
}

function watchAll(): void {
  for (const name of ['append', 'wrapFor', 'free', 'grow', 'shrink']) watch(NewestFile.prototype, name);
  for (const name of ['apply', 'commit', 'prune']) watch(Tables.prototype, name);
  for (const name of ['follow', 'settle', 'prepare', 'write']) watch(Fold.prototype, name);
}

async function write(call: Op[], becomes: States, isDoubtful = false): Promise<boolean> {
  for (const number of becomes.keys()) maybe.add(number);
  const [failure] = await writer.write([call], isDoubtful);
  if (failure === null) for (const [number, state] of becomes) states.set(number, state);
  for (const number of becomes.keys()) maybe.delete(number);
  return failure === null;
}

const come = (number: number, more = WIDE): Promise<boolean> =>
  write(
    ops(accepted(number, more), published(number), delivered(number, 'queued', { transition: {} })),
    new Map([[number, 'queued']]),
  );
const end = (number: number): Promise<boolean> =>
  write(
    ops(delivered(number, 'processed', { attempt: {}, transition: { from: 'queued', sequence: 2 } })),
    new Map([[number, 'processed']]),
  );

/** Starts each copy; gives those in which something that had its answer is missing, doubled or wrong. */
async function wrongAfterKills(): Promise<readonly unknown[]> {
  vi.restoreAllMocks();
  const all: unknown[] = [];
  for (const { at, folder: copy, answered, maybe: unsure } of kills) {
    const { tables, report } = await stand.afterStart(copy);
    const found = new Map(
      (tables as { number: number; states: string }[]).map((row) => [row.number, row.states]),
    );
    const numbers = [...new Set([...answered.keys(), ...found.keys()])].filter(
      (number) => !unsure.has(number) && found.get(number) !== answered.get(number),
    );
    const wrong = [...numbers, ...report.notes, ...wrongIn(copy)];
    if (wrong.length > 0) all.push([at, wrong]);
  }
  return all;
}

test.each<SyncLevel>(['full', 'normal'])(
  'with sync %s a kill between any two steps of a burst, of its parts and of removals loses and doubles nothing',
  { timeout: 60_000 },
  async (level) => {
    ({ writer } = stand.open());
    await writer.setSync(level);
    watchAll();
    for (const number of count(1, 160)) {
      expect(await come(number)).toBe(true);
      if (number % 3 === 0) await end(number);
      if (number % 50 === 0) await vi.advanceTimersByTimeAsync(250);
    }
    await writer.ask('commit', null);
    for (const number of count(161, 260)) expect(await come(number)).toBe(true);
    const gone = count(100, 120);
    for (const number of gone) maybe.add(number);
    expect(await writer.write([ops(removed(...gone))], false)).toEqual(NONE);
    for (const number of gone) states.delete(number);
    maybe.clear();
    const old = [...states]
      .filter(([, state]) => state === 'processed')
      .map(([number]) => number)
      .slice(0, 20);
    for (const number of old) maybe.add(number);
    const { removed: taken } = await writer.prune(
      { ...NO_LIMIT, maxMessages: states.size - old.length },
      500,
    );
    expect(taken).toBe(old.length);
    for (const number of old) states.delete(number);
    maybe.clear();
    expect(await come(261, { data: 'x'.repeat(3_000_000) })).toBe(true);
    expect(await write(whole(270), new Map([[270, 'processed']]), true)).toBe(true);
    await writer.idle();
    await vi.advanceTimersByTimeAsync(601_000);
    expect(await come(271)).toBe(true);
    expect(await wrongAfterKills()).toEqual([]);
    expect(kills.length).toBeGreaterThan(10);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining(['after commit', 'after free', 'after grow', 'after shrink']),
    );
  },
);

test(
  'a kill between any two steps of a burst into a database without room loses and doubles nothing',
  { timeout: 60_000 },
  async () => {
    vi.spyOn(NewestFile, 'bytesIn').mockReturnValue(1024 * 1024);
    ({ writer } = stand.open(folder, { maxPages: 150 }));
    watchAll();
    let last = 0;
    while (await come(last + 1)) last += 1;
    expect(last).toBeGreaterThan(3);
    for (const number of count(1, last)) await end(number);
    await writer.ask('commit', null);
    for (const number of count(last + 2, last + 6)) await come(number);
    const copy = stand.killed(folder);
    kills.push({ at: 'the end', folder: copy, answered: new Map(states), maybe: new Set() });
    expect(await wrongAfterKills()).toEqual([]);
    expect(kills.length).toBeGreaterThan(10);
  },
);

test('groups of whole messages, told one by one, are once in the tables whatever is killed between', async () => {
  ({ writer } = stand.open());
  await writer.ask('commit', null);
  watchAll();
  for (const number of count(1, 20)) {
    await write(whole(number), new Map([[number, 'processed']]));
    await vi.advanceTimersByTimeAsync(60);
  }
  expect(await wrongAfterKills()).toEqual([]);
  expect(kills.length).toBeGreaterThan(10);
});
