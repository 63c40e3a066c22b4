/** publish -> processed: what a new user sees first. */
import { expect, test } from 'vitest';
import { started } from '../support/runtime-stand.ts';

test('a published message is delivered and processed, each step with its rule', async () => {
  const stand = await started();
  const id = await stand.publish('orders', { n: 1 });
  expect(await stand.way(id)).toEqual([
    'queued policy.accepted (policy)',
    'attempting policy.attempt (policy)',
    'processed single.2xx.empty (app)',
  ]);
});
