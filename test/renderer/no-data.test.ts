/** What the tab Data says of an event without data, whose fields were sent as those of the event. */
import { expect, test } from 'vitest';
import { hasNoData, isTextData } from '../../renderer/components/detail/DataTab.tsx';

test('an event without data is told from an empty payload', () => {
  expect(hasNoData({ raw: false, data: undefined })).toBe(true);
  expect(hasNoData({ raw: false, data: '' })).toBe(false);
  expect(hasNoData({ raw: false, data: null })).toBe(false);
  expect(hasNoData({ raw: false, data: undefined, dataBase64: '' })).toBe(false);
  expect(hasNoData({ raw: true, data: undefined })).toBe(false);
  expect(hasNoData({ raw: false, data: undefined, payloadApart: true })).toBe(false);
});

test.each([
  [{ raw: false, data: '{"n":1}' }, true],
  [{ raw: false, data: { n: 1 } }, false],
  [{ raw: true, data: '{"n":1}' }, false],
])('the data of %j are a text: %s', (message, isText) => {
  expect(isTextData(message)).toBe(isText);
});
