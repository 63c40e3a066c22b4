/** A mock app that is turned off counts as an app that is down, at once, and is asked again when it is back. */
import { afterEach, expect, test } from 'vitest';

import { startProduct, type Product } from '../e2e/product.ts';
import { SOURCE } from '../support/program.ts';

let product: Product | undefined;
afterEach(async () => {
  await product?.kill();
});

test('a mock app cannot be reached while it is off, and is asked again once it is on', async () => {
  // As it is written, so that a start from source is seen where the other tests start what was built.
  const run = await startProduct({ entry: SOURCE });
  product = run;
  const channel = (wanted: string) =>
    run.when(wanted, async () => {
      const [app] = (await run.rpc('apps.list', {})).items;
      return app?.channel === wanted ? app : undefined;
    });
  const before = await channel('answering');
  await run.rpc('mockApp.turn', { on: false });
  await channel('not-reachable');
  await run.rpc('mockApp.turn', { on: true });
  await channel('answering');
  await run.when('it was asked again', async () => {
    const [app] = (await run.rpc('apps.list', {})).items;
    const { state, at } = app?.discovery ?? {};
    return state === 'done' && at !== before.discovery.at ? true : undefined;
  });
  await run.publish('orders', { n: 1 });
  await run.when('processed', async () => {
    const { total } = await run.rpc('messages.list', { filter: 'state:processed' });
    return total === 1 ? true : undefined;
  });
  expect((await run.rpc('mockApp.get', {})).on).toBe(true);
}, 60_000);
