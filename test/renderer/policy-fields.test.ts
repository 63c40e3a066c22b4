/** The fields of a router's retry policy refuse what the router would refuse. */
import { expect, test } from 'vitest';
import { policyMistake, scaleMistake } from '../../renderer/views/event-router/policy-fields.ts';

const WHOLE = 'Use a whole number from 1 to ';

test('attempts and minutes to live are whole numbers in the limits of the router', () => {
  for (const text of ['1', '30', ' 7 ']) expect(policyMistake('attempts', text)).toBeUndefined();
  for (const text of ['0', '31', '-1', '1.5', '', 'many', '1e1'])
    expect(policyMistake('attempts', text)).toBe(`${WHOLE}30.`);
  for (const text of ['1', '1440']) expect(policyMistake('ttl', text)).toBeUndefined();
  for (const text of ['0', '1441', '', 'a day']) expect(policyMistake('ttl', text)).toBe(`${WHOLE}1,440.`);
});

test('a time scale is a number above 0', () => {
  for (const text of ['0.01', '1', '10']) expect(scaleMistake(text)).toBeUndefined();
  for (const text of ['0', '-1', '10.5', '', ' ', 'fast'])
    expect(scaleMistake(text)).toBe('Use a number above 0, 10 at most.');
});
