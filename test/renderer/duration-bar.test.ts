/** The bar of the column Last call: the last call is as long as its number, before it are the wait and the retries. */
import { expect, test } from 'vitest';
import { CAUSE_SHORT } from '../../renderer/copy/causes.ts';
import { ALL_COLUMNS } from '../../renderer/format/columns.ts';
import { cellTerm } from '../../renderer/format/cell-term.ts';
import { durationBar, tookWords } from '../../renderer/format/duration-bar.ts';
import { deliveryIn, rowNamed } from './samples.ts';

test('calls that took equally long have parts of the same length, whatever came before them', () => {
  const callOf = (lastDurationMs: number, span: { firstMs: number; endMs: number }): number => {
    const { last = 0, end = 0 } =
      durationBar(deliveryIn('processed', { attempts: 2, lastDurationMs, span })) ?? {};
    return end - last;
  };
  expect(callOf(9, { firstMs: 0, endMs: 9 })).toBeCloseTo(20);
  expect(callOf(9, { firstMs: 5, endMs: 99_999 })).toBeCloseTo(20);
  expect(callOf(99, { firstMs: 5, endMs: 9999 })).toBeCloseTo(40);
  expect(callOf(99_999_999, { firstMs: 0, endMs: 99_999_999 })).toBe(100);
});

test('what came before the last call has the ratio of its times, and all of it is named in words', () => {
  const delivery = deliveryIn('processed', {
    attempts: 3,
    lastDurationMs: 100,
    span: { firstMs: 200, endMs: 999 },
  });
  const bar = durationBar(delivery);
  expect(bar?.end).toBe(60);
  expect((bar?.first ?? 0) / (bar?.last ?? 0)).toBeCloseTo(200 / 899);
  expect(bar?.words).toBe(
    'Waited 200 ms for its first attempt\n3 attempts within 799 ms\nLast call took 100 ms',
  );
});

test('the bar has no part for retries after one attempt, and is missing without one', () => {
  const bar = durationBar(deliveryIn('processed', { lastDurationMs: 9, span: { firstMs: 0, endMs: 9 } }));
  expect([bar?.first, bar?.last, bar?.end]).toEqual([0, 0, 20]);
  expect(durationBar(deliveryIn('queued', { attempts: 0 }))).toBeUndefined();
});

test('an open message says the same of its delivery in words', () => {
  const attempt = (number: number, startedAt: string, durationMs?: number) => ({
    attemptId: `att_${number}`,
    number,
    startedAt,
    request: { method: 'POST', url: '', headers: {}, body: '' },
    ...(durationMs !== undefined && { durationMs }),
  });
  const message = { at: '2026-03-01T10:00:00.000Z' };
  const attempts = [
    attempt(1, '2026-03-01T10:00:00.200Z', 50),
    attempt(2, '2026-03-01T10:00:00.899Z', 100),
    attempt(3, '2026-03-01T10:00:09.000Z'),
  ];
  expect(tookWords(message, { attempts })).toEqual([
    'Waited 200 ms for its first attempt',
    '2 attempts within 799 ms',
    'Last call took 100 ms',
  ]);
  expect(tookWords(message, { attempts: [attempt(1, message.at)] })).toEqual([]);
});

test('the column Cause has the rule of the last transition in a few words, and filters by it', () => {
  const column = ALL_COLUMNS.find(({ id }) => id === 'cause');
  const row = rowNamed('m1', { deliveries: [deliveryIn('parked', { rule: 'policy.exhausted' })] });
  expect(column?.text(row)).toBe(CAUSE_SHORT['policy.exhausted']);
  expect(column && cellTerm(column, row)).toBe('lastrule:policy.exhausted');
  const other = rowNamed('m2', { deliveries: [deliveryIn('parked', { rule: 'router.ttl' })] });
  expect(column?.text(other)).toBe('router.ttl');
});
