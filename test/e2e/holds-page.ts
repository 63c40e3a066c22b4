// Helpers of journeys about holds: the queue on screen, and the bodies that the app received.
import type { Locator, Page } from '@playwright/test';
import type { Product } from './fixture.ts';

export const queue = (page: Page): Locator => page.getByRole('grid', { name: 'Held messages' });

/** Data of the bodies that the app got, oldest first. */
export async function receivedData(product: Product): Promise<readonly unknown[]> {
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  const details = await Promise.all(items.map(({ messageId }) => product.rpc('messages.get', { messageId })));
  return details
    .flatMap(({ deliveries }) => deliveries)
    .flatMap(({ attempts }) => attempts)
    .map(({ request }) => JSON.parse(request.body).data);
}
