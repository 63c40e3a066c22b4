// The head of a message: as high in each state and on each tab, its buttons where they were, and all facts behind one button.
import { createServer } from 'node:http';
import type { Locator, Page } from '@playwright/test';
import type { Params } from '../../core/contract/console.ts';
import { chooseTab, detail, rows } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';

test.use({ flags: ['--app', 'second=mock'], looksAlways: true });

/** Height of the head at 1280 x 800, so that what the app answered is in sight. */
const MOST_PX = 140;
/** Small windows; the smallest alone in `npm test`. */
const SMALL: readonly (readonly [width: number, height: number])[] = isLong
  ? [
      [700, 800],
      [640, 400],
    ]
  : [[640, 400]];

const head = (page: Page): Locator => detail(page).locator('header');

/** Messages in states whose heads differ, each in a topic of its name. */
async function publishEach(product: Product): Promise<readonly string[]> {
  const topics = ['done', 'parked', 'dead', 'asks', 'asks-again', 'batch', 'both', 'held'];
  const subscription = (topic: string): Params<'mockApp.setSubscriptions'>['subscriptions'][number] => ({
    pubsubname: 'pubsub',
    topic,
    routes: { default: `/a/long/route/for/${topic}` },
    ...(topic === 'dead' ? { deadLetterTopic: 'dead-letters-of-dead' } : {}),
    ...(topic === 'batch'
      ? { bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 60_000 } }
      : {}),
  });
  await product.rpc('mockApp.setSubscriptions', {
    appId: 'app',
    subscriptions: topics.map(subscription),
  });
  await product.rpc('mockApp.setSubscriptions', { appId: 'second', subscriptions: [subscription('both')] });
  const fails = { kind: 'respond', status: 503, body: '' } as const;
  await product.rpc('mockApp.setRules', {
    appId: 'app',
    rules: ['asks', 'asks-again', 'batch', 'parked', 'dead'].map((topic) => ({
      name: topic,
      enabled: true,
      match: { topic },
      answer: topic === 'parked' || topic === 'dead' ? fails : { kind: 'ask' },
    })),
  });
  const often = { maxAttempts: 6, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: often });
  await product.rpc('holds.add', {
    at: 'delivery',
    filter: 'topic:held',
    name: 'a hold with a name of its own',
  });
  for (const topic of [...topics, 'batch', 'dones']) await product.publish(topic, { topic });
  await product.when('the failing ones have ended', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'state:parked,dead-lettered' });
    return total === 2 ? true : undefined;
  });
  for (const topic of ['done', 'asks-again']) {
    const { items } = await product.rpc('messages.list', { filter: `topic:${topic}`, limit: 1 });
    await product.rpc('messages.replay', { messageId: items[0]?.messageId ?? '', to: 'topic' });
  }
  return [...topics, 'dones', 'dead-letters-of-dead'];
}

test('the head is low, and as high in each state and on each tab', async ({ page, product }) => {
  const topics = await publishEach(product);
  // The banner moves everything down.
  await expect(page.getByText(/^A message was published to dones on pubsub/)).toBeVisible();
  let tabsAt: number | undefined;
  for (const topic of topics) {
    await rows(page, new RegExp(`, ${topic}, `))
      .last()
      .click();
    await expect(head(page).getByRole('heading', { level: 2 })).toContainText(topic);
    await expect(detail(page)).not.toHaveAttribute('aria-busy', 'true');
    const tabs = detail(page).getByRole('tablist');
    const [own, below] = [await head(page).boundingBox(), await tabs.boundingBox()];
    expect(own?.height, topic).toBeLessThanOrEqual(MOST_PX);
    tabsAt ??= below?.y;
    expect(below?.y, topic).toBe(tabsAt);
    // Each button is whole, and inside of the panel; the link of the rule may end behind the second line of the reason.
    for (const button of await head(page).getByRole('button').filter({ hasNotText: 'Rule' }).all())
      await expect(button, topic).toBeInViewport({ ratio: 0.99 });
  }
  const place = await head(page).boundingBox();
  for (const tab of ['Attempts', 'Envelope', 'Timeline', 'Data']) {
    await chooseTab(detail(page), tab);
    expect(await head(page).boundingBox(), tab).toEqual(place);
  }
});

for (const [width, height] of SMALL) {
  test(`a replay that waits for a person has one line of buttons at ${width} x ${height}, and its original in the menu`, async ({
    page,
    product,
    accessible,
  }) => {
    await product.rpc('mockApp.usePreset', { preset: 'ask' });
    await product.publish('orders', { orderId: 1 });
    const { items } = await product.rpc('messages.list', { limit: 1 });
    const { messageId } = await product.rpc('messages.replay', {
      messageId: items[0]?.messageId ?? '',
      to: 'topic',
    });
    await page.setViewportSize({ width, height });
    await page.goto(`${new URL(page.url()).origin}/#/messages?m=${messageId}`);
    const dock = detail(page).getByRole('region', { name: 'The app waits for your answer' });
    await expect(dock.getByRole('button', { name: 'DROP' })).toBeVisible();
    await expect(detail(page)).not.toHaveAttribute('aria-busy', 'true');
    const first = await dock.getByRole('button').first().boundingBox();
    for (const button of await dock.getByRole('button').all())
      expect((await button.boundingBox())?.y).toBe(first?.y);
    expect(await head(page).evaluate((own) => own.scrollWidth - own.clientWidth)).toBe(0);
    await accessible();
    await head(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Compare with original' }).click();
    await expect(page.getByRole('dialog', { name: 'Compare messages' })).toBeVisible();
  });
}

test('the chip is in sight again once the focus has left the link of the rule; in a low window the attempts have their value', async ({
  page,
  product,
}) => {
  await publishEach(product);
  await rows(page, /, dead, /)
    .last()
    .click();
  await expect(head(page)).toContainText('Dead-lettered');
  await head(page).getByRole('button', { name: 'Whole text' }).focus();
  await page.keyboard.press('Tab');
  const link = head(page).getByRole('button', { name: 'Rule policy.dead-letter' });
  await expect(link).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(link).not.toBeFocused();
  await expect(head(page).getByText('Dead-lettered', { exact: true })).toBeInViewport({ ratio: 1 });
  // The links give the attempts room.
  await page.setViewportSize({ width: 640, height: 400 });
  await expect(head(page).getByText('6 (max 6)', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(head(page).getByText('Copy on', { exact: false })).toBeHidden();
});

test('all facts are behind one button, also what has no room in the head', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  await rows(page, /, orders, .*Processed/)
    .first()
    .click();
  const { items } = await product.rpc('messages.list', { limit: 1 });
  await expect(head(page).getByText(items[0]?.traceId ?? '')).toBeHidden();
  await head(page).getByRole('button', { name: 'All facts' }).click();
  const panel = page.getByRole('dialog', { name: 'All facts' });
  for (const text of [items[0]?.traceId ?? '', items[0]?.eventId ?? '', 'The app answered', 'POST /orders'])
    await expect(panel).toContainText(text);
  await accessible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(head(page).getByRole('button', { name: 'All facts' })).toBeFocused();
});

test('a fact that is cut has a button that opens it in its place', async ({ page, product, accessible }) => {
  const route = '/a/route/with/a/path/that/is/much/too/long/for/one/line/beside/the/attempts/of/its/delivery';
  await product.rpc('mockApp.setSubscriptions', {
    appId: 'app',
    subscriptions: [{ pubsubname: 'pubsub', topic: 'far', route }],
  });
  await product.publish('far', { n: 1 });
  await rows(page, /, far, .*Processed/)
    .first()
    .click();
  const text = head(page).getByText(`app → POST ${route}`, { exact: true });
  const isCut = (): Promise<boolean> => text.evaluate((line) => line.scrollWidth > line.clientWidth);
  const open = head(page).getByRole('button', { name: 'App in full' });
  await expect(open).toHaveAttribute('aria-expanded', 'false');
  expect(await isCut()).toBe(true);
  // One whose text has room has none.
  await expect(head(page).getByRole('button', { name: 'Attempts in full' })).toHaveCount(0);
  await accessible();
  await open.press('Enter');
  const close = head(page).getByRole('button', { name: 'App in one line' });
  await expect(close).toBeFocused();
  expect(await isCut()).toBe(false);
  await accessible();
  await close.press('Enter');
  await expect(open).toBeFocused();
});

test.describe('a small window', () => {
  for (const [width, height] of SMALL) {
    test(`the first line of the answer is in sight at ${width} x ${height}`, async ({ page, product }) => {
      const answer = { kind: 'respond', status: 503, body: { error: 'no stock' } } as const;
      await product.rpc('mockApp.setRules', { rules: [{ enabled: true, match: {}, answer }] });
      const often = { maxAttempts: 4, firstDelayMs: 1, factor: 1, maxDelayMs: 1 };
      await product.rpc('settings.set', { key: 'delivery.retry', value: often });
      await product.publish('orders', { orderId: 1 });
      await page.setViewportSize({ width, height });
      await rows(page, /Parked/)
        .first()
        .click();
      await chooseTab(detail(page), 'Attempts');
      const response = detail(page).getByRole('region', { name: 'Response' }).first();
      await expect(response.locator('.cm-line').first()).toBeInViewport({ ratio: 1 });
    });
  }
});

test('the half of the reason that helps is in sight at 1280 px', async ({ page, product }) => {
  // A mock app misses no route: only an app of its own does.
  const subscriptions = ['gone', 'plain'].map((topic) => ({
    pubsubname: 'pubsub',
    topic,
    route: `/${topic}`,
  }));
  const app = createServer((request, response) => {
    request.resume();
    const isGone = request.url === '/gone';
    const answer = request.method === 'GET' ? JSON.stringify(subscriptions) : '{}';
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve));
  try {
    const address = app.address();
    if (address === null || typeof address === 'string') throw new Error('there is no port');
    await product.rpc('settings.set', {
      key: 'app.address',
      value: { app: `http://127.0.0.1:${address.port}` },
    });
    await product.publish('gone', { n: 1 });
    await helpsAtOnce(page, product);
  } finally {
    await product.rpc('settings.set', { key: 'app.address', value: null });
    app.closeAllConnections();
    app.close();
  }
});

/** Looks at the reasons of a message for a missing route, and of one with a remark. */
async function helpsAtOnce(page: Page, product: Product): Promise<void> {
  await product.rpc('messages.publish', {
    pubsubname: 'pubsub',
    topic: 'plain',
    data: '{"n":1}',
    contentType: 'text/plain',
  });
  for (const [topic, text] of [
    ['gone', 'Serve this route or correct it'],
    ['plain', 'Sent without application/json, so the app gets text.'],
  ] as const) {
    await rows(page, new RegExp(`, ${topic}, `)).click();
    const told = head(page).getByText(text);
    await expect(told).toBeVisible();
    const isWhole = await told.evaluate((element, wanted) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      while (texts.nextNode()) {
        const at = texts.currentNode.textContent?.indexOf(wanted) ?? -1;
        if (at < 0) continue;
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + wanted.length);
      }
      const lines = element.closest('header')?.querySelector('[class*="state"]')?.getBoundingClientRect();
      return lines !== undefined && range.getBoundingClientRect().bottom <= lines.bottom + 1;
    }, text);
    expect(isWhole, topic).toBe(true);
  }
}
