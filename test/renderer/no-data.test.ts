/** What the tab Data says of an event without data, whose fields were sent as those of the event. */
import { expect, test } from 'vitest';
import { hasNoData } from '../../renderer/components/detail/DataTab.tsx';

test('an event without data is told from an empty payload', () => {
  expect(hasNoData({ raw: false, data: undefined })).toBe(true);
  expect(hasNoData({ raw: false, data: '' })).toBe(false);
  expect(hasNoData({ raw: false, data: null })).toBe(false);
  expect(hasNoData({ raw: false, data: undefined, dataBase64: '' })).toBe(false);
  expect(hasNoData({ raw: true, data: undefined })).toBe(false);
  expect(hasNoData({ raw: false, data: undefined, payloadApart: true })).toBe(false);
});
