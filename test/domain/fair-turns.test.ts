/** Long work of many takes turns: a few pieces in each, in their order, and nobody waits for one who came later. */
import { stat } from 'node:fs';
import { expect, test } from 'vitest';
import { FairTurns } from '../../core/domain/fair-turns.ts';

/** An event loop whose turns and time pass by hand. */
function loop() {
  let ms = 0;
  const queued: (() => void)[] = [];
  const turns = new FairTurns(
    (run) => void queued.push(run),
    () => ms,
  );
  return {
    turns,
    pass: (by: number) => void (ms += by),
    /** Everything that was queued before; what follows from each runs before the next one, as in Node. */
    turn: async () => {
      for (const run of queued.splice(0)) {
        run();
        await new Promise(setImmediate);
      }
    },
    get waits() {
      return queued.length;
    },
  };
}

/** Work in pieces that take so long; each piece is noted under the name of its work. */
async function work(at: ReturnType<typeof loop>, name: string, pieces: number, ms: number, done: string[]) {
  for (let piece = 0; piece < pieces; piece += 1) {
    await at.turns.next();
    at.pass(ms);
    done.push(name);
  }
}

test('pieces of many are done in one turn until its time is over, the others in the next turns', async () => {
  const at = loop();
  const done: string[] = [];
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => work(at, name, 1, 3, done));
  await at.turn();
  expect(done).toEqual(['a', 'b', 'c']);
  await at.turn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
  await Promise.all(all);
});

test('work that goes on waits behind what waited before it', async () => {
  const at = loop();
  const done: string[] = [];
  const all = ['a', 'b', 'c'].map((name) => work(at, name, 2, 8, done));
  for (let turn = 0; turn < 6; turn += 1) await at.turn();
  expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  await Promise.all(all);
});

test('there is room at once while a turn has time and nothing waits', async () => {
  const at = loop();
  expect(at.turns.room()).toBeUndefined();
  at.pass(7);
  expect(at.turns.room()).toBeUndefined();
  at.pass(1);
  const [first, second] = [at.turns.room(), at.turns.room()];
  expect([first, second]).toEqual([expect.any(Promise), expect.any(Promise)]);
  await at.turn();
  await Promise.all([first, second, at.turn()]);
  await at.turn();
  expect(at.turns.room()).toBeUndefined();
});

test('nothing is queued when nobody waits', async () => {
  const at = loop();
  expect(at.turns.room()).toBeUndefined();
  await at.turn();
  await at.turn();
  expect(at.waits).toBe(0);
});

test('timers run between a piece that begins in a callback of the network and the next one', async () => {
  const turns = new FairTurns(
    (run) => void setImmediate(run),
    () => performance.now(),
  );
  const order: string[] = [];
  await new Promise<void>((resolve) => {
    // Node calls this as it calls callbacks of the network: what waits for the next turn comes right behind it.
    stat('.', () => {
      expect(turns.room()).toBeUndefined();
      setTimeout(() => order.push('timer'), 1);
      const until = performance.now() + 10;
      while (performance.now() < until);
      void turns.next().then(() => {
        order.push('next');
        resolve();
      });
    });
  });
  expect(order).toEqual(['timer', 'next']);
});
