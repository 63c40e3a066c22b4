import { expect, test } from 'vitest';
import { errorText } from '../../core/contract/error-text.ts';

test('an error is told by its message, anything else that was thrown as text', () => {
  expect(errorText(new TypeError('it is closed'))).toBe('it is closed');
  expect(errorText('cut off')).toBe('cut off');
  expect(errorText(undefined)).toBe('undefined');
  expect(errorText({ message: 'no error' })).toBe('[object Object]');
});
