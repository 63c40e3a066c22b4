/** The bar of the column Took: waiting, retries and the last call, each as long as it was. */
import { expect, test } from 'vitest';
import { CAUSE_SHORT } from '../../renderer/copy/causes.ts';
import { ALL_COLUMNS } from '../../renderer/format/columns.ts';
import { cellTerm } from '../../renderer/format/cell-term.ts';
import { durationBar } from '../../renderer/format/duration-bar.ts';
import { deliveryIn, rowNamed } from './samples.ts';

test('the parts of the bar have the ratio of their times, and are named in words', () => {
  const delivery = deliveryIn('processed', {
    attempts: 3,
    lastDurationMs: 100,
    span: { firstMs: 200, endMs: 999 },
  });
  const bar = durationBar(delivery);
  expect(bar?.end).toBe(60);
  expect((bar?.first ?? 0) / 60).toBeCloseTo(200 / 999);
  expect((bar?.last ?? 0) / 60).toBeCloseTo(899 / 999);
  expect(bar?.words).toBe(
    'Waited 200 ms for its first attempt\n3 attempts within 799 ms\nLast call took 100 ms',
  );
});

test('the bar has no part for retries after one attempt, and is missing without one', () => {
  const bar = durationBar(deliveryIn('processed', { lastDurationMs: 9, span: { firstMs: 0, endMs: 9 } }));
  expect([bar?.first, bar?.last, bar?.end]).toEqual([0, 0, 20]);
  expect(durationBar(deliveryIn('queued', { attempts: 0 }))).toBeUndefined();
});

test('the column Cause has the rule of the last transition in a few words, and filters by it', () => {
  const column = ALL_COLUMNS.find(({ id }) => id === 'cause');
  const row = rowNamed('m1', { deliveries: [deliveryIn('parked', { rule: 'policy.exhausted' })] });
  expect(column?.text(row)).toBe(CAUSE_SHORT['policy.exhausted']);
  expect(column && cellTerm(column, row, null)).toBe('lastrule:policy.exhausted');
  const other = rowNamed('m2', { deliveries: [deliveryIn('parked', { rule: 'router.ttl' })] });
  expect(column?.text(other)).toBe('router.ttl');
});
