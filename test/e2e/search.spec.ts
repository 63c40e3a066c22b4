// A search through a long list, and clearing it: the scroll position stays.
import type { Locator, Page } from '@playwright/test';
import { messages } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';

/** Most of the list is not read yet; with the full count it is longer than what a page keeps, too. */
const BATCHES = isLong ? 12 : 4;
const BATCH = 1000;
const ALL = (BATCHES * BATCH).toLocaleString('en');
/** One message of three, in each batch. */
const FOUND = (BATCHES * 333).toLocaleString('en');

/** Messages that nobody subscribes to. */
async function publishMany(product: Product): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const entries = Array.from({ length: BATCH }, (_, index) => ({
      entryId: String(index),
      event: { n: batch * BATCH + index, part: index % 3 },
      contentType: 'application/json',
    }));
    await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'unheard', entries });
  }
}

/** A burst makes a list that follows show repeats as one line by itself; here each message has its own. */
async function showEach(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('sidelight.ui', JSON.stringify({ collapseRepeats: false })));
  await page.reload();
}

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Filter messages' });

async function filterBy(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

interface Seen {
  readonly id: string;
  /** Below the upper edge of the list, in px. */
  readonly top: number;
}

/** The message that stands so far down in what is shown: 0 at the first line, 1 at the end. */
function rowAt(page: Page, share: number): Promise<Seen> {
  return messages(page).evaluate((grid, wanted) => {
    const box = grid.getBoundingClientRect();
    const from = box.top + 30;
    const at = document.elementFromPoint(box.left + 200, from + (box.bottom - from) * wanted);
    const row = at?.closest('[data-message]');
    const top = (row?.getBoundingClientRect().top ?? Number.NaN) - box.top;
    return { id: row?.getAttribute('data-message') ?? '', top: Math.round(top) };
  }, share);
}

/** The first message of which the whole line is shown. */
function firstWhole(page: Page): Promise<Seen> {
  return messages(page).evaluate((grid) => {
    const head = grid.querySelector('[role="row"]:has([role="columnheader"])')?.getBoundingClientRect();
    const tops = [...grid.querySelectorAll('[data-message]')].map((row) => ({
      id: row.getAttribute('data-message') ?? '',
      top: row.getBoundingClientRect().top,
    }));
    const [first] = tops
      .filter(({ top }) => top >= (head?.bottom ?? 0) - 1)
      .toSorted((a, b) => a.top - b.top);
    return {
      id: first?.id ?? '',
      top: Math.round((first?.top ?? Number.NaN) - grid.getBoundingClientRect().top),
    };
  });
}

/** Waits until the message stands where it was seen. */
async function standsAt(page: Page, { id, top }: Seen): Promise<void> {
  const now = (): Promise<number> =>
    messages(page).evaluate((grid, wanted) => {
      const row = grid.querySelector(`[data-message="${wanted}"]`);
      return Math.round((row?.getBoundingClientRect().top ?? -1) - grid.getBoundingClientRect().top);
    }, id);
  await expect.poll(now).toBe(top);
}

test('clearing a search in a long list keeps the scroll position', async ({ page, product }) => {
  await showEach(page);
  await publishMany(product);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(BATCHES * BATCH));
  await expect(page.getByText(`${ALL} messages`, { exact: true })).toBeVisible();
  await filterBy(page, 'data.part:1');
  await expect(page.getByText(`${FOUND} of ${ALL} messages`, { exact: true })).toBeVisible();

  // The list is read by scrolling alone, so the keyboard focus is on no row.
  await messages(page).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight / 3 }));
  await expect.poll(async () => (await firstWhole(page)).id).not.toBe('');
  const eye = await firstWhole(page);
  await filterBy(page, '');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(BATCHES * BATCH));
  await standsAt(page, eye);

  // A row that was clicked keeps its line, also when new rows come between the others.
  await filterBy(page, 'data.part:1');
  await expect(page.getByText(`${FOUND} of ${ALL} messages`, { exact: true })).toBeVisible();
  await expect.poll(async () => (await rowAt(page, 0.6)).id).not.toBe('');
  const { id } = await rowAt(page, 0.6);
  await messages(page).locator(`[data-message="${id}"]`).click();
  await expect(page.locator('#message-detail')).toBeVisible();
  const clicked = await rowAt(page, 0.6);
  await filterBy(page, '');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(BATCHES * BATCH));
  await standsAt(page, clicked);
});
