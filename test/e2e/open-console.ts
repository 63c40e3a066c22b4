// How a browser opens the console of a product; no other file of the journeys knows.
import type { Page } from '@playwright/test';
import type { Product } from './product.ts';

/** Opens the console through a one-time link, as the line that the product prints at its start does. */
export async function openConsole(page: Page, product: Product): Promise<void> {
  const { url } = await product.rpc('system.link', {});
  await page.goto(url);
}
