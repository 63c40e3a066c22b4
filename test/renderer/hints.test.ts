/** When the one tooltip of the page comes, moves, changes and goes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHints, type Hints, type Tip, type TipOwner } from '../../renderer/components/hints.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Nothing of an element is asked: it is only handed on to where the tooltip is placed. */
const anchor = (): Element => Object.create(null);

function control(hints: Hints, text: string) {
  const owner: TipOwner = {};
  const element = anchor();
  const tip: Tip = { text };
  return {
    enter: () => hints.enter(owner, element, tip),
    focus: () => hints.focus(owner, element, tip),
    change: (to: string) => hints.change(owner, { text: to }),
    close: () => hints.close(owner),
  };
}

const shown = (hints: Hints) => hints.store.getState().shown?.text;

test('a tooltip appears half a second after the pointer, at once by the keyboard, and at once beside a visible one', () => {
  const hints = createHints();
  const [a, b] = [control(hints, 'a'), control(hints, 'b')];
  a.enter();
  vi.advanceTimersByTime(499);
  expect(shown(hints)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(shown(hints)).toBe('a');
  expect(hints.store.getState().shown?.isByPointer).toBe(true);
  hints.leave();
  b.enter();
  expect(shown(hints)).toBe('b');
  vi.runAllTimers();
  expect(shown(hints)).toBe('b');
  hints.close();
  a.focus();
  expect(shown(hints)).toBe('a');
  expect(hints.store.getState().shown?.isByPointer).toBe(false);
});

test('a tooltip stays while the pointer is on it, and disappears soon after the pointer left both', () => {
  const hints = createHints();
  const a = control(hints, 'a');
  a.enter();
  vi.advanceTimersByTime(500);
  hints.leave();
  vi.advanceTimersByTime(100);
  hints.stay();
  vi.advanceTimersByTime(10_000);
  expect(shown(hints)).toBe('a');
  hints.leave();
  vi.advanceTimersByTime(119);
  expect(shown(hints)).toBe('a');
  a.enter();
  vi.advanceTimersByTime(10_000);
  expect(shown(hints)).toBe('a');
  hints.leave();
  vi.advanceTimersByTime(120);
  expect(shown(hints)).toBeUndefined();
});

test('a tooltip does not appear if the pointer left or pressed before its time', () => {
  const hints = createHints();
  const a = control(hints, 'a');
  a.enter();
  vi.advanceTimersByTime(400);
  hints.leave();
  vi.runAllTimers();
  expect(shown(hints)).toBeUndefined();
  a.enter();
  vi.advanceTimersByTime(400);
  a.close();
  vi.runAllTimers();
  expect(shown(hints)).toBeUndefined();
});

test('a tooltip stays for the keyboard when a pointer leaves', () => {
  const hints = createHints();
  const a = control(hints, 'a');
  a.focus();
  hints.leave();
  vi.runAllTimers();
  expect(shown(hints)).toBe('a');
  a.enter();
  expect(hints.store.getState().shown?.isByPointer).toBe(true);
});

test('a tooltip has the present text of its control, and disappears with it', () => {
  const hints = createHints();
  const [a, b] = [control(hints, 'a'), control(hints, 'b')];
  a.enter();
  a.change('a, later');
  vi.advanceTimersByTime(500);
  expect(shown(hints)).toBe('a, later');
  a.change('a, last');
  b.change('b, later');
  b.close();
  expect(shown(hints)).toBe('a, last');
  a.close();
  expect(shown(hints)).toBeUndefined();
  vi.runAllTimers();
  expect(shown(hints)).toBeUndefined();
});

test('a tooltip of the pointer goes when a person types, and comes only to a pointer that moves again', () => {
  const hints = createHints();
  const [a, b] = [control(hints, 'a'), control(hints, 'b')];
  a.enter();
  vi.advanceTimersByTime(500);
  expect(shown(hints)).toBe('a');
  hints.keyed();
  expect(shown(hints)).toBeUndefined();
  b.enter();
  vi.runAllTimers();
  expect(shown(hints)).toBeUndefined();
  hints.moved();
  b.enter();
  vi.advanceTimersByTime(400);
  hints.keyed();
  vi.runAllTimers();
  expect(shown(hints)).toBeUndefined();
});

test('a tooltip of the keyboard stays while keys are pressed', () => {
  const hints = createHints();
  const a = control(hints, 'a');
  a.focus();
  hints.keyed();
  expect(shown(hints)).toBe('a');
});
