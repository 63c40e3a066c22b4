// Every screen and tab of the console, and a walk through all of them.
import type { Page } from '@playwright/test';
import { DELIVERY_STATES, type DeliveryState } from '../../core/contract/delivery.ts';
import { chooseTab, go } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

export const SCREENS: readonly {
  readonly title: string;
  readonly keys: string;
  readonly tabs?: readonly string[];
}[] = [
  { title: 'Topics', keys: 't', tabs: ['Subscriptions', 'Graph'] },
  { title: 'Publish', keys: 'p', tabs: ['Bulk', 'Saved'] },
  { title: 'Mock app', keys: 'a', tabs: ['Subscriptions', 'Requests'] },
  { title: 'Holds', keys: 'h' },
  { title: 'Event router', keys: 'e' },
  { title: 'Components', keys: 'c' },
  { title: 'Apps', keys: 'o' },
  { title: 'Health', keys: 's', tabs: ['Metrics'] },
  { title: 'Recordings', keys: 'r' },
  { title: 'Logs', keys: 'l' },
  { title: 'Settings', keys: ',', tabs: ['Apps', 'Delivery', 'Storage', 'Keyboard', 'Appearance', 'About'] },
  { title: 'Messages', keys: 'm' },
];

/** Nothing of the screen is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

/** Goes to every screen and tab. `accessible` looks at all of the first one, and at what stands in the frame of the others. */
export async function sweep(page: Page, accessible: (within?: string) => Promise<void>): Promise<void> {
  for (const [index, { title, tabs = [] }] of SCREENS.entries()) {
    await test.step(title, async () => {
      await go(page, title);
      await settled(page);
      await accessible(index === 0 ? undefined : 'main');
    });
    for (const tab of tabs) {
      await test.step(`${title}, ${tab}`, async () => {
        await chooseTab(page, tab);
        await settled(page);
        await accessible('main');
      });
    }
  }
}

/** Sample traffic with a message in each of these states; by default in all nine, which takes seconds. */
export async function withSamples(
  product: Product,
  states: readonly DeliveryState[] = DELIVERY_STATES,
): Promise<void> {
  await product.rpc('samples.add', {});
  await product.when('every state', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return states.every((state) => counts[state] > 0) ? counts : undefined;
  });
}
