// The text of an error or of any other thrown value.
import { expect, test } from 'vitest';
import { errorText } from '../../core/contract/error-text.ts';

test('the text of an error is its message, that of any other thrown value its string', () => {
  expect(errorText(new TypeError('it is closed'))).toBe('it is closed');
  expect(errorText('cut off')).toBe('cut off');
  expect(errorText(undefined)).toBe('undefined');
  expect(errorText({ message: 'no error' })).toBe('[object Object]');
});

test('the text of an error for several addresses has the text of each, once', () => {
  const refused = (address: string): Error => new Error(`connect ECONNREFUSED ${address}:1`);
  const all = [refused('::1'), refused('127.0.0.1'), refused('127.0.0.1'), new Error('')];
  expect(errorText(new AggregateError(all))).toBe(
    'connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1',
  );
  expect(errorText(new AggregateError(all, 'no address answers'))).toBe('no address answers');
});
