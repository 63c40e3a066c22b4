/** The marker "from here on" as a term of the filter. */
import { afterEach, expect, test } from 'vitest';
import { setTimeZone } from '../../renderer/format/clock-time.ts';
import { hereOf, hereText, withHere } from '../../renderer/format/since-here.ts';

const AT = '2026-01-31T14:30:00.000Z';

afterEach(() => setTimeZone('local'));

test('the marker is added to the filter, moved and removed', () => {
  expect(withHere('topic:orders', AT)).toBe(`topic:orders changed:>=${AT}`);
  expect(hereOf(withHere('topic:orders', AT))).toBe(AT);
  expect(withHere(`topic:orders changed:>=2026-01-01T00:00:00.000Z`, AT)).toBe(
    `topic:orders changed:>=${AT}`,
  );
  expect(withHere(`topic:orders changed:>=${AT}`, undefined)).toBe('topic:orders');
});

test('another range, or one within an OR, is no marker', () => {
  expect(hereOf('topic:orders')).toBeUndefined();
  expect(hereOf(`time:>=${AT}`)).toBeUndefined();
  expect(hereOf(`topic:orders OR changed:>=${AT}`)).toBeUndefined();
});

test('the marker of another day is said with its day', () => {
  setTimeZone('utc');
  expect(hereText(AT, new Date('2026-01-31T20:00:00.000Z'))).toBe('14:30:00');
  expect(hereText(AT, new Date('2026-02-01T09:00:00.000Z'))).toBe('2026-01-31 14:30:00');
});
