// The toolbar of the list, and the position in the list that a person comes back to.
import type { Locator, Page } from '@playwright/test';
import { detail, go, messages, rows } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const MANY = 120;

async function publishMany(page: Page, product: Product): Promise<void> {
  const entries = Array.from({ length: MANY }, (_, index) => ({
    entryId: String(index),
    contentType: 'application/json',
    event: { orderId: index },
  }));
  await product.sidecar('/v1.0-alpha1/publish/bulk/pubsub/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entries),
  });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
}

test('before the first message the list has no tools', async ({ page, product }) => {
  await expect(page.getByText('Nothing has been published yet')).toBeVisible();
  await expect(
    page.getByText('For an app on a stock SDK, start Sidelight with --profile dapr.'),
  ).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Follow newest' })).toHaveCount(0);
  await product.publish('orders', { orderId: 1 });
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toBeVisible();
});

/** Presses at one share of a picture's width and lets go at another. */
async function drag(page: Page, picture: Locator, from: number, to: number): Promise<void> {
  const box = await picture.boundingBox();
  if (box === null) throw new Error('the picture is not drawn');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, y, { steps: 5 });
  await page.mouse.up();
}

test('a time range is dragged in the traffic chart, then chosen by keys; filter and tools share one bar', async ({
  page,
  product,
  accessible,
}) => {
  await publishMany(page, product);
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  const bars = page.getByRole('slider', { name: /^Traffic of the last 5 minutes: 120 messages/ });
  await expect(bars).toBeVisible();
  const beside = await page.getByRole('button', { name: 'Follow newest' }).boundingBox();
  const bar = await field.boundingBox();
  expect(Math.abs((beside?.y ?? 0) - (bar?.y ?? Infinity))).toBeLessThan(12);

  await field.fill('topic:orders');
  await field.press('Enter');
  // No message is that old, so no bar is chosen.
  await drag(page, bars, 0.05, 0.2);
  await expect(field).toHaveValue('topic:orders');
  const wide = (await bars.boundingBox())?.width;
  // The mouse button is released beyond the edge, as a hand does.
  await drag(page, bars, 0.3, 1.02);
  await expect(field).toHaveValue(/^topic:orders time:[\dT:.-]+Z\.\.[\dT:.-]+Z$/);
  // A mouse leaves no ring around the picture, and choosing a range moves no bar.
  await expect(bars).toHaveCSS('outline-style', 'none');
  await expect.poll(async () => (await bars.boundingBox())?.width).toBe(wide);
  // The chosen bar stays marked, at the right end of the histogram.
  const chosen = bars.locator('[data-chosen]');
  await expect(chosen).toBeVisible();
  const [picture, mark] = [await bars.boundingBox(), await chosen.boundingBox()];
  const end = (box: typeof mark): number => (box?.x ?? 0) + (box?.width ?? 0);
  expect(Math.abs(end(mark) - end(picture))).toBeLessThan(40);
  const { total } = await product.rpc('messages.list', { filter: await field.inputValue() });
  expect(total).toBeGreaterThan(0);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(total));
  // A time range before all messages replaces the range that is set.
  await field.fill('topic:orders time:2020-01-01T00:00:00Z..2020-01-02T00:00:00Z');
  await field.press('Enter');
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await expect(chosen).toHaveCount(0);
  await page.getByRole('button', { name: 'Any time' }).click();
  await expect(field).toHaveValue('topic:orders');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));

  await test.step('given up by Escape while the mouse still drags', async () => {
    const box = await bars.boundingBox();
    if (box === null) throw new Error('the picture is not drawn');
    await page.mouse.move(box.x + box.width * 0.5, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width, box.y + 10, { steps: 3 });
    await expect(bars).not.toHaveAttribute('aria-valuetext', 'No range chosen');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(bars).toHaveAttribute('aria-valuetext', 'No range chosen');
    await expect(field).toHaveValue('topic:orders');
  });

  await test.step('chosen by keys, said in words, and cleared', async () => {
    await field.fill('');
    await field.press('Enter');
    await expect(bars).toHaveAttribute('aria-valuetext', 'No range chosen');
    await bars.focus();
    // Enter without a chosen bar begins with the newest bar, and filters nothing yet.
    await page.keyboard.press('Enter');
    await expect(bars).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/);
    await expect(field).toHaveValue('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await expect(bars).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d to \d\d:\d\d:\d\d$/);
    await expect(bars.locator('[data-chosen]')).toBeVisible();
    await expect(field).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(bars).toHaveAttribute('aria-valuetext', 'No range chosen');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Enter');
    await expect(field).toHaveValue(/^time:[\dT:.-]+Z\.\.[\dT:.-]+Z$/);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
    await expect(bars).toBeFocused();
    await accessible();
    await page.keyboard.press('Escape');
    await expect(field).toHaveValue('');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByRole('region', { name: 'Traffic chart above the list' })).toContainText(
      'Extend the range',
    );
  });
});

/** Longest time for which the screen waits for its parts (use-settling.ts), in ms. */
const SETTLES_MS = 2000;

/** How far the parts of a page moved by themselves, since it was loaded: the sum that browsers call layout shift. */
async function movedOf(page: Page): Promise<number> {
  return await page.evaluate(
    async () =>
      await new Promise<number>((resolve) => {
        const options = { type: 'layout-shift', buffered: true };
        const add = (sum: number, entry: object): number =>
          sum + ('value' in entry && typeof entry.value === 'number' ? entry.value : 0);
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().reduce(add, 0)));
        observer.observe(options);
        // A PerformanceObserver without entries calls nobody.
        setTimeout(() => resolve(0), 200);
      }),
  );
}

test('the first view of the list does not move once it is drawn', async ({ page, product }) => {
  await publishMany(page, product);
  const traffic = page.getByRole('slider', { name: /^Traffic of the last 5 minutes/ });
  // The messages of a moment are in the chart once that is over, and before that it has too few to be drawn.
  await expect(traffic).toBeVisible();
  // A screen whose parts take longer draws what it has; then nothing can be said.
  const shown = async (): Promise<{ tookMs: number; moved: number }> => {
    const startMs = performance.now();
    await page.reload();
    await expect(traffic).toBeVisible();
    await expect(rows(page, /Processed/).first()).toBeVisible();
    return { tookMs: performance.now() - startMs, moved: await movedOf(page) };
  };
  let first = await shown();
  while (first.tookMs > SETTLES_MS && first.moved >= 0.01) first = await shown();
  expect(first.moved).toBeLessThan(0.01);
});

test('a filter that is cleared leaves the first row where it is, if no row is chosen', async ({
  page,
  product,
}) => {
  await publishMany(page, product);
  // The chart takes a line above the list, once the host has counted.
  await expect(page.getByRole('slider', { name: /^Traffic of the last 5 minutes/ })).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  const third = Array.from({ length: MANY / 3 }, (_, index) => index * 3);
  await field.fill(`data.orderId:${third.join(',')}`);
  await field.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(third.length));
  await messages(page).hover();
  await page.mouse.wheel(0, -200);
  const head = await messages(page)
    .getByRole('row')
    .filter({ has: page.getByRole('columnheader') })
    .boundingBox();
  const edge = (head?.y ?? 0) + (head?.height ?? 0);
  /** The first whole row, and how far below the head it begins. */
  const firstWhole = async (): Promise<readonly [id: string, below: number]> => {
    const tops = await messages(page)
      .locator('[data-message]')
      .evaluateAll((rows) => rows.map((row) => [row.id, row.getBoundingClientRect().y] as const));
    const [first] = tops.filter(([, y]) => y >= edge - 1).toSorted(([, a], [, b]) => a - b);
    if (first === undefined) throw new Error('no row is drawn');
    return [first[0], Math.round(first[1] - edge)];
  };
  // The wheel turns the list within some frames.
  let before = await firstWhole();
  await expect(async () => {
    const last = before;
    before = await firstWhole();
    expect(before).toEqual(last);
  }).toPass();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
  await expect.poll(firstWhole).toEqual(before);
});

test('the list keeps its position after another screen, and with the panel on the other side', async ({
  page,
  product,
}) => {
  await publishMany(page, product);
  await messages(page).press('Home');
  for (let at = 0; at < 5; at += 1) await messages(page).press('PageDown');
  // A row that is still being loaded has no id yet.
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', /./);
  const current = await messages(page).getAttribute('aria-activedescendant');
  const row = page.locator(`[id="${current}"]`);
  await expect(row).toBeInViewport();
  // Clearing a filter keeps the scroll position.
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await field.fill(`data.orderId>=${MANY / 2}`);
  await field.press('Enter');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY / 2));
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', String(MANY));
  await expect(row).toBeInViewport();

  await go(page, 'Topics');
  await go(page, 'Messages');
  await expect(messages(page)).toHaveAttribute('aria-activedescendant', current ?? '');
  await expect(row).toBeInViewport();
  await messages(page).press('Enter');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+\\');
  await expect(page.getByRole('separator')).toHaveAttribute('aria-orientation', 'horizontal');
  await expect(row).toBeInViewport();
});
