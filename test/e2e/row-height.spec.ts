// The height of rows is one choice for all screens, and is kept.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, messages } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, type Product, test } from './fixture.ts';

/** A row of each kind: a held message, a hold, a waiting call, a subscription, an app and a recording. */
async function prepare(product: Product): Promise<void> {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:held', name: 'look first' });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: ['orders', 'held'].map((topic) => ({
      ...{ pubsubname: 'pubsub', topic },
      routes: { default: `/${topic}` },
    })),
  });
  await product.publish('held', { orderId: 1 });
  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  await product.rpc('recordings.import', { name: 'monday.sidelight.jsonl', text });
  await product.publish('held', { orderId: 2 });
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { orderId: 3 });
}

/** Rows of fields, which scroll sideways in a narrow window. */
const WIDE = 'an entry of a bulk publish';

/** Rows of each screen, by what they are. */
const ROWS: Readonly<Record<string, (page: Page) => Promise<Locator>>> = {
  'a message': async (page) => {
    await go(page, 'Messages');
    return messages(page).getByRole('row').nth(1);
  },
  'a topic': async (page) => {
    await go(page, 'Topics');
    await chooseTab(page, 'Topics');
    return page.getByRole('table', { name: 'Topics' }).getByRole('row').nth(1);
  },
  'a subscription': async (page) => {
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    return page.getByRole('treegrid', { name: 'Subscriptions' }).getByRole('row').nth(1);
  },
  'a held message': async (page) => {
    await go(page, 'Holds');
    return page.getByRole('grid', { name: 'Held messages' }).getByRole('row').last();
  },
  'a hold': async (page) => {
    await go(page, 'Holds');
    return page.getByRole('listitem').filter({ hasText: 'look first' }).first();
  },
  'a waiting call': async (page) => {
    await go(page, 'Mock app');
    return page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem').first();
  },
  'a recording': async (page) => {
    await go(page, 'Recordings');
    return page.getByRole('list', { name: 'Open recordings' }).getByRole('listitem').first();
  },
  'a compared message': async (page) => {
    await go(page, 'Recordings');
    await page.getByRole('button', { name: /^(Show differences|Compare again)$/ }).click();
    return page.getByRole('grid', { name: 'Compared messages' }).getByRole('row').first();
  },
  [WIDE]: async (page) => {
    await go(page, 'Publish');
    await chooseTab(page, 'Bulk');
    await page.getByRole('button', { name: 'Add entry' }).click();
    return page.getByRole('grid', { name: 'Bulk entries' }).getByRole('row').nth(1);
  },
  'a component': async (page) => {
    await go(page, 'Components');
    return page.getByRole('listbox', { name: 'Components' }).getByRole('option').first();
  },
  'the facts of an app': async (page) => {
    await go(page, 'Apps');
    return page.getByRole('main').locator('dl').first();
  },
};

const ALL = Object.keys(ROWS);

/** Small windows; the smallest alone in `npm test`. */
const SMALL = [...(isLong ? [{ width: 700, height: 900 }] : []), { width: 640, height: 400 }];

async function heights(page: Page, of = ALL): Promise<Readonly<Record<string, number>>> {
  const all: Record<string, number> = {};
  for (const [what, find] of Object.entries(ROWS)) {
    if (!of.includes(what)) continue;
    const row = await find(page);
    await expect(row).toBeVisible();
    // How many facts an app has is told bit by bit.
    all[what] = await row.evaluate((each) =>
      each.tagName === 'DL'
        ? Number.parseFloat(getComputedStyle(each).rowGap)
        : Math.round(each.getBoundingClientRect().height),
    );
  }
  return all;
}

test('rows of every screen follow the chosen height, also after the page was loaded again', async ({
  page,
  product,
}) => {
  await prepare(product);
  const compact = await heights(page);
  await go(page, 'Settings');
  await chooseTab(page, 'Appearance');
  await page.getByRole('radio', { name: 'Comfortable' }).check();
  // At once on screens that are open already, and on every screen after the page was loaded again.
  const atOnce = await heights(page, isLong ? ALL : ['a message', 'a hold']);
  await page.reload();
  const comfortable = await heights(page);
  expect(comfortable).toMatchObject(atOnce);
  for (const [what, height] of Object.entries(comfortable))
    expect([what, height - (compact[what] ?? 0) >= 7]).toEqual([what, true]);
  // Narrow, and at 200 %, a row still ends inside the window.
  for (const size of SMALL) {
    await page.setViewportSize(size);
    for (const [what, find] of Object.entries(ROWS)) {
      if (what === WIDE) continue;
      const row = await find(page);
      await expect(row).toBeVisible();
      const right = await row.evaluate((each) => each.getBoundingClientRect().right);
      expect([what, right <= size.width]).toEqual([what, true]);
    }
  }
});
