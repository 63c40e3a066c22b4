/** The marker "from here on" as a term of the filter. */
import { expect, test } from 'vitest';
import { hereOf, withHere } from '../../renderer/format/since-here.ts';

const AT = '2026-01-31T14:30:00.000Z';

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
