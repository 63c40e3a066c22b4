/** The one rate that footer, topics and charts show. */
import { expect, test } from 'vitest';
import { PerSecond } from '../../core/runtime/telemetry/per-second.ts';

test('a rate is the mean of the last five full seconds', () => {
  const counts = new PerSecond();
  for (let second = 100; second < 105; second += 1) counts.add(second * 1000, 1500);
  expect(counts.rate(105_000)).toBe(1500);
  expect(counts.rate(107_999)).toBe(900);
  expect(counts.rate(110_000)).toBe(0);
  expect(counts.all(110_000).reduce((a, b) => a + b)).toBe(7500);
});
