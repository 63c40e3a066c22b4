/** Long work is made in pieces, one in each turn, in its order. */
import { expect, test } from 'vitest';
import { StepTurns } from '../../core/domain/step-turns.ts';
import type { LongWork } from '../../core/domain/step-turns.ts';

/** Turns that a test begins, and what was done in them. */
function stand() {
  const due: (() => void)[] = [];
  const turns = new StepTurns((run) => due.push(run));
  const done: string[] = [];
  const steps = (name: string, count: number, also: () => void = () => undefined): LongWork => {
    let left = count;
    const next = (): boolean => {
      if (left === 0) return false;
      left -= 1;
      done.push(name);
      also();
      return true;
    };
    return { next, over: () => void done.push(`${name} over`) };
  };
  const turn = (): void => due.splice(0).forEach((run) => run());
  return { turns, due, done, steps, turn };
}

test('little work is done at once, and asks for no turn', () => {
  const { turns, due, done, steps } = stand();
  turns.make(steps('a', 3));
  turns.make(steps('b', 0));
  expect(done).toEqual(['a', 'a', 'a', 'a over', 'b over']);
  expect(due).toEqual([]);
  expect(turns.idle()).toBeUndefined();
});

test('long work goes on in the next turns, and what comes later waits behind it', async () => {
  const { turns, done, steps, turn } = stand();
  turns.make(steps('a', 1200));
  turns.make(steps('b', 1));
  expect(done).toHaveLength(500);
  let isIdle = false;
  void turns.idle()?.then(() => (isIdle = true));
  turn();
  expect(done).toHaveLength(1000);
  turn();
  expect(done.slice(1199)).toEqual(['a', 'a over', 'b', 'b over']);
  await Promise.resolve();
  // What the last step began by a promise follows before the next turn.
  expect(isIdle).toBe(false);
  turn();
  await Promise.resolve();
  expect(isIdle).toBe(true);
  turns.make(steps('c', 1));
  expect(done.at(-1)).toBe('c over');
});

test('what the last step begins later is waited for as well', async () => {
  const { turns, done, steps, turn } = stand();
  let left = 501;
  turns.make(
    steps('a', 501, () => {
      left -= 1;
      if (left === 0) void Promise.resolve().then(() => turns.make(steps('b', 600)));
    }),
  );
  let isIdle = false;
  void turns.idle()?.then(() => (isIdle = true));
  turn();
  await Promise.resolve();
  turn();
  await Promise.resolve();
  expect([isIdle, done.at(-1)]).toEqual([false, 'b over']);
  turn();
  await Promise.resolve();
  expect(isIdle).toBe(true);
});

test('many small works of one turn share its room', () => {
  const { turns, done, steps, turn } = stand();
  for (let n = 0; n < 300; n += 1) turns.make(steps('a', 3));
  expect(done.filter((one) => one === 'a')).toHaveLength(500);
  turn();
  expect(done.filter((one) => one === 'a over')).toHaveLength(300);
});

test('work elsewhere takes room as well, and waits for its turn', async () => {
  const { turns, done, steps, turn } = stand();
  expect(turns.room(499)).toBeUndefined();
  expect(turns.room()).toBeUndefined();
  const later = [turns.room(500), turns.room()];
  turns.make(steps('a', 1));
  const went: number[] = [];
  for (const [n, one] of later.entries()) void one?.then(() => went.push(n));
  await Promise.resolve();
  expect([went, done]).toEqual([[], []]);
  turn();
  await Promise.resolve();
  expect([went, done]).toEqual([[0], []]);
  turn();
  await Promise.resolve();
  expect([went, done]).toEqual([
    [0, 1],
    ['a', 'a over'],
  ]);
});

test('work that a step begins follows after it', () => {
  const { turns, done, steps } = stand();
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    turns.make(steps('inner', 1));
  };
  turns.make(steps('outer', 2, begin));
  expect(done).toEqual(['outer', 'outer', 'outer over', 'inner', 'inner over']);
});

test('a step that fails is reported to its caller, and the work goes on', () => {
  const { turns, done, steps, turn } = stand();
  let fails = true;
  const fail = (): void => {
    if (!fails) return;
    fails = false;
    throw new Error('a bug');
  };
  expect(() => turns.make(steps('a', 2, fail))).toThrow('a bug');
  turn();
  expect(done).toEqual(['a', 'a', 'a over']);
});

test('what was made without asking counts: what comes next waits, and small work before it does not', async () => {
  const { turns, turn } = stand();
  turns.made(499);
  expect(turns.room(0)).toBeUndefined();
  turns.made(1);
  let isNext = false;
  void turns.room(0)?.then(() => (isNext = true));
  await Promise.resolve();
  expect(isNext).toBe(false);
  turn();
  await Promise.resolve();
  expect(isNext).toBe(true);
});
