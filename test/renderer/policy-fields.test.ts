/** The fields of a router's retry policy refuse what the router would refuse. */
import { expect, test } from 'vitest';
import {
  faultMistake,
  policyMistake,
  scaleMistake,
  waitScaleMistake,
} from '../../renderer/views/event-router/policy-fields.ts';

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

test.each([
  ['status', '503', '199', 'Use a whole number from 200 to 599.'],
  ['delay', '0', '600001', 'Use a whole number from 0 to 600,000.'],
  ['slow', '600000', '-1', 'Use a whole number from 0 to 600,000.'],
  ['times', '1', '0', 'Use a whole number from 1 to 100,000.'],
  ['skew', '-10000', '10001', 'Use a whole number from -10,000 to 10,000.'],
] as const)('the %s of a fault can be %s and not %s', (field, good, bad, text) => {
  expect(faultMistake(field, good)).toBeUndefined();
  for (const wrong of [bad, '', '1.5', 'many']) expect(faultMistake(field, wrong)).toBe(text);
});

test('the scale of all waits of the router is a number from 0', () => {
  for (const text of ['0', '0.01', '1000']) expect(waitScaleMistake(text)).toBeUndefined();
  for (const text of ['-1', '1001', '', 'fast'])
    expect(waitScaleMistake(text)).toBe('Use a number from 0 to 1,000.');
});
