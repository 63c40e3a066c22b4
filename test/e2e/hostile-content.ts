// Hostile content: sends it, opens it, and checks that none of it ran.
import { SCREENS as ALL } from '../../renderer/copy/names.ts';
import { expect, type Product } from './fixture.ts';
import type { Page, Locator } from '@playwright/test';
import { detail, chooseTab, messages } from './console-page.ts';

/** Titles of all screens but the list, which each test opens first. */
export const SCREENS = ALL.filter(({ id }) => id !== 'messages').map(({ title }) => title);

export async function send(
  product: Product,
  topic: string,
  body: string | Uint8Array<ArrayBuffer>,
  contentType = 'application/json',
  query = '',
): Promise<void> {
  const answer = await product.sidecar(`/v1.0/publish/pubsub/${encodeURIComponent(topic)}${query}`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
  expect(answer.status, await answer.text()).toBe(204);
}

/** Nothing ran, nothing went elsewhere, and nothing sticks out of the window. */
export async function unharmed(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return {
      harmed: Reflect.get(window, 'harmed') === undefined ? 'no' : 'yes',
      images: document.querySelectorAll('#root img:not(.cm-widgetBuffer), #root script, #root iframe').length,
      links: [...document.querySelectorAll('a')].filter(({ protocol }) => protocol === 'javascript:').length,
      wide: scrollWidth > clientWidth,
      high: scrollHeight > clientHeight,
    };
  });
  expect(seen).toEqual({ harmed: 'no', images: 0, links: 0, wide: false, high: false });
}

export const data = (page: Page): Locator => detail(page).getByLabel('Message data', { exact: true });

/** Opens the newest message and shows its bytes as text. */
export async function showText(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await messages(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await chooseTab(detail(page), 'Data');
  await detail(page)
    .getByRole('radio', { name: 'Text' })
    .or(detail(page).getByRole('button', { name: 'Text' }))
    .first()
    .click();
}
