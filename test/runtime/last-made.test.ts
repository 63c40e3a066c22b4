/** Objects of the last messages stay alive for the engine, but no large body with them. */
import { expect, test } from 'vitest';
import { lastMade } from '../../core/domain/last-made.ts';
import { started } from '../support/runtime-stand.ts';

const LARGE = 'x'.repeat(8 * 1024 * 1024);

test('the last large message is not kept', async () => {
  const stand = await started();
  await stand.publish('orders', { n: 1 });
  await stand.settle();
  expect(stand.app.calls).toHaveLength(1);
  const { publishRequest, facts, message } = lastMade;
  expect(publishRequest).toMatchObject({ body: '{"n":1}' });
  await stand.publish('orders', LARGE);
  await stand.settle();
  expect(stand.app.calls).toHaveLength(2);
  expect(lastMade.publishRequest === publishRequest).toBe(true);
  expect(lastMade.facts === facts).toBe(true);
  expect(lastMade.message === message).toBe(true);
  expect(JSON.stringify([lastMade.records, lastMade.startedAttempt])).not.toContain('x'.repeat(65_536));
});
