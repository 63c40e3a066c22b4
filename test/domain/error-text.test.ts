// The text of an error or of any other thrown value.
import { expect, test } from 'vitest';
import { errorText } from '../../core/contract/error-text.ts';

test('the text of an error is its message, that of any other thrown value its string', () => {
  expect(errorText(new TypeError('it is closed'))).toBe('it is closed');
  expect(errorText('cut off')).toBe('cut off');
  expect(errorText(undefined)).toBe('undefined');
  expect(errorText({ message: 'no error' })).toBe('[object Object]');
});
