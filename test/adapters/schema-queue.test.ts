/** Questions to the thread that checks schemas wait in a queue with a limit. */
import { expect, onTestFinished, test } from 'vitest';
import { createSchemaCheck } from '../../core/adapters/json-schema/check.ts';
import { SchemaTooMuch } from '../../core/ports/schema-check.ts';

test('behind 100 questions a further one is refused with the reason, and room comes back', async () => {
  const checks = createSchemaCheck();
  onTestFinished(() => checks.close());
  const ask = () => checks.check({ type: 'number' }, 1);
  const waiting = Array.from({ length: 100 }, ask);
  await expect(ask()).rejects.toThrow(new SchemaTooMuch('100 other checks wait already'));
  expect(await Promise.all(waiting)).toHaveLength(100);
  expect(await ask()).toEqual([]);
});
