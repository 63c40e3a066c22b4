/** Questions to the threads that check schemas wait with limits, and none waits for a slow schema of others. */
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

/** A check that ends with its thread alone. */
const MANY = Array.from({ length: 100_000 }, (_, index) => ({ index, in: [index] }));
function endless(schemas: SchemaCheck, title = ''): Promise<unknown> {
  const check = schemas.check({ title, type: 'array', uniqueItems: true }, MANY);
  check.catch(() => undefined);
  return check;
}

test('behind 100 questions a further one is refused with the reason, and room comes back', async () => {
  const schemas = checks();
  const ask = () => schemas.check({ type: 'number' }, 1);
  const waiting = Array.from({ length: 100 }, ask);
  await expect(ask()).rejects.toThrow(new SchemaTooMuch('100 other checks wait already'));
  expect(await Promise.all(waiting)).toHaveLength(100);
  expect(await ask()).toEqual([]);
});

test('a schema does not wait for many checks of a slow one', async () => {
  const schemas = checks({ longestMs: 600_000, longestWaitMs: 600_000 });
  const slow = Array.from({ length: 60 }, () => endless(schemas));
  expect(await schemas.check({ type: 'number' }, 'x')).toHaveLength(1);
  expect(await schemas.problemOf({ type: 'nothing' })).toContain('type');
  await schemas.close();
  for (const one of slow) await expect(one).rejects.toThrow('ended');
});

test('a check that waits for others too long is refused, and says what it waited for', async () => {
  const schemas = checks({ longestMs: 600_000, longestWaitMs: 20 });
  const slow = [endless(schemas, 'a'), endless(schemas, 'b')];
  const waited = schemas.check({ type: 'number' }, 1);
  await expect(waited).rejects.toThrow(new SchemaTooMuch('other checks before it took longer than 20 ms'));
  await schemas.close();
  for (const one of slow) await expect(one).rejects.toThrow('the thread that checks schemas has ended');
});
