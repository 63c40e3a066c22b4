/** A running product that must not be changed by what is sent to it. */
import { afterAll, beforeAll, expect } from 'vitest';
import { type Product, startProduct } from '../e2e/product.ts';
import { PROGRAM } from '../support/program.ts';

export interface Running {
  readonly product: () => Product;
  /** Nothing is other than at the start. */
  readonly unchanged: () => Promise<void>;
}

/** Starts a product with one processed message before the tests of a file, and ends it after them. */
export function running(): Running {
  let product: Product | undefined;
  let before: unknown;
  const now = (): Product => {
    if (product === undefined) throw new Error('the product is not started yet');
    return product;
  };
  beforeAll(async () => {
    product = await startProduct({ entry: PROGRAM });
    await now().publish('orders', { orderId: 1 });
    await now().when('processed', async () => {
      const { total } = await now().rpc('messages.list', { filter: 'state:processed' });
      return total === 1 ? total : undefined;
    });
    before = await stateOf(now());
  });
  afterAll(async () => {
    expect(await now().stop()).toBe(0);
    expect(now().log()).not.toMatch(/unhandled|uncaught/i);
  });
  return {
    product: now,
    unchanged: async () => expect(await stateOf(now())).toEqual(before),
  };
}

/** Everything that a request could have changed; rates change by themselves. */
async function stateOf(product: Product): Promise<unknown> {
  const { subscriptions, rules } = await product.rpc('mockApp.get', {});
  const declared = await product.rpc('subscriptions.list', {});
  const { items: topics } = await product.rpc('topics.list', {});
  return [
    await product.rpc('messages.list', {}),
    await product.rpc('holds.list', {}),
    await product.rpc('settings.get', {}),
    { ...declared, items: declared.items.map(({ lag: _lag, ...rest }) => rest) },
    topics.map(({ topic, published, counts }) => ({ topic, published, counts })),
    subscriptions,
    rules,
  ];
}
