/** The text of an editor after edits: a short one at once, a long one once typing rests, or before somebody uses it. */
import { Text } from '@codemirror/state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TextReporter } from '../../renderer/components/code/text-reporter.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function stand(text: string) {
  const view = { state: { doc: Text.of(text.split('\n')) } };
  const told: string[] = [];
  const teller = new TextReporter(view, (now) => told.push(now));
  const type = (next: string): void => {
    view.state.doc = Text.of(next.split('\n'));
    teller.edited();
  };
  return { teller, told, type };
}

/** Longer than two slices. */
const LONG = Array.from(
  { length: 30_000 },
  (_, n) => `line ${n} of a text that takes room, and still more of it`,
).join('\n');

test('a short text is reported at once, and known until the next edit', () => {
  const { teller, told, type } = stand('a');
  type('ab\nc');
  expect(told).toEqual(['ab\nc']);
  expect(teller.known).toBe('ab\nc');
});

test('a long text is reported whole once typing pauses', async () => {
  const { teller, told, type } = stand(LONG);
  type(`${LONG}1`);
  type(`${LONG}12`);
  await vi.advanceTimersByTimeAsync(249);
  expect(told).toEqual([]);
  expect(teller.known).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([`${LONG}12`]);
  expect(teller.known).toBe(told[0]);
});

test('a long text that changes while it is read is read again', async () => {
  const { told, type } = stand(LONG);
  type(`${LONG}1`);
  await vi.advanceTimersByTimeAsync(250);
  type(`${LONG}2`);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([`${LONG}2`]);
});

test('an unreported text is reported before its use, and never after another text replaced it', async () => {
  const { teller, told, type } = stand(LONG);
  teller.flush();
  expect(told).toEqual([]);
  type(`${LONG}1`);
  teller.flush();
  expect(told).toEqual([`${LONG}1`]);
  type(`${LONG}2`);
  teller.cancel();
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toHaveLength(1);
});
