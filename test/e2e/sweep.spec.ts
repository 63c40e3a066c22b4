// Every screen and tab, empty, full and failing: nothing is wrong for assistive technology, and keys alone lead everywhere.
import type { Page } from '@playwright/test';
import { chooseTab, go } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

test.use({ bothSchemes: true });

const SCREENS: readonly {
  readonly title: string;
  readonly keys: string;
  readonly tabs?: readonly string[];
}[] = [
  { title: 'Topics', keys: 't', tabs: ['Subscriptions', 'Graph'] },
  { title: 'Publish', keys: 'p', tabs: ['Bulk', 'Saved'] },
  { title: 'Mock app', keys: 'a', tabs: ['Subscriptions', 'Requests'] },
  { title: 'Holds', keys: 'h' },
  { title: 'Event router', keys: 'e' },
  { title: 'Components', keys: 'c' },
  { title: 'Apps', keys: 'o' },
  { title: 'Health', keys: 's', tabs: ['Metrics'] },
  { title: 'Recordings', keys: 'r' },
  { title: 'Logs', keys: 'l' },
  { title: 'Settings', keys: ',', tabs: ['Apps', 'Delivery', 'Storage', 'Keyboard', 'Appearance', 'About'] },
  { title: 'Messages', keys: 'm' },
];

async function settled(page: Page): Promise<void> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
}

async function sweep(page: Page, accessible: () => Promise<void>): Promise<void> {
  for (const { title, tabs = [] } of SCREENS) {
    await test.step(title, async () => {
      await go(page, title);
      await settled(page);
      await accessible();
    });
    for (const tab of tabs) {
      await test.step(`${title}, ${tab}`, async () => {
        await chooseTab(page, tab);
        await settled(page);
        await accessible();
      });
    }
  }
}

async function withSamples(product: Product): Promise<void> {
  await product.rpc('samples.add', {});
  await product.when('all nine states', async () => {
    const { counts } = await product.rpc('metrics.get', {});
    return Object.values(counts).includes(0) ? undefined : counts;
  });
}

test('every screen with nothing in it', async ({ page, accessible }) => {
  test.setTimeout(240_000);
  await sweep(page, accessible);
});

test('every screen with sample traffic, and what opens over it', async ({ page, product, accessible }) => {
  test.setTimeout(240_000);
  await withSamples(product);
  await sweep(page, accessible);
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

const FAILING = new Set([
  'topics.list',
  'subscriptions.list',
  'components.list',
  'apps.list',
  'holds.list',
  'holds.queue',
  'mockApp.get',
  'metrics.get',
  'logs.list',
  'settings.get',
  'recordings.list',
  'view.open',
  'messages.list',
]);
const FAILED_SCREENS = [
  'Topics',
  'Holds',
  'Components',
  'Health',
  'Recordings',
  'Logs',
  'Settings',
  'Messages',
];

test('every screen whose question the host refuses says so in its place', async ({ page, accessible }) => {
  test.setTimeout(180_000);
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => {
      const asked: { readonly id?: number; readonly method?: string } = JSON.parse(String(message));
      if (!FAILING.has(asked.method ?? '')) {
        host.send(message);
        return;
      }
      const error = {
        code: -32603,
        message: 'The disk is full.',
        data: { code: 'INTERNAL', logId: 'log_1' },
      };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
    });
  });
  await page.reload();
  for (const title of FAILED_SCREENS) {
    await test.step(title, async () => {
      await go(page, title);
      const alert = page.getByRole('main').getByRole('alert').first();
      await expect(alert).toContainText('The disk is full');
      await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible();
      await accessible();
    });
  }
});

/** Runs in the page: whether the focused element shows that it is, by an outline of its own or around it. */
function focusIsSeen(): boolean {
  const element = document.activeElement;
  if (element === null || element === document.body) return true;
  const around = [element, element.closest('.cm-editor'), element.parentElement].flatMap((each) =>
    each === null ? [] : [getComputedStyle(each)],
  );
  const after = element.parentElement === null ? [] : [getComputedStyle(element.parentElement, '::after')];
  return (
    around.some(({ outlineStyle }) => outlineStyle !== 'none') ||
    after.some(({ borderTopStyle }) => borderTopStyle !== 'none')
  );
}

/** Runs in the page. */
function focusedName(): string {
  const element = document.activeElement;
  const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  return `${element?.tagName} ${name.slice(0, 60)}`;
}

test('by keys alone: every screen, every stop is seen, nothing traps the focus', async ({
  page,
  product,
}) => {
  test.setTimeout(180_000);
  await withSamples(product);
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
        await page.keyboard.press('Tab');
        // The editor marks itself a moment after it got the focus.
        const isSeen = await page.waitForFunction(focusIsSeen, undefined, { timeout: 2000 }).then(
          () => true,
          () => false,
        );
        if (!isSeen) unseen.push(await page.evaluate(focusedName));
        isOut = await page.evaluate(() => document.activeElement?.closest('main') === null);
      }
      expect(unseen, 'stops without a visible focus').toEqual([]);
      expect(isOut, 'the focus left the screen').toBe(true);
    });
  }
});
