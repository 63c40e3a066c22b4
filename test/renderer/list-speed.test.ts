/** When a list is too fast to be read, and when it is not any more. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { listSpeedText } from '../../renderer/state/list-speed-words.ts';
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

test('a list is too fast after several checks in a row, and not after a burst', () => {
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

/** A list whose reports and clock the test makes. */
function stand() {
  let atMs = 0;
  const list = createStore(() => ({ arrived: 0, follow: true, paused: false, filter: '' }));
  const waiting: (() => void)[] = [];
  const watch = createListSpeed(list, {
    now: () => atMs,
    after: (_delayMs, run) => {
      waiting.push(run);
      return () => void waiting.splice(waiting.indexOf(run), 1);
    },
  });
  return {
    ...watch,
    list,
    waiting,
    /** The host reports so many new messages half a second later. */
    come: (n: number): void => {
      atMs += 500;
      list.setState(({ arrived }) => ({ arrived: arrived + n }));
      watch.look();
    },
    /** A second passes in which the host reports nothing. */
    rest: (): void => {
      atMs += 1000;
      for (const run of waiting.splice(0)) run();
    },
  };
}

/** As many reports as make the list too fast. */
function makeFast({ come }: Pick<ReturnType<typeof stand>, 'come'>): void {
  for (let n = 0; n < TOO_FAST.looks; n += 1) come(1000);
}

const READ = { follow: false, paused: false };
const PAUSED = { follow: true, paused: true };
const FOLLOWED = { follow: true, paused: false };

test('the rate counts arrivals since the last check; a list that is read or paused stays unchanged', () => {
  const { come, store, list } = stand();
  for (let n = 1; n < TOO_FAST.looks; n += 1) come(1000);
  expect(store.getState()).toMatchObject({ perSecond: 2000, isFast: false });
  list.setState(READ);
  come(1000);
  list.setState(PAUSED);
  come(1000);
  expect(store.getState().isFast).toBe(false);
  list.setState(FOLLOWED);
  come(1000);
  expect(store.getState().isFast).toBe(true);
  list.setState(READ);
  for (let n = 0; n < 10; n += 1) come(0);
  expect(store.getState()).toMatchObject({ perSecond: 2000, isFast: true });
  // Another filter makes another list, also while nobody follows it.
  list.setState({ filter: 'topic:orders' });
  come(0);
  expect(store.getState()).toMatchObject({ perSecond: 0, isFast: false });
});

test('a fast list is checked again without reports, until it is slow', () => {
  const { come, rest, store, waiting, dispose } = stand();
  for (let n = 0; n < TOO_FAST.looks; n += 1) {
    expect(waiting).toEqual([]);
    come(1000);
  }
  expect(store.getState().isFast).toBe(true);
  // The last report of the host, then silence.
  come(0);
  for (let n = 1; n < TOO_FAST.looks; n += 1) {
    expect(store.getState().isFast).toBe(true);
    rest();
  }
  expect(store.getState().isFast).toBe(false);
  expect(waiting).toEqual([]);

  makeFast({ come });
  expect(waiting).toHaveLength(1);
  dispose();
  expect(waiting).toEqual([]);
});

test.each([
  ['read', READ],
  ['paused', PAUSED],
])(
  'a fast list that is %s notifies no listener, and becomes slow once it is followed again',
  (_how, away) => {
    const { come, rest, store, list, waiting } = stand();
    makeFast({ come });
    list.setState(away);
    rest();
    expect(waiting).toEqual([]);
    rest();
    expect(store.getState().isFast).toBe(true);
    // The host reports nothing: the list itself says that it is followed.
    list.setState(FOLLOWED);
    expect(waiting).toHaveLength(1);
    for (let n = 0; n < TOO_FAST.looks; n += 1) rest();
    expect(store.getState().isFast).toBe(false);
    expect(waiting).toEqual([]);
  },
);

test('rows are sampled if more pass than the list gets reports of', () => {
  expect(drawnOneIn({ perSecond: 2000, isFast: true }, 20)).toBe(10);
  expect(drawnOneIn({ perSecond: 250, isFast: true }, 20)).toBe(1);
  expect(drawnOneIn({ perSecond: 2000, isFast: false }, 20)).toBe(0);
});

test('a list whose rows are sampled says so, and one that shares lines says that', () => {
  const list = { speed: { perSecond: 2000, isFast: true }, fitting: 20, isLive: true, isCollapsed: false };
  expect(listSpeedText(list)).toMatch(/^About 1 row in 10 is shown; all are kept\./);
  expect(listSpeedText({ ...list, isCollapsed: true })).toMatch(/^Above 200 msg\/s/);
  expect(listSpeedText({ ...list, isLive: false })).toBeUndefined();
  expect(listSpeedText({ ...list, speed: { perSecond: 250, isFast: true } })).toBeUndefined();
});
