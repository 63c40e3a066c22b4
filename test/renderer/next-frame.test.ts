/** Work that waits for the next frame of the page, which may be hidden before the frame comes. */
import { expect, test } from 'vitest';
import { createFrameQueue, createNextFrame } from '../../renderer/state/store.ts';

/** A page whose frames and timers run when a test says so. */
function page() {
  const frames = new Map<number, () => void>();
  const timers = new Map<number, () => void>();
  let isVisible = true;
  let last = 0;
  const put = (place: Map<number, () => void>, run: () => void): number => {
    last += 1;
    place.set(last, run);
    return last;
  };
  const nextFrame = createNextFrame({
    isVisible: () => isVisible,
    request: (run) => put(frames, run),
    cancel: (frame) => void frames.delete(frame),
    after(_delayMs, run) {
      const timer = put(timers, run);
      return () => void timers.delete(timer);
    },
  });
  const runAll = (place: Map<number, () => void>): void => {
    for (const run of [...place.values()]) run();
  };
  return {
    frames,
    timers,
    nextFrame,
    draw: () => runAll(frames),
    tick: () => runAll(timers),
    hide: () => void (isVisible = false),
  };
}

test('a visible page applies what waits at its next frame, once', () => {
  const { nextFrame, draw, frames, timers } = page();
  const applied: (readonly number[])[] = [];
  const queue = createFrameQueue<number>(nextFrame, (items) => applied.push(items));
  queue.push(1);
  queue.push(2);
  draw();
  expect(applied).toEqual([[1, 2]]);
  expect([frames.size, timers.size]).toEqual([0, 0]);
});

test('a page that is hidden before its frame comes goes on applying', () => {
  const { nextFrame, hide, tick, frames, timers } = page();
  const applied: (readonly number[])[] = [];
  const queue = createFrameQueue<number>(nextFrame, (items) => applied.push(items));
  queue.push(1);
  hide();
  tick();
  queue.push(2);
  tick();
  expect(applied).toEqual([[1], [2]]);
  expect([frames.size, timers.size]).toEqual([0, 0]);
});

test('nothing is applied after a queue was cleared', () => {
  const { nextFrame, draw, tick } = page();
  const applied: (readonly number[])[] = [];
  const queue = createFrameQueue<number>(nextFrame, (items) => applied.push(items));
  queue.push(1);
  queue.clear();
  draw();
  tick();
  expect(applied).toEqual([]);
});
