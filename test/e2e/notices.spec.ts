// A notification covers nothing that can be pressed: on no screen, in no width, and not in a window at 200 %.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, messages, openMessage } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';
import { SCREENS, settled, withSamples } from './screens.ts';

const WIDE = [
  { width: 1280, height: 800 },
  { width: 1280, height: 640 },
  { width: 1920, height: 1080 },
];
/** In them a notification stands beside the screen; the second is 1280 × 800 at 200 %. */
const SMALL = [
  { width: 700, height: 900 },
  { width: 640, height: 400 },
];
/** In small windows a notification has its place in the frame. So `npm test` goes to some screens: those with most at their lower end. */
const LOOKED_AT = SCREENS.filter(({ title }) =>
  isLong ? title !== 'Messages' : ['Publish', 'Holds', 'Mock app', 'Logs'].includes(title),
);
/** In `npm test` the first tab of each screen in one small window, another one from screen to screen. */
const sizesOf = (screen: number): readonly { readonly width: number; readonly height: number }[] =>
  isLong ? [...SMALL, ...WIDE] : SMALL.filter((_, index) => index === screen % SMALL.length);

const card = (page: Page): Locator =>
  page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]');

/** Names of what can be pressed and is under the notification at its middle or near a corner. */
function coveredBy(shown: Element): readonly string[] {
  const all = document.querySelectorAll('button, a[href], input, textarea, [role="tab"], [role="combobox"]');
  return [...all].flatMap((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    if (shown.contains(each) || width === 0 || height === 0) return [];
    const points = [0.5, 0.1, 0.9].flatMap((x) =>
      [0.5, 0.1, 0.9].map((y) => [left + width * x, top + height * y]),
    );
    const isCovered = points.some(([x = 0, y = 0]) => {
      // What is scrolled out of its part of the page is not there to be pressed.
      const stack = document.elementsFromPoint(x, y);
      return shown.contains(stack[0] ?? null) && stack.includes(each);
    });
    return isCovered ? [each.getAttribute('aria-label') ?? each.textContent.trim()] : [];
  });
}

/** Presses a key that has a notification, in the list or where it is only for the list, which every other screen says. */
async function look(
  page: Page,
  where: string,
  sizes: ReturnType<typeof sizesOf>,
  pressed = page.getByRole('main'),
  key = 'r',
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await pressed.focus();
    await page.keyboard.press(key);
    await expect(card(page)).toBeVisible();
    const covered = await card(page).evaluate(coveredBy);
    expect(covered, `${where} at ${String(size.width)} × ${String(size.height)}`).toEqual([]);
    await expect(card(page)).toBeInViewport({ ratio: 1 });
    await card(page).getByRole('button', { name: 'Dismiss' }).click();
  }
}

test('a notification covers nothing that can be pressed, on every screen and in every width', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  await withSamples(product, ['processed', 'parked']);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1 });
  for (const [index, { title, tabs }] of LOOKED_AT.entries()) {
    const sizes = sizesOf(index);
    await go(page, title);
    await settled(page);
    await look(page, title, sizes);
    for (const tab of isLong ? tabs : []) {
      await chooseTab(page, tab);
      await settled(page);
      await look(page, `${title}, ${tab}`, sizes);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await go(page, 'Messages');
  await look(page, 'Messages', isLong ? sizesOf(0) : SMALL, messages(page), 'i');
  await openMessage(page, /, orders, com\.sidecar\.event\.sent, Waiting for you/);
  await look(page, 'a message with the answers to its call', isLong ? sizesOf(0) : SMALL, detail(page), 'i');
});
