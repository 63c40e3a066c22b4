/** Every method has a schema that says what the contract says, and refuses by name what does not fit. */
import fc from 'fast-check';
import { Check } from 'typebox/value';
import type { Static, TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { Method, Params } from '../../core/contract/console.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { checkParams, isMethod } from '../../core/console/schemas/check.ts';
import { complaintOf } from '../../core/console/schemas/complaint.ts';
import { SCHEMAS } from '../../core/console/schemas/table.ts';
import { BAD } from './bad-params.ts';
import { GOOD } from './good-params.ts';

/** Every path through a type, with what stands at its end: two types with the same paths say the same. */
type Paths<T> = unknown extends T
  ? 'unknown'
  : T extends string
    ? string extends T
      ? 'string'
      : `"${T}"`
    : T extends number
      ? 'number'
      : T extends boolean | null
        ? `${T}`
        : T extends readonly [infer A, infer B]
          ? `[${Paths<A>},${Paths<B>}]`
          : T extends readonly (infer E)[]
            ? '[]' | `[].${Paths<E>}`
            : '{}' | { [K in keyof T]-?: Member<T, K> }[keyof T];
type Member<T, K extends keyof T> = `.${NameOf<K>}${object extends Pick<T, K> ? '?' : ''}${Paths<T[K]>}`;
type NameOf<K> = string extends K ? '*' : K extends string ? K : never;
type Same<A, B> = [Paths<A>, Paths<B>] extends [Paths<B>, Paths<A>] ? true : false;
type Agreement = { readonly [M in Method]: Same<Static<(typeof SCHEMAS)[M]>, Params<M>> };
/** Names of methods whose schema and contract differ; compiling proves that there are none. */
type Disagreement = { [M in Method]: Agreement[M] extends true ? never : M }[Method];
const NONE_DISAGREES: [Disagreement] extends [never] ? true : Disagreement = true;

const METHODS = Object.keys(SCHEMAS).filter(isMethod);

function refusalOf(method: Method, params: unknown): Refusal | undefined {
  try {
    checkParams(method, params);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

describe('the schemas', () => {
  test('say what the contract says', () => {
    expect(NONE_DISAGREES).toBe(true);
  });

  test('are there for every method, with good and bad examples', () => {
    expect(Object.keys(GOOD).toSorted()).toEqual(Object.keys(SCHEMAS).toSorted());
    expect(Object.keys(BAD).toSorted()).toEqual(Object.keys(SCHEMAS).toSorted());
  });

  test.each(METHODS.flatMap((method) => GOOD[method].map((params) => [method, params] as const)))(
    '%s takes %j',
    (method, params) => {
      expect(refusalOf(method, params)).toBeUndefined();
    },
  );

  test.each(METHODS.flatMap((method) => BAD[method].map((row) => [method, ...row] as const)))(
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
    const methods = fc.constantFrom(...METHODS);
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
        const schema: TSchema = SCHEMAS[method];
        expect(complaintOf(schema, value) === undefined).toBe(Check(schema, value));
      }),
      { numRuns: 3000 },
    );
  });

  test('a long text or name is not repeated whole', () => {
    const long = 'x'.repeat(100_000);
    expect(refusalOf('messages.list', { order: long })?.message.length).toBeLessThan(200);
    expect(refusalOf('messages.list', { [long]: 1 })?.message.length).toBeLessThan(300);
  });
});
