// Memory is given back once after each flood, when it is quiet.
import { expect, test } from 'vitest';
import { HeapRest } from '../../core/host/heap-rest.ts';

const MB = 1024 * 1024;

function stand(): {
  readonly rest: HeapRest;
  readonly now: { events: number; taken: number; live: number; collected: number };
} {
  const now = { events: 0, taken: 40 * MB, live: 40 * MB, collected: 0 };
  const collect = (): void => {
    now.collected += 1;
    now.taken = now.live;
  };
  const rest = new HeapRest(() => now.events, { taken: () => now.taken, collect });
  return { now, rest };
}

/** The start is over, and what it left behind is collected. */
function rested(): ReturnType<typeof stand> {
  const it = stand();
  it.now.taken = 60 * MB;
  it.rest.look();
  expect(it.now.collected).toBe(0);
  it.rest.look();
  expect(it.now).toMatchObject({ collected: 1, taken: 40 * MB });
  it.now.collected = 0;
  return it;
}

test('after a flood it is collected once it is quiet, and not again while nothing grows', () => {
  const { rest, now } = rested();
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

test('a start that goes right over to work is not collected for its own sake', () => {
  const { rest, now } = stand();
  rest.look();
  now.events += 1000;
  now.taken = 60 * MB;
  for (let second = 0; second < 10; second += 1) rest.look();
  expect(now.collected).toBe(0);
});

test('a message now and then is quiet; little growth is left alone', () => {
  const { rest, now } = rested();
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

test('a collection of its own gives back what nothing refers to', () => {
  let garbage: object[] | undefined = Array.from({ length: 300_000 }, (_, nth) => ({ nth }));
  const rest = new HeapRest(() => 0);
  const before = process.memoryUsage().heapUsed;
  expect(garbage.length).toBe(300_000);
  garbage = undefined;
  rest.look();
  rest.look();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 5 * MB);
  expect('gc' in globalThis).toBe(false);
});
