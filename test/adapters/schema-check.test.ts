/** Schemas are checked in a thread with a time limit: an endless check delays no other, and the next one runs. */
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createSchemaCheck } from '../../core/adapters/json-schema/check.ts';
import type { SchemaCheckOptions } from '../../core/adapters/json-schema/check.ts';
import { SchemaTooMuch } from '../../core/ports/schema-check.ts';
import type { SchemaCheck } from '../../core/ports/schema-check.ts';

function checks(options: SchemaCheckOptions = {}): SchemaCheck {
  const made = createSchemaCheck(options);
  onTestFinished(() => made.close());
  return made;
}

/** Each step down doubles what has to be looked at. */
function doubling(keyword: 'allOf' | 'anyOf', depth: number): object {
  const $defs: Record<string, object> = { [`d${depth}`]: { type: 'object' } };
  for (let at = 0; at < depth; at++) {
    const $ref = `#/$defs/d${at + 1}`;
    $defs[`d${at}`] = { [keyword]: [{ $ref, minProperties: 2 }, { $ref }] };
  }
  return { $ref: '#/$defs/d0', $defs };
}

const unique = { type: 'array', uniqueItems: true };
const many = Array.from({ length: 100_000 }, (_, index) => ({ index, in: [index] }));

test.each([
  ['many items that must differ', unique, many],
  ['allOf within allOf', doubling('allOf', 40), {}],
  ['anyOf within anyOf', doubling('anyOf', 40), {}],
])('a check that takes too long is ended, and the next one runs: %s', async (_name, schema, data) => {
  const options = { longestMs: 150 };
  const schemas = checks(options);
  const order: string[] = [];
  const slow = schemas.check(schema, data).then(
    () => order.push('checked'),
    (error: unknown) => {
      order.push('given up');
      expect(error).toBeInstanceOf(SchemaTooMuch);
      expect(error).toHaveProperty('message', 'it took longer than 150 ms');
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  order.push('others');
  await slow;
  expect(order).toEqual(['others', 'given up']);
  options.longestMs = 60_000;
  expect(await schemas.check(unique, [1, 1])).toHaveLength(1);
});

test('questions are answered in their order', async () => {
  const schemas = checks();
  const [first, second, third] = await Promise.all([
    schemas.problemOf({ type: 'nothing' }),
    schemas.check({ type: 'number' }, 'x'),
    schemas.check(unique, [1, 2]),
  ]);
  expect(first).toContain('type');
  expect([second, third]).toEqual([[{ path: '', message: 'must be number' }], []]);
  await expect(schemas.check({ type: 'nothing' }, 1)).rejects.toThrow();
  expect(await schemas.problemOf({ type: 'string' })).toBeUndefined();
});

test('a value that cannot be sent to a thread is an error', async () => {
  const schemas = checks();
  await expect(schemas.check({}, () => undefined)).rejects.toThrow('could not be cloned');
  expect(await schemas.check({ type: 'string' }, 'x')).toEqual([]);
});

test('a closed checker checks nothing', async () => {
  const schemas = checks();
  expect(await schemas.check({}, 1)).toEqual([]);
  await schemas.close();
  await expect(schemas.check({}, 1)).rejects.toThrow('have ended');
});

test('a thread that fails after its question was given up, or between two questions, does not end the process', async () => {
  const threads: Worker[] = [];
  const note = (thread: Worker): void => void threads.push(thread);
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  const schemas = checks({ longestMs: 1000 });
  expect(await schemas.check({ type: 'string' }, 1)).toHaveLength(1);
  const late = new Error('JS heap out of memory');
  // As the thread itself tells it, but at a moment of the test's choice.
  expect(threads[0]?.emit('error', late)).toBe(true);
  await threads[0]?.terminate();
  expect(await schemas.check({ type: 'string' }, 1)).toHaveLength(1);
  await expect(schemas.check(doubling('allOf', 40), {})).rejects.toThrow('it took longer than 1 s');
  expect(threads.length).toBe(2);
  expect(threads[1]?.emit('error', late)).toBe(true);
});

test('a mistake says no more than 1,000 characters of the schema and of the data', async () => {
  const values = Array.from({ length: 10_000 }, (_, index) => `value ${index}`);
  const data = { ['k'.repeat(100_000)]: 1 };
  const [mistake] = await checks().check({ additionalProperties: { enum: values } }, data);
  expect(mistake?.message).toMatch(/^must be equal to one of the allowed values \(\["value 0",.*…$/);
  expect(mistake?.message).toHaveLength(1001);
  expect(mistake?.path).toMatch(/^\/k+…$/);
  expect(mistake?.path).toHaveLength(1001);
});

test('a schema with $async is refused, and the next one is checked', async () => {
  const schemas = checks();
  const refused = '$async is an extension that Sidelight does not support';
  expect(await schemas.problemOf({ $async: true, type: 'string' })).toBe(refused);
  await expect(schemas.check({ $async: true, type: 'string' }, 1)).rejects.toThrow(refused);
  expect(await schemas.check({ type: 'string' }, 1)).toHaveLength(1);
});

test.each([
  ['to itself', { $ref: '#' }],
  ['to itself twice', { allOf: [{ $ref: '#' }, { $ref: '#' }] }],
  ['to its own anchor', { $dynamicAnchor: 'a', anyOf: [{ $dynamicRef: '#a' }] }],
])('a schema that refers %s without end cannot be checked, and the next one is', async (_name, schema) => {
  const schemas = checks();
  const refused = schemas.check(schema, 1);
  await expect(refused).rejects.toThrow('it nests too deeply, or refers to itself without end');
  await expect(refused).rejects.toBeInstanceOf(SchemaTooMuch);
  expect(await schemas.check({ type: 'string' }, 1)).toHaveLength(1);
});

test('references that only lead to each other are too much for a schema', async () => {
  const schema = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
  await expect(checks().problemOf(schema)).rejects.toBeInstanceOf(SchemaTooMuch);
});
