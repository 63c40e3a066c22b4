// Scrolling faster than rows come: lines are never empty, and no click takes another message than the one that is drawn.
import type { Locator, Page } from '@playwright/test';
import { interceptCalls } from './call-interceptor.ts';
import { detail, messages } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const COUNT = 2000;
const ROW_PX = 28;

async function publishMany({ rpc }: Product): Promise<void> {
  for (let first = 0; first < COUNT; first += 1000) {
    const entries = Array.from({ length: 1000 }, (_, index) => ({
      entryId: String(index),
      event: { n: first + index },
      contentType: 'application/json',
    }));
    await rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'unheard', entries });
  }
}

/** Reloads the page, whose list then has a line for each message in this order. */
async function openList(page: Page, newestFirst: boolean): Promise<void> {
  await page.evaluate((ui) => localStorage.setItem('sidelight.ui', JSON.stringify(ui)), {
    collapseRepeats: false,
    newestFirst,
  });
  await page.reload();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(COUNT));
}

/** Messages on the lines in sight, from the top; '' for an empty line. */
function inSight(page: Page): Promise<readonly string[]> {
  return messages(page).evaluate((grid) => {
    const box = grid.getBoundingClientRect();
    return [...grid.querySelectorAll('[data-index]')]
      .map((row) => ({ row, edges: row.getBoundingClientRect() }))
      .filter(({ edges }) => edges.bottom > box.top + 30 && edges.top < box.bottom)
      .toSorted((a, b) => a.edges.top - b.edges.top)
      .map(({ row }) => row.getAttribute('data-message') ?? '');
  });
}

const scrollTo = (page: Page, line: number): Promise<void> =>
  messages(page).evaluate((grid, top) => grid.scrollTo({ top }), line * ROW_PX);

/** The line that a message on the screen has in the list, from 1. */
const lineOf = (row: Locator): Promise<string | null> => row.getAttribute('aria-rowindex');

for (const newestFirst of [false, true]) {
  test(`lines stay filled until the rows of the place come, ${newestFirst ? 'newest' : 'oldest'} first`, async ({
    page,
    product,
  }) => {
    await publishMany(product);
    const calls = await interceptCalls(page);
    await openList(page, newestFirst);
    const row = (id: string): Locator => messages(page).locator(`[data-message="${id}"]`);
    await expect.poll(async () => (await inSight(page)).filter((id) => id === '')).toEqual([]);
    await expect.poll(() => calls.areAnswered('view.rows')).toBe(true);

    calls.stall.add('view.rows');
    await scrollTo(page, 1000);
    await expect.poll(() => calls.wasStalled('view.rows')).toBe(true);
    const drawn = await inSight(page);
    expect(drawn.length).toBeGreaterThan(10);
    expect(drawn).not.toContain('');
    await expect(messages(page)).toHaveAttribute('aria-busy', 'true');

    // A press whose row is elsewhere at the release opens nothing. The unit test of the pressed line has the case
    // in which the pressed element gets another row.
    const pressed = drawn[5] ?? '';
    const box = await row(pressed).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 10];
    await page.mouse.move(x, y);
    await page.mouse.down();
    calls.release('view.rows');
    await expect(messages(page)).not.toHaveAttribute('aria-busy');
    const come = await inSight(page);
    expect(come).not.toContain('');
    expect(come).not.toContain(pressed);
    expect(await lineOf(row(come[0] ?? ''))).toBe('1001');
    await page.mouse.up();
    await expect(detail(page)).toHaveCount(0);
    expect(page.url()).not.toContain('m=');

    // A click opens the message that is drawn, at its own line.
    calls.stall.add('view.rows');
    await scrollTo(page, newestFirst ? 1700 : 300);
    await expect(messages(page)).toHaveAttribute('aria-busy', 'true');
    const clicked = (await inSight(page))[5] ?? '';
    await row(clicked).click();
    await expect.poll(() => page.url()).toContain(`m=${clicked}`);
    await expect(row(clicked)).toBeInViewport();
    calls.release();
    await expect(row(clicked)).toHaveAttribute('aria-current', 'true');
    await expect(row(clicked)).toBeInViewport();
  });
}
