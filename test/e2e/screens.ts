// Every screen and tab of the console, and a walk through all of them.
import type { Page } from '@playwright/test';
import { DELIVERY_STATES, type DeliveryState } from '../../core/contract/delivery.ts';
import { SCREENS as ALL, type ScreenId } from '../../renderer/copy/names.ts';
import { chooseTab, go } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

/** Tabs of the screens beside the first one. */
const TABS: Readonly<Partial<Record<ScreenId, readonly string[]>>> = {
  topics: ['Subscriptions', 'Graph'],
  publish: ['Bulk', 'Saved'],
  mock: ['Subscriptions', 'Requests'],
  health: ['Metrics'],
  settings: ['Apps', 'Delivery', 'Event router', 'Storage', 'Keyboard', 'Appearance', 'About'],
};

/** Messages is the last one: a page begins there, so that each step changes the screen. */
export const SCREENS = [
  ...ALL.filter(({ id }) => id !== 'messages'),
  ...ALL.filter(({ id }) => id === 'messages'),
].map(({ id, title, keys }) => ({ title, keys: keys.replace('g ', ''), tabs: TABS[id] ?? [] }));

/** Nothing of the screen is still being loaded. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

/** The page is as high as the window: what is longer scrolls inside its screen, and the frame stays in sight. */
async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight;
  });
  expect(over, 'pixels by which the page is higher than the window').toBe(0);
}

/** Whatever is drawn in the font of code, editors and fields too, has no ligatures: != is two characters. */
export async function hasNoLigatures(page: Page): Promise<void> {
  const joined = await page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((element) => {
      const { fontFamily, fontVariantLigatures } = getComputedStyle(element);
      const isCode = fontFamily.includes('JetBrains') || /^(?:CODE|PRE|KBD|SAMP)$/.test(element.tagName);
      return isCode && fontVariantLigatures !== 'none' ? [element.outerHTML.slice(0, 120)] : [];
    }),
  );
  expect(joined, 'code with ligatures').toEqual([]);
}

/** Goes to every screen and tab. `accessible` looks at all of the first one, and at what stands in the frame of the others. */
export async function sweep(page: Page, accessible: (within?: string) => Promise<void>): Promise<void> {
  for (const [index, { title, tabs }] of SCREENS.entries()) {
    await test.step(title, async () => {
      await go(page, title);
      await settled(page);
      await fits(page);
      await hasNoLigatures(page);
      await accessible(index === 0 ? undefined : 'main');
    });
    for (const tab of tabs) {
      await test.step(`${title}, ${tab}`, async () => {
        await chooseTab(page, tab);
        await settled(page);
        await fits(page);
        await hasNoLigatures(page);
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
