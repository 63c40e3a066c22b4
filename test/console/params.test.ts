/** Every method takes what its declaration asks for, and refuses by name what does not fit. */
import fc from 'fast-check';
import { Check } from 'typebox/value';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { METHODS } from '../../core/contract/console.ts';
import type { Method } from '../../core/contract/console.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { checkParams, isMethod } from '../../core/console/params/check.ts';
import { complaintOf } from '../../core/domain/shape-complaint.ts';
import { times } from '../support/extent.ts';
import { BAD } from './bad-params.ts';
import { GOOD } from './good-params.ts';

const NAMES = Object.keys(METHODS).filter(isMethod);

function refusalOf(method: Method, params: unknown): Refusal | undefined {
  try {
    checkParams(method, params);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('parameters', () => {
  test('every method has good and bad examples', () => {
    expect(Object.keys(GOOD).toSorted()).toEqual(Object.keys(METHODS).toSorted());
    expect(Object.keys(BAD).toSorted()).toEqual(Object.keys(METHODS).toSorted());
  });

  test.each(NAMES.flatMap((method) => GOOD[method].map((params) => [method, params] as const)))(
    '%s accepts %j',
    (method, params) => {
      expect(refusalOf(method, params)).toBeUndefined();
    },
  );

  test.each(NAMES.flatMap((method) => BAD[method].map((row) => [method, ...row] as const)))(
    '%s refuses %j: %s',
    (method, params, field, expected, message) => {
      const refusal = refusalOf(method, params);
      expect(refusal?.code).toBe('INVALID_PARAMS');
      expect(refusal?.message).toBe(message);
      expect(refusal?.field).toBe(field);
      expect(refusal?.expected).toBe(expected);
    },
  );

  test('the words and the check agree on any value', () => {
    const methods = fc.constantFrom(...NAMES);
    // Members that schemas know, so that most values come close to fitting.
    const names = [
      'limit',
      'filter',
      'messageId',
      'kind',
      'status',
      'answer',
      'rules',
      'match',
      'enabled',
      'deliveryIds',
    ];
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.integer({ min: -1, max: 600 }),
        fc.constantFrom('', 'respond', 'newest', 'all', 'hang', null, true, 1.5),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(methods, values, (method, value) => {
        const schema: TSchema = METHODS[method].params;
        expect(complaintOf(schema, value) === undefined).toBe(Check(schema, value));
      }),
      { numRuns: times(1000, 3000) },
    );
  });

  test('a long text or name is not repeated whole', () => {
    const long = 'x'.repeat(100_000);
    expect(refusalOf('messages.list', { order: long })?.message.length).toBeLessThan(200);
    expect(refusalOf('messages.list', { [long]: 1 })?.message.length).toBeLessThan(300);
  });
});
