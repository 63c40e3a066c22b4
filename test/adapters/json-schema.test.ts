/** JSON Schema: the drafts, what is wrong with data and where, and schemas that cannot be used. */
import { describe, expect, test } from 'vitest';
import { createSchemaRules } from '../../core/adapters/json-schema/rules.ts';

const ORDER = {
  type: 'object',
  required: ['orderId', 'total'],
  properties: { orderId: { type: 'integer' }, total: { type: 'number', minimum: 0 } },
  additionalProperties: false,
};

describe('data against a schema', () => {
  const { check, problemOf } = createSchemaRules();

  test('that fits has no mistakes', () => {
    expect(check(ORDER, { orderId: 1, total: 2 })).toEqual([]);
    expect(check(true, 'anything')).toEqual([]);
  });

  test('that does not fit has all of them, with their places', () => {
    expect(check(ORDER, { orderId: 'x', total: -1, more: 1 })).toEqual([
      { path: '', message: 'must NOT have additional properties (more)' },
      { path: '/orderId', message: 'must be integer' },
      { path: '/total', message: 'must be >= 0' },
    ]);
    expect(check({ enum: ['a', 'b'] }, 'c')).toEqual([
      { path: '', message: 'must be equal to one of the allowed values (["a","b"])' },
    ]);
  });

  test('formats count', () => {
    expect(check({ type: 'string', format: 'email' }, 'nobody')).toHaveLength(1);
    expect(check({ type: 'string', format: 'date-time' }, '2026-01-02T03:04:05Z')).toEqual([]);
  });

  test('at most a hundred mistakes are reported', () => {
    const items = Array.from({ length: 500 }, () => 'x');
    expect(check({ type: 'array', items: { type: 'number' } }, items)).toHaveLength(100);
  });

  test.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft/2020-12/schema',
  ])('a schema of the draft %s is checked', ($schema) => {
    expect(problemOf({ $schema, type: 'string' })).toBeUndefined();
    expect(check({ $schema, type: 'string' }, 1)).toEqual([{ path: '', message: 'must be string' }]);
  });

  test('prefixItems is of 2020-12', () => {
    const schema = { prefixItems: [{ type: 'string' }], items: false };
    expect(check(schema, ['a', 'b'])).toHaveLength(1);
  });

  test.each([
    [1, 'a schema is an object, true or false'],
    [[], 'a schema is an object, true or false'],
    [
      { type: 'strin' },
      /^\/type must be equal to one of the allowed values \(\["array","boolean","integer","null","number","object","string"\]\)$/,
    ],
    [{ properties: { a: { required: 1 } } }, /^\/properties\/a\/required must be array$/],
    [{ $ref: 'https://example.com/other.json' }, /can't resolve reference/],
    [{ $schema: 'https://example.com/unknown' }, /no schema with key or ref/],
  ])('%j cannot be used', (schema, why) => {
    expect(problemOf(schema)).toMatch(why);
  });

  test('two schemas may have the same id', () => {
    expect(check({ $id: 'x', type: 'string' }, 1)).toHaveLength(1);
    expect(check({ $id: 'x', type: 'number' }, 1)).toEqual([]);
  });

  test('many different ones do not pile up', () => {
    const one = createSchemaRules();
    for (let i = 0; i < 52; i += 1) expect(one.check({ const: i }, i)).toEqual([]);
    expect(one.check({ const: 0 }, 0)).toEqual([]);
  });
});
