// Facts that a person sees at a glance, in full: also which hold has a message.
import type { Page } from '@playwright/test';
import { detail, go, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import type { Product } from './product.ts';

const SHOP = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: shop
spec:
  type: pubsub.in-memory
  version: v1
`;
/** Stands before the other one in the folder, and nothing listens at its address. */
const AWAY = SHOP.replace('name: shop', 'name: away')
  .replace('pubsub.in-memory', 'pubsub.redis')
  .concat(`  metadata:\n    - { name: redisHost, value: "127.0.0.1:9" }\n`);

test.describe('a folder whose first component does not work', () => {
  test.use({ files: { 'a-away.yaml': AWAY, 'shop.yaml': SHOP } });

  test('the working one is offered, and the other does not say "No problems"', async ({ page }) => {
    await expect(page.getByLabel('Command that publishes a message')).toContainText('/publish/shop/');
    await go(page, 'Publish');
    const form = page.getByRole('form', { name: 'Publish a message' });
    await expect(form.getByRole('combobox', { name: 'Component' })).toContainText('shop');
    await go(page, 'Components');
    await page.getByRole('listbox', { name: 'Components' }).getByRole('option', { name: /^away/ }).click();
    const about = page.getByRole('region', { name: 'Component away' });
    await expect(about).toContainText('Cannot reach Redis');
    await expect(about.getByText('Its file is fine; the component itself does not work.')).toBeVisible();
    await expect(about.getByText('No problems.')).toHaveCount(0);
  });
});

test('an answer without a name, the open row among ticked ones and messages without a subscription can be recognised', async ({
  page,
  product,
}) => {
  await test.step('an answer without a name is called that', async () => {
    await product.rpc('mockApp.setRules', {
      rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 200 } }],
    });
    await product.publish('orders', { n: 1 });
    await openMessage(page, /Processed/, 'Attempts');
    await expect(detail(page).getByText('Answered by an unnamed answer')).toBeVisible();
    await expect(detail(page)).not.toContainText('rul_');
  });

  await test.step('among ticked rows the open one is seen', async () => {
    for (let n = 2; n <= 4; n += 1) await product.publish('orders', { n });
    await expect(rows(page, /Processed/)).toHaveCount(4);
    await rows(page, /Processed/)
      .nth(1)
      .click();
    await page.keyboard.press('x');
    for (const nth of [2, 3])
      await rows(page, /Processed/)
        .nth(nth)
        .locator('[data-select]')
        .click();
    const open = messages(page).locator('[aria-current="true"]');
    await expect(open).toHaveAttribute('aria-rowindex', '2');
    await page.mouse.move(0, 0);
    const look = (nth: number): Promise<string> =>
      rows(page, /Processed/)
        .nth(nth)
        .evaluate((row) => getComputedStyle(row).backgroundColor);
    await expect.poll(async () => (await look(1)) === (await look(2))).toBe(false);
    await expect(messages(page).locator('[aria-selected="true"]')).toHaveCount(3);
  });

  await test.step('messages without a subscription are counted on their tab', async () => {
    await product.publish('nobody-listens', { n: 1 });
    await product.publish('nobody-listens', { n: 2 });
    await expect(page.getByRole('tab', { name: 'No subscription 2' })).toBeVisible();
  });
});

test('the button to the newest rows covers none, and the arrow keys continue from there', async ({
  page,
  product,
}) => {
  for (let n = 1; n <= 60; n += 1) await product.publish('orders', { n });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '60');
  await messages(page).focus();
  await page.keyboard.press('Home');
  await product.publish('orders', { n: 61 });
  const newest = page.getByRole('button', { name: '1 new message' });
  await expect(newest).toBeVisible();
  const above = await newest.boundingBox();
  const list = await messages(page).boundingBox();
  expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(above?.y ?? 0);
  await newest.click();
  await expect(messages(page)).toBeFocused();
  await expect(newest).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(messages(page).locator('[aria-selected="true"]')).toHaveAttribute('aria-rowindex', '61');
  await expect(rows(page, /Processed/).last()).toBeInViewport({ ratio: 1 });

  // A list that was scrolled to its end has no newer rows to jump to.
  await page.keyboard.press('ArrowUp');
  await product.publish('orders', { n: 62 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '62');
  await messages(page).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
  await expect(messages(page).locator('[aria-rowindex="62"]')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: /new message/ })).toHaveCount(0);
  // Nor does it count again what was in sight there.
  await messages(page).evaluate((grid) => grid.scrollTo({ top: 0 }));
  await product.publish('orders', { n: 63 });
  await expect(newest).toBeVisible();
});

const newMessages = (page: Page, n: number) =>
  page.getByRole('button', { name: new RegExp(`^${n} new messages?$`) });

for (const isTurned of [true, false]) {
  const order = isTurned ? 'newest first' : 'oldest first';
  const publish = async (product: Product, ns: readonly number[]): Promise<void> => {
    for (const n of ns) await product.publish('orders', { n });
  };
  const openRow = async (page: Page): Promise<void> => {
    if (!isTurned) await messages(page).press('Home');
    await messages(page)
      .getByRole('row', { name: /orders/ })
      .nth(2)
      .click();
    await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  };
  const toTurned = async (page: Page): Promise<void> => {
    if (isTurned)
      await messages(page).getByRole('columnheader', { name: 'Time' }).getByRole('button').click();
  };

  test(`beside an open message, ${order}, each new message is in sight or counted`, async ({
    page,
    product,
  }) => {
    const numbers = Array.from({ length: 60 }, (_, n) => n);
    await publish(product, numbers);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '60');
    await toTurned(page);
    await openRow(page);
    await test.step('one, then a burst', async () => {
      await publish(product, [60]);
      await expect(newMessages(page, 1)).toBeVisible();
      await publish(product, [61, 62, 63, 64, 65]);
      await expect(newMessages(page, 6)).toBeVisible();
      await newMessages(page, 6).click();
      await expect(newMessages(page, 6)).toHaveCount(0);
      await expect(messages(page).locator(`[aria-rowindex="${isTurned ? 1 : 66}"]`)).toBeInViewport();
    });
    await test.step('a burst alone', async () => {
      await openRow(page);
      await publish(product, [66, 67, 68, 69, 70]);
      await expect(newMessages(page, 5)).toBeVisible();
      await newMessages(page, 5).click();
    });
    await test.step('under a filter', async () => {
      await page.getByRole('combobox', { name: 'Filter messages' }).fill('topic:orders');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('search')).toContainText('71 of 71 messages');
      await openRow(page);
      await product.publish('other', { n: 1 });
      await publish(product, [71]);
      await expect(newMessages(page, 1)).toBeVisible();
      await newMessages(page, 1).click();
      await expect(newMessages(page, 1)).toHaveCount(0);
    });
  });
}

/** Lets the page's calls of one method fail as if the line had broken. */
async function refuse(page: Page, method: string): Promise<() => void> {
  let isRefused = true;
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (isRefused && String(text).includes(`"${method}"`)) void socket.close();
      else server.send(text);
    });
  });
  await page.reload();
  return () => {
    isRefused = false;
  };
}

test.describe('a line that breaks', () => {
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

  test('a screen that could not be loaded is loaded once the connection is back', async ({
    page,
    product,
  }) => {
    await product.publish('orders', { n: 1 });
    const join = await refuse(page, 'routes.explain');
    await openMessage(page, /Processed/, 'Route');
    await expect(detail(page).getByText('The route could not be explained')).toBeVisible();
    join();
    await expect(detail(page).getByText('The route could not be explained')).toHaveCount(0);
    await expect(detail(page).getByRole('table').first()).toBeVisible();
  });
});

for (const at of ['publish', 'delivery'] as const) {
  test(`two holds at ${at}: the second one is noted, and Enter adds no hold`, async ({ page, product }) => {
    const queue = page.getByRole('grid', { name: 'Held messages' });
    await go(page, 'Holds');
    // The button was used before: the focus must not fall back to it.
    await page.getByRole('button', { name: 'Add hold' }).click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await product.rpc('holds.add', { at, filter: 'topic:orders', name: 'first' });
    await product.rpc('holds.add', { at, filter: 'topic:orders', name: 'second' });
    await product.publish('orders', { n: 1 });
    await expect(queue.getByRole('row')).toContainText('by first');
    await queue.getByRole('row').click({ position: { x: 4, y: 4 } });
    await queue.getByRole('button', { name: 'Edit and release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await expect(toast(page, 'Hold second caught it next: it is held again.')).toBeVisible();
    await expect(queue.getByRole('row')).toContainText('by second');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(queue).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nothing is held.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const { items } = await product.rpc('messages.list', {});
    expect(items[0]?.deliveries.map(({ state }) => state)).toEqual(['processed']);
  });
}
