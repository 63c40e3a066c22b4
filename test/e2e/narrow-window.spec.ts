// A narrow window: names of groups are not cut, a filtered list says how much it shows, and a click anywhere on a line opens what is
// below it.
import type { Locator } from '@playwright/test';
import { choose, chooseTab, detail, go, messages, openMessage, rows } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

test.use({ viewport: { width: 700, height: 900 } });

test('groups have whole names, a filter has its count, and a subscription opens by a click on its line', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await product.publish('orders-nobody-takes', { orderId: 2 });
  await expect(rows(page, /No subscription/)).toBeVisible();
  await choose(page, 'Group by', 'State');
  const line = page.getByRole('row', { name: /No subscription/ });
  const name = line.getByText('No subscription', { exact: true }).first();
  await expect(name).toBeVisible();
  const isCut = await name.evaluate((text) => {
    const title = text.closest('[title]') ?? text;
    return title.scrollWidth > title.clientWidth;
  });
  expect(isCut).toBe(false);
  await choose(page, 'Group by', 'No groups');

  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('topic:orders');
  await filter.press('Enter');
  await expect(page.getByRole('search').getByText('1 of 2 messages')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Filter on' })).toBeChecked();
  await accessible();
  // While a filter is typed the tools leave their room to it.
  const tool = page.getByRole('button', { name: 'Follow newest' });
  await expect(tool).toBeHidden();
  await filter.fill('not:processed topic:orders since:5m data.total => 100');
  const use = page.getByRole('button', {
    name: 'Use -state:processed topic:orders age:<5m data.total>=100',
  });
  await expect(use).toBeInViewport({ ratio: 1 });
  const [field, below] = [await filter.boundingBox(), await use.locator('xpath=..').boundingBox()];
  expect(field?.width).toBeGreaterThan(300);
  expect(below?.width).toBeGreaterThan(300);
  const inside = await use.boundingBox();
  expect((inside?.x ?? 0) + (inside?.width ?? Infinity)).toBeLessThan((below?.x ?? 0) + (below?.width ?? 0));
  await use.click();
  await expect(filter).toHaveValue('-state:processed topic:orders age:<5m data.total>=100');
  // The keyboard leads from the field over its buttons to the tools, of which none goes when it has the focus.
  await page.getByRole('switch', { name: 'Filter on' }).focus();
  await expect(tool).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(tool).toBeFocused();
  const groups = page.getByRole('combobox', { name: 'Group by' });
  await groups.focus();
  await expect(groups).toBeFocused();
  await expect(groups).toBeVisible();
  // In a still narrower window the filter with its switch and its count is above the tools, and nothing is cut.
  const own = page.getByRole('search');
  for (const width of [560, 400]) {
    await page.setViewportSize({ width, height: 900 });
    for (const part of [own.getByRole('switch', { name: 'Filter on' }), own.getByText(/of 2 messages/)]) {
      await expect(part).toBeInViewport({ ratio: 1 });
      const [above, tools] = [await part.boundingBox(), await tool.boundingBox()];
      expect((above?.y ?? Infinity) + (above?.height ?? 0)).toBeLessThanOrEqual(tools?.y ?? 0);
    }
  }
  await page.setViewportSize({ width: 700, height: 900 });
  await filter.fill('');
  await filter.press('Enter');

  await go(page, 'Topics');
  await chooseTab(page, 'Subscriptions');
  const subscription = page
    .getByRole('treegrid', { name: 'Subscriptions' })
    .getByRole('row', { name: /orders/ });
  await subscription.getByText('programmatic').click();
  await expect(subscription.first()).toHaveAttribute('aria-expanded', 'true');
  await subscription.first().getByText('programmatic').click();
  await expect(subscription.first()).toHaveAttribute('aria-expanded', 'false');

  // An event id has room on one line, because the message has the whole width.
  await go(page, 'Messages');
  await openMessage(page, /orders, .*Processed/, 'Envelope');
  const attributes = detail(page).getByRole('table', { name: 'Envelope attributes' });
  const lineOf = async (name: string): Promise<number> =>
    (await attributes.getByRole('row', { name: new RegExp(`^${name} `) }).boundingBox())?.height ??
    Number.NaN;
  await expect(attributes).toBeVisible();
  expect(await lineOf('id')).toBe(await lineOf('source'));
});

test('views, filter and tools take two rows, and the filter shows its whole example', async ({
  page,
  product,
}) => {
  await product.rpc('samples.add', {});
  await expect(page.getByRole('tab', { name: /^Needs attention \d/ })).toBeVisible();
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  const topOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.y ?? Number.NaN;
  const views = await topOf(page.getByRole('tablist', { name: 'Views' }));
  expect(
    Math.abs((await topOf(page.getByRole('button', { name: /^Waiting for you/ }))) - views),
  ).toBeLessThan(8);
  for (const name of ['Follow newest', 'Clear…'])
    expect(Math.abs((await topOf(page.getByRole('button', { name }))) - (await topOf(filter)))).toBeLessThan(
      8,
    );
  expect((await topOf(filter)) - views).toBeLessThan(44);
  const overflow = await filter.evaluate((field: HTMLInputElement) => {
    const pen = document.createElement('canvas').getContext('2d');
    if (pen === null) return Infinity;
    pen.font = getComputedStyle(field).font;
    return pen.measureText(field.placeholder).width - field.clientWidth;
  });
  expect(overflow).toBeLessThan(0);
  await expect(page.getByRole('tab', { name: /^No subscription \d/ })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: /more views?$/ })).toHaveCount(0);
});

test('views without room are in a menu with their numbers, and the chosen one is always a tab', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('samples.add', {});
  await page.setViewportSize({ width: 480, height: 800 });
  const last = page.getByRole('tab', { name: /^No subscription \d/ });
  const more = page.getByRole('button', { name: /^\d more views$/ });
  await expect(more).toBeInViewport({ ratio: 1 });
  await expect(last).toHaveCount(0);
  // The tabs are measured again with each new number, and one may go into the menu meanwhile.
  await expect(async () => {
    for (const tab of await page.getByRole('tablist', { name: 'Views' }).getByRole('tab').all())
      await expect(tab).toBeInViewport({ ratio: 1, timeout: 500 });
  }).toPass();
  await accessible();
  await more.focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Dropped \d/ })).toBeVisible();
  await accessible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(last).toHaveAttribute('aria-selected', 'true');
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(rows(page, /No subscription/).first()).toBeVisible();
  await expect(more).toBeFocused();
  await expect(more).toBeInViewport({ ratio: 1 });
  // With room for all of them the menu goes.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(more).toHaveCount(0);
  await expect(page.getByRole('tab', { name: /^Dropped \d/ })).toBeVisible();
});

test('a long payload of a call that waits makes no screen wider than the window', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 1, note: 'a text that goes on '.repeat(20) });
  await go(page, 'Mock app');
  const waiting = page.getByRole('list', { name: 'Waiting for your answer' });
  for (const name of ['SUCCESS', 'Other…', 'Open'])
    await expect(waiting.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('switch', { name: 'Mock app on' })).toBeInViewport({ ratio: 1 });
});

test('a filter can be read beside a large number of matches', async ({ page, product }) => {
  const entries = Array.from({ length: 1100 }, (_, n) => ({
    entryId: `${n}`,
    event: { n },
    contentType: 'application/json',
  }));
  await product.rpc('messages.publishBulk', { pubsubname: 'pubsub', topic: 'orders', entries });
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('data.n<1000');
  await filter.press('Enter');
  await expect(page.getByRole('search').getByText('1,000 of 1,100 messages')).toBeVisible();
  await page.getByRole('switch', { name: 'Filter on' }).focus();
  // "data.n<1000" has eleven letters of eight pixels.
  expect((await filter.boundingBox())?.width).toBeGreaterThan(80);
  await expect(page.getByRole('button', { name: 'Clear…' })).toBeInViewport({ ratio: 1 });
});

test('a click on a button beside a filter that is typed is not lost when the tools come back', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  const tool = page.getByRole('button', { name: 'Follow newest' });
  await filter.fill('topic:orders');
  await filter.press('Enter');
  const filterOn = page.getByRole('switch', { name: 'Filter on' });
  await expect(filterOn).toBeChecked();
  await filter.focus();
  await expect(tool).toBeHidden();
  await filterOn.click();
  await expect(filterOn).not.toBeChecked();
  await expect(tool).toBeVisible();
  await filter.focus();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(filter).toHaveValue('');
  await filter.focus();
  await page.getByRole('button', { name: 'Filter help' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  // Here the tools come back on a line of their own, and the list moves down.
  await page.setViewportSize({ width: 480, height: 900 });
  await filter.focus();
  await expect(tool).toBeHidden();
  await rows(page, /Processed/).click({ position: { x: 60, y: 4 } });
  await expect(detail(page)).toBeVisible();
});

test.describe('a window at 200 %', () => {
  test.use({ viewport: { width: 640, height: 400 } });

  test('the button that publishes, and the answer, stay in sight over a form that is longer than the window', async ({
    page,
  }) => {
    await go(page, 'Publish');
    const form = page.getByRole('form', { name: 'Publish a message' });
    const publish = form.getByRole('button', { name: 'Publish' });
    await expect(form.getByRole('textbox', { name: 'Message data' })).not.toBeInViewport();
    await expect(publish).toBeInViewport({ ratio: 1 });
    await form.getByRole('combobox', { name: 'Topic' }).fill('orders');
    await publish.click();
    await expect(form.getByText('Message delivered.')).toBeInViewport({ ratio: 1 });
    await expect(publish).toBeInViewport({ ratio: 1 });
  });
});

test('two selected messages are compared, and saved as a test from the menu of the selection', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await product.publish('orders', { orderId: 2 });
  await expect(rows(page, /Processed/)).toHaveCount(2);
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await messages(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowDown');
  await bar.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('dialog', { name: 'Compare messages' })).toBeVisible();
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Save as test…' }).click();
  await expect(page.getByText('In the test: 2 of 2 messages.')).toBeVisible();
});

test('a notification covers no link of the navigation, at the widths where the frame changes', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const card = page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]');
  for (const width of [1101, 1100]) {
    await page.setViewportSize({ width, height: 640 });
    await rows(page, /orders/).click();
    await page.keyboard.press('i');
    const told = await card.boundingBox();
    const last = await links.last().boundingBox();
    if (told === null || last === null) throw new Error('nothing is told');
    // Beside the links, or below them.
    const isBeside = told.x >= last.x + last.width;
    expect(isBeside || told.y >= last.y + last.height, `${width} px`).toBe(true);
    await card.getByRole('button', { name: 'Dismiss' }).click();
  }
});

test('a long notification covers no link of the navigation either, also under two banners', async ({
  page,
  product,
}) => {
  const name =
    'orders that are paid late and are sent back by the warehouse in the north, or by one of the shops';
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'first' });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name });
  await product.sidecar('/v1.0/publish/nowhere/orders', { method: 'POST', body: '{}' });
  await product.sidecar('/v1.0/publish/elsewhere/orders', { method: 'POST', body: '{}' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await go(page, 'Holds');
  const queue = page.getByRole('grid', { name: 'Held messages' });
  const card = page.getByRole('region', { name: 'Notifications' }).locator('[data-kind]');
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  for (const height of isLong ? [640, 719, 720, 800] : [640, 720]) {
    await page.setViewportSize({ width: 1280, height });
    await product.publish('orders', { height });
    const row = queue.getByRole('row').filter({ hasText: 'before any app gets it' });
    await row.click({ position: { x: 4, y: 4 } });
    await row.getByRole('button', { name: 'Release', exact: true }).click();
    await expect(card).toContainText(name);
    const [told, link] = [await card.boundingBox(), await last.boundingBox()];
    if (told === null || link === null) throw new Error('nothing is told');
    const isBeside = told.x >= link.x + link.width;
    expect(isBeside || told.y >= link.y + link.height, `${height} px`).toBe(true);
    await card.getByRole('button', { name: 'Dismiss' }).click();
  }
});

test('the footer keeps to one line, and leaves out what matters least', async ({ page, product }) => {
  await product.rpc('samples.add', {});
  await product.when('some deliveries are parked', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return counts.parked > 0 && counts.held > 0 ? counts : undefined;
  });
  const line = page.getByRole('contentinfo', { name: 'Runtime status' });
  const heightOf = (): Promise<number> => line.evaluate((each) => each.getBoundingClientRect().height);
  for (const width of [1920, 1280, 900, 700, 640, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(heightOf, `height at ${width} px`).toBeLessThan(32);
    await expect
      .poll(() => line.evaluate((each) => each.scrollWidth - each.clientWidth), `cut at ${width} px`)
      .toBe(0);
    await expect(line.getByText(/msg\/s in/)).toBeInViewport({ ratio: 1 });
    await expect(line.getByRole('link', { name: /^queued/ })).toBeInViewport({ ratio: 1 });
    const profile = line.getByText(/^profile /);
    await (width >= 1280 ? expect(profile).toBeVisible() : expect(profile).toBeHidden());
  }
  await expect(line.getByText(/^kept /)).toBeHidden();
  // What came back has its room, and is reached by the keyboard again.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(line.getByText(/^kept /)).toBeVisible();
  const started = page.getByRole('button', { name: /^Started / });
  await started.focus();
  await expect(started).toBeFocused();
  // A part that is wider than the line is left out alone.
  const profile = line.getByText(/^profile /);
  await profile.evaluate((each) => (each.style.letterSpacing = '80px'));
  await page.setViewportSize({ width: 1270, height: 800 });
  await expect(profile).toBeHidden();
  await expect(started).toBeInViewport({ ratio: 1 });
  await expect(line.getByText(/^kept /)).toBeInViewport({ ratio: 1 });
});
