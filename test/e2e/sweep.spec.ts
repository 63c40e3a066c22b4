// Every screen and tab with sample traffic passes axe, and keys alone lead everywhere.
import type { Page } from '@playwright/test';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';
import { SCREENS, settled, sweep, withSamples } from './screens.ts';

test.use({ looksAlways: true });

test('every screen with sample traffic, and every overlay on it, is accessible', async ({
  page,
  product,
  accessible,
}) => {
  test.setTimeout(240_000);
  await withSamples(product);
  await sweep(page, accessible);
  // overlays.spec.ts opens and looks at all of these over the list.
  if (!isLong) return;
  for (const key of ['ControlOrMeta+k', '?']) {
    await page.getByRole('main').focus();
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    await accessible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible();
  await accessible();
});

interface Stop {
  /** The focused element shows that it is, by an outline of its own or around it. */
  readonly isSeen: boolean;
  /** The focus has left the screen. */
  readonly isOut: boolean;
  readonly name: string;
}

/** Runs in the page: where the focus is. */
function stopNow(): Stop {
  const element = document.activeElement;
  const isOut = element?.closest('main') === null;
  const words = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  const name = `${element?.tagName} ${words.slice(0, 60)}`;
  if (element === null || element === document.body) return { isSeen: true, isOut, name };
  const around = [element, element.closest('.cm-editor'), element.parentElement].flatMap((each) =>
    each === null ? [] : [getComputedStyle(each)],
  );
  const after = element.parentElement === null ? [] : [getComputedStyle(element.parentElement, '::after')];
  const isSeen =
    around.some(({ outlineStyle }) => outlineStyle !== 'none') ||
    after.some(({ borderTopStyle }) => borderTopStyle !== 'none');
  return { isSeen, isOut, name };
}

/** Where the focus is after one more Tab. The editor marks itself a moment after it got the focus. */
async function nextStop(page: Page): Promise<Stop> {
  await page.keyboard.press('Tab');
  let stop = await page.evaluate(stopNow);
  for (const until = performance.now() + 2000; !stop.isSeen && performance.now() < until;)
    stop = await page.evaluate(stopNow);
  return stop;
}

/** A message that was processed, one that is held, a hold and an answer: each kind of stop, and few of it. */
async function withOneOfEach(product: Product): Promise<void> {
  await product.publish('orders', { orderId: 1 });
  await product.rpc('holds.add', { at: 'delivery', filter: 'data.orderId:2', name: 'look first' });
  await product.publish('orders', { orderId: 2 });
  const answer = { kind: 'respond', status: 200 } as const;
  await product.rpc('mockApp.setRules', {
    rules: [{ name: 'look', enabled: true, match: { topic: 'refunds' }, answer }],
  });
}

test('on every screen the focus is visible and never trapped with the keyboard alone', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  await (isLong ? withSamples : withOneOfEach)(product);
  for (const { title, keys } of SCREENS) {
    await test.step(title, async () => {
      await page.getByRole('main').focus();
      await page.keyboard.press('g');
      await page.keyboard.press(keys);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await settled(page);
      const unseen: string[] = [];
      let isOut = false;
      for (let stops = 0; stops < 150 && !isOut; stops += 1) {
        const stop = await nextStop(page);
        if (!stop.isSeen) unseen.push(stop.name);
        ({ isOut } = stop);
      }
      expect(unseen, 'stops without a visible focus').toEqual([]);
      expect(isOut, 'the focus left the screen').toBe(true);
    });
  }
});
