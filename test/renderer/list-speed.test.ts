/** When a list is too fast to be read, and when it is not any more. */
import { expect, test } from 'vitest';
import { listSpeedWords } from '../../renderer/state/list-speed-words.ts';
import {
  afterLook,
  AT_REST,
  createListSpeed,
  drawnOneIn,
  TOO_FAST,
  type ListSpeed,
} from '../../renderer/state/list-speed.ts';

const after = (from: ListSpeed, rates: readonly number[]): ListSpeed => rates.reduce(afterLook, from);
const many = (rate: number): readonly number[] => Array.from({ length: TOO_FAST.looks }, () => rate);

test('only looks in a row make a list too fast: a burst does not', () => {
  expect(after(AT_REST, many(TOO_FAST.above + 1)).isFast).toBe(true);
  expect(after(AT_REST, many(TOO_FAST.above)).isFast).toBe(false);
  expect(after(AT_REST, [5000, 5000, 5000, 0, 5000, 5000, 5000]).isFast).toBe(false);
});

test('a list that is too fast stays so between the two rates, and through a gap', () => {
  const fast = after(AT_REST, many(2000));
  expect(after(fast, many(TOO_FAST.below)).isFast).toBe(true);
  expect(after(fast, [0, 0, 0, 2000, 0, 0, 0]).isFast).toBe(true);
  expect(after(fast, many(TOO_FAST.below - 1)).isFast).toBe(false);
});

test('the rate counts arrivals since the last check; a list that is read or paused stays unchanged', () => {
  let atMs = 0;
  let arrived = 0;
  let list = { follow: true, paused: false, filter: '' };
  const { look, store } = createListSpeed(() => ({ arrived, ...list }), {
    now: () => atMs,
    after: () => () => undefined,
  });
  const come = (n: number, now = { follow: true, paused: false, filter: '' }): void => {
    atMs += 500;
    arrived += n;
    list = now;
    look();
  };
  for (let n = 1; n < TOO_FAST.looks; n += 1) come(1000);
  expect(store.getState()).toMatchObject({ perSecond: 2000, isFast: false });
  come(1000, { follow: false, paused: false, filter: '' });
  come(1000, { follow: true, paused: true, filter: '' });
  expect(store.getState().isFast).toBe(false);
  come(1000);
  expect(store.getState().isFast).toBe(true);
  for (let n = 0; n < 10; n += 1) come(0, { follow: false, paused: false, filter: '' });
  expect(store.getState()).toMatchObject({ perSecond: 2000, isFast: true });
  // Another filter makes another list, also while nobody follows it.
  come(0, { follow: false, paused: false, filter: 'topic:orders' });
  expect(store.getState()).toMatchObject({ perSecond: 0, isFast: false });
});

test('a fast list is looked at again though nothing is reported any more, until it is slow', () => {
  let atMs = 0;
  let arrived = 0;
  const waiting: (() => void)[] = [];
  const { look, store, dispose } = createListSpeed(
    () => ({ arrived, follow: true, paused: false, filter: '' }),
    {
      now: () => atMs,
      after: (_delayMs, run) => {
        waiting.push(run);
        return () => void waiting.splice(waiting.indexOf(run), 1);
      },
    },
  );
  for (let n = 0; n < TOO_FAST.looks; n += 1) {
    expect(waiting).toEqual([]);
    atMs += 500;
    arrived += 1000;
    look();
  }
  expect(store.getState().isFast).toBe(true);
  // The last report of the host, then silence.
  atMs += 500;
  look();
  for (let n = 1; n < TOO_FAST.looks; n += 1) {
    expect(store.getState().isFast).toBe(true);
    atMs += 1000;
    for (const run of waiting.splice(0)) run();
  }
  expect(store.getState().isFast).toBe(false);
  expect(waiting).toEqual([]);

  for (let n = 0; n < TOO_FAST.looks; n += 1) {
    atMs += 500;
    arrived += 1000;
    look();
  }
  expect(waiting).toHaveLength(1);
  dispose();
  expect(waiting).toEqual([]);
});

test('rows are sampled where more pass than a list of so many rows is told of', () => {
  expect(drawnOneIn({ perSecond: 2000, isFast: true }, 20)).toBe(10);
  expect(drawnOneIn({ perSecond: 250, isFast: true }, 20)).toBe(1);
  expect(drawnOneIn({ perSecond: 2000, isFast: false }, 20)).toBe(0);
});

test('a list whose rows are sampled says so, and one that shares lines says that', () => {
  const list = { speed: { perSecond: 2000, isFast: true }, fitting: 20, isLive: true, isCollapsed: false };
  expect(listSpeedWords(list)).toMatch(/^About 1 row in 10 is drawn as they pass; all are kept\./);
  expect(listSpeedWords({ ...list, isCollapsed: true })).toMatch(/^Above 200 msg\/s/);
  expect(listSpeedWords({ ...list, isLive: false })).toBeUndefined();
  expect(listSpeedWords({ ...list, speed: { perSecond: 250, isFast: true } })).toBeUndefined();
});
