/** A schema that takes too long to read is refused; data that takes too long to check is not called valid, and the reason is reported. */
import { expect, test } from 'vitest';
import { SchemaTooMuch } from '../../core/ports/schema-check.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { inMemoryConsole } from './in-memory-console.ts';
import { makeBench } from './bench.ts';

const SLOW = { allOf: [true] };

test('a check that took too long is reported, and its schema is not stored', async () => {
  const clock = new ManualClock();
  const bench = makeBench(clock);
  const { schemaCheck } = bench.deps;
  const tooLong = new SchemaTooMuch('it took longer than 5 s');
  let readsSlowly = true;
  const { call, refused } = inMemoryConsole(clock, {
    ...bench,
    deps: {
      ...bench.deps,
      schemaCheck: {
        ...schemaCheck,
        problemOf: async (schema) => {
          if (readsSlowly) throw tooLong;
          return schemaCheck.problemOf(schema);
        },
        check: () => Promise.reject(tooLong),
      },
    },
  });
  expect(await refused('schemas.set', { name: 'slow', topic: 'orders', schema: SLOW })).toMatchObject({
    code: -32013,
    message: expect.stringContaining('Sidelight could not read the schema: it took longer than 5 s.'),
  });
  expect((await call('schemas.list', {})).items).toEqual([]);
  readsSlowly = false;
  const kept = await call('schemas.set', { name: 'slow', topic: 'orders', schema: SLOW });
  expect(await call('schemas.validate', { data: [1], topic: 'orders' })).toEqual({
    valid: false,
    schemaId: kept.schemaId,
    name: 'slow',
    errors: [{ path: '', message: 'could not be checked: it took longer than 5 s' }],
  });
});
