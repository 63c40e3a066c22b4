/** Memory is given back once after each flood, when it is quiet. */
import { expect, test } from 'vitest';
import { collectGarbage } from '../../core/adapters/collect-garbage.ts';
import { IdleMemory } from '../../core/host/idle-memory.ts';

const MB = 1024 * 1024;

function stand(): {
  readonly rest: IdleMemory;
  readonly now: { events: number; taken: number; live: number; collected: number; busy: number };
} {
  const now = { events: 0, taken: 40 * MB, live: 40 * MB, collected: 0, busy: 0 };
  const collect = (): void => {
    now.collected += 1;
    now.taken = now.live;
  };
  const rest = new IdleMemory(
    () => now.events,
    { taken: () => now.taken, collect },
    () => now.busy,
  );
  return { now, rest };
}

test('memory is collected once after a flood, and not again while it does not grow', () => {
  const { rest, now } = stand();
  for (let second = 0; second < 5; second += 1) {
    now.events += 1000;
    now.taken += 50 * MB;
    rest.look();
  }
  now.live = 100 * MB;
  rest.look();
  expect(now.collected).toBe(0);
  rest.look();
  expect(now).toMatchObject({ collected: 1, taken: 100 * MB });
  for (let second = 0; second < 10; second += 1) rest.look();
  expect(now.collected).toBe(1);
  now.taken += 160 * MB;
  rest.look();
  expect(now.collected).toBe(2);
});

test('single messages count as quiet, and little growth is not collected', () => {
  const { rest, now } = stand();
  rest.look();
  for (let second = 0; second < 5; second += 1) {
    now.events += 4;
    now.taken += 20 * MB;
    rest.look();
  }
  expect(now.collected).toBe(0);
  now.taken += 40 * MB;
  rest.look();
  expect(now.collected).toBe(1);
});

test('work without events, as an import, is not interrupted by a collection', () => {
  const { rest, now } = stand();
  rest.look();
  now.busy = 0.9;
  for (let second = 0; second < 10; second += 1) {
    now.taken += 50 * MB;
    rest.look();
  }
  expect(now.collected).toBe(0);
  now.busy = 0.01;
  rest.look();
  rest.look();
  expect(now.collected).toBe(1);
});

test('a collection frees unreferenced memory', () => {
  // The heap itself need not grow: files that ran before in this process may have left room in it.
  let taken = 0;
  const rest = new IdleMemory(() => 0, { taken: () => taken, collect: collectGarbage });
  rest.look();
  let garbage: unknown[][] | undefined = Array.from({ length: 320 }, () => Array<number>(60_000).fill(0.5));
  const before = process.memoryUsage().heapUsed;
  expect(garbage.length).toBe(320);
  garbage = undefined;
  taken = 200 * MB;
  rest.look();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 100 * MB);
  expect('gc' in globalThis).toBe(false);
});
