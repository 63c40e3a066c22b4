/** The bars over the list: what they are made of, and the range that is dragged out of them. */
import { expect, test } from 'vitest';
import {
  afterKey,
  barAt,
  barText,
  chosenSlots,
  hasRange,
  histogramOf,
  momentOf,
  rangeTerm,
  slotsOf,
  withRange,
} from '../../renderer/format/histogram.ts';

const START = Date.parse('2026-01-31T14:30:00.000Z');

function history(published: readonly number[], entered: Readonly<Record<string, number>> = {}) {
  return {
    stepMs: 3000,
    points: published.map((perSecond, place) => ({
      at: new Date(START + 3000 * place).toISOString(),
      published: perSecond,
      entered,
      open: 0,
    })),
  };
}

test('a range that is dragged keeps its beginning while the bars move on', () => {
  const before = histogramOf(history([20, 30]));
  const later = histogramOf(history([20, 30, 40]));
  if (before === undefined || later === undefined) throw new Error('there is enough to draw');
  const anchorMs = momentOf(before, 98);
  expect(slotsOf(before, { anchorMs, atMs: momentOf(before, 99) })).toEqual({ from: 98, to: 99 });
  expect(slotsOf(later, { anchorMs, atMs: momentOf(later, 99) })).toEqual({ from: 97, to: 99 });
  expect(slotsOf(before, { anchorMs: momentOf(before, 5), atMs: anchorMs })).toEqual({ from: 5, to: 98 });
});

test('little traffic has no bars', () => {
  expect(histogramOf(history([]))).toBeUndefined();
  expect(histogramOf(history([8]))).toBeUndefined();
});

test('a bar has ended and retried deliveries, and other messages as published', () => {
  const found = histogramOf(history([20], { processed: 12, parked: 3, retrying: 4, attempting: 99 }));
  expect(found?.bars[0]?.parts).toEqual([
    { part: 'processed', perSecond: 12 },
    { part: 'retrying', perSecond: 4 },
    { part: 'parked', perSecond: 3 },
    { part: 'rest', perSecond: 5 },
  ]);
  expect([found?.highest, found?.published, found?.slots]).toEqual([24, 60, 100]);
});

test('a bar says what came in, as the bottom line does, and how many deliveries each colour stands for', () => {
  // Each message has two deliveries, so the bar is higher than what came in.
  const found = histogramOf(history([20], { processed: 37, retrying: 3, parked: 0.4 }));
  const [bar] = found?.bars ?? [];
  const [time, ...lines] = bar === undefined ? [] : barText(bar).split('\n');
  expect(time).toMatch(/^\d\d:\d\d:\d\d · 20 msg\/s in$/);
  expect(lines).toEqual(['Parked 0.4/s', 'Retrying 3.0/s', 'Processed 37/s']);
  const [waiting] = histogramOf(history([20], { processed: 12 }))?.bars ?? [];
  expect(waiting && barText(waiting).split('\n').slice(1)).toEqual([
    'Without a result 8.0/s',
    'Processed 12/s',
  ]);
});

test('a bar says how much of what came in was published in bulk', () => {
  const { stepMs, points } = history([20, 20]);
  const found = histogramOf({
    stepMs,
    points: points.map((point, place) => (place === 0 ? { ...point, bulk: 15 } : point)),
  });
  const [bulk, single] = found?.bars ?? [];
  expect(bulk && barText(bulk).split('\n')[1]).toBe('In bulk publishes 15/s');
  expect(single && barText(single)).not.toContain('bulk');
});

test('the newest bar stands in the last slot; a range goes from the start of one to the end of another', () => {
  const found = histogramOf(history([20, 30]));
  if (found === undefined) throw new Error('there is enough to draw');
  expect(barAt(found, 97)).toBeUndefined();
  expect(barAt(found, 99)?.atMs).toBe(START + 3000);
  const both = 'time:2026-01-31T14:30:00.000Z..2026-01-31T14:30:05.999Z';
  expect(rangeTerm(found, 99, 98)).toBe(both);
  expect(rangeTerm(found, 5, 99)).toBe(both);
  expect(rangeTerm(found, 5, 50)).toBeUndefined();
});

test('the range of a filter is marked where it was dragged, as long as it is in sight', () => {
  const found = histogramOf(history([20, 30]));
  if (found === undefined) throw new Error('there is enough to draw');
  const oldest = `topic:a ${rangeTerm(found, 98, 98)}`;
  expect(chosenSlots(found, oldest)).toEqual({ from: 98, to: 98 });
  expect(chosenSlots(found, `(b OR c) ${rangeTerm(found, 98, 99)}`)).toEqual({ from: 98, to: 99 });
  expect(chosenSlots(found, 'time:2020-01-01T00:00:00Z..2040-01-01T00:00:00Z')).toEqual({ from: 0, to: 99 });
  const later = histogramOf(history([20, 30, 40]));
  expect(later && chosenSlots(later, oldest)).toEqual({ from: 97, to: 97 });
  for (const filter of ['', 'topic:a', 'time:x..y', 'NOT time:2020..2040', 'time:2020-01-01..2020-01-02'])
    expect(chosenSlots(found, filter)).toBeUndefined();
});

test('another range takes the place of the one that is there', () => {
  expect(withRange('topic:orders', 'time:a..b')).toBe('topic:orders time:a..b');
  expect(withRange('topic:orders time:x..y state:parked', 'time:a..b')).toBe(
    'topic:orders state:parked time:a..b',
  );
  expect(withRange('a OR b', 'time:a..b')).toBe('(a OR b) time:a..b');
  expect(withRange('time:x..y', undefined)).toBe('');
  expect(withRange(withRange('a OR b', 'time:x..y'), 'time:a..b')).toBe('(a OR b) time:a..b');
  expect(withRange('(a) OR (b)', 'time:a..b')).toBe('((a) OR (b)) time:a..b');
  expect([hasRange('data.time:1'), hasRange('x time:1')]).toEqual([false, true]);
});

test('a time within an OR is no range of the whole list', () => {
  expect(hasRange('topic:orders OR time:x..y')).toBe(false);
  expect(hasRange('time:x..y OR topic:orders')).toBe(false);
  expect(withRange('topic:orders OR time:x..y', 'time:a..b')).toBe('(topic:orders OR time:x..y) time:a..b');
});

test.each([
  ['(topic:a time:1..2) state:parked', '(topic:a time:1..2) state:parked time:a..b'],
  ['"at time:12" topic:a', '"at time:12" topic:a time:a..b'],
  ['"a \\" time:12" topic:a', '"a \\" time:12" topic:a time:a..b'],
  ['NOT time:1..2 topic:a', 'NOT time:1..2 topic:a time:a..b'],
  ['topic:a AND time:1..2', 'topic:a time:a..b'],
  ['time:1..2 AND topic:a', 'topic:a time:a..b'],
  ['time:1..2 topic:a OR topic:b', '(time:1..2 topic:a OR topic:b) time:a..b'],
  ['time:>1 topic:a time:<2', 'topic:a time:a..b'],
])('a range replaces the one that the whole list has, and nothing else: %s', (before, after) => {
  expect(withRange(before, 'time:a..b')).toBe(after);
});

test('keys move over the existing bars, extend a range from its start, and keep its times', () => {
  const found = histogramOf(history([20, 30, 40]));
  if (found === undefined) throw new Error('there is enough to draw');
  const press = (key: string, range?: Parameters<typeof afterKey>[1]) =>
    afterKey(found, range, { key: key.replace('Shift+', ''), shiftKey: key.startsWith('Shift+') });
  const newest = press('ArrowRight');
  expect(newest && slotsOf(found, newest)).toEqual({ from: 99, to: 99 });
  const first = press('Home', newest);
  expect(first && slotsOf(found, first)).toEqual({ from: 97, to: 97 });
  expect(press('ArrowLeft', first)).toEqual(first);
  const both = press('Shift+ArrowRight', first);
  expect(both && slotsOf(found, both)).toEqual({ from: 97, to: 98 });
  expect(press('Shift+PageDown', both)).toEqual({ anchorMs: START, atMs: START + 6000 });
  expect(press('x', both)).toBeUndefined();
  const later = histogramOf(history([20, 30, 40, 50]));
  if (later === undefined || both === undefined) throw new Error('there is enough to draw');
  expect(slotsOf(later, both)).toEqual({ from: 96, to: 97 });
});
