/** A time of day in a filter: the last such moment is suggested, in the time zone of the screen. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkFilter } from '../../core/domain/filter/meant.ts';
import { withDay } from '../../renderer/format/clock-terms.ts';
import { lastMoment, setTimeZone } from '../../renderer/format/clock-time.ts';

beforeEach(() => {
  setTimeZone('utc');
  vi.useFakeTimers({ now: Date.parse('2026-03-01T23:30:00.000Z') });
});
afterEach(() => {
  setTimeZone('local');
  vi.useRealTimers();
});

const check = (filter: string): ReturnType<typeof withDay> => withDay(filter, checkFilter(filter));

test.each([
  ['time>23:09', 'time>2026-03-01T23:09:00.000Z'],
  ['time>23:09:00', 'time>2026-03-01T23:09:00.000Z'],
  ['topic:orders time:<9:05:01.25', 'topic:orders time:<2026-03-01T09:05:01.250Z'],
  ['after:23:08', 'time:>=2026-03-01T23:08:00.000Z'],
  ['before:23:08 topic:orders', 'time:<=2026-03-01T23:08:00.000Z topic:orders'],
  ['time>23:55', 'time>2026-02-28T23:55:00.000Z'],
  ['time>23:50 time<23:10', 'time>2026-02-28T23:50:00.000Z time<2026-03-01T23:10:00.000Z'],
])('%s leads to the last such moment', (filter, meant) => {
  const { ok, error, meant: suggested } = check(filter);
  expect({ ok, suggested }).toEqual({ ok: false, suggested: meant });
  expect(error?.message).toMatch(/^A time in a filter needs a date: \S+ has none\.$/);
  expect(checkFilter(meant).ok).toBe(true);
});

test('the last such moment is one of the zone of the screen, also where the clocks have changed', () => {
  setTimeZone('local');
  for (const hours of [0, 6, 12, 18, 23]) {
    const moment = new Date(lastMoment(`${hours}:31`) ?? '');
    expect([moment.getHours(), moment.getMinutes()]).toEqual([hours, 31]);
    const sinceMs = Date.now() - moment.getTime();
    expect(sinceMs >= 0 && sinceMs < 25 * 3_600_000).toBe(true);
  }
});

test('a filter whose mistake is no time of day keeps its answer', () => {
  for (const filter of ['time>25:00', 'topik:x', 'topic:orders', 'data.after:23:08', 'topik:x time>23:09'])
    expect([filter, check(filter)]).toEqual([filter, checkFilter(filter)]);
});
