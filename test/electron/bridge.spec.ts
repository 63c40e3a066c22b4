// The built renderer as the desktop window has it: the shell's files under the shell's policy, joined by the real preload and carrier.
import { expect, type Locator, test as base } from '@playwright/test';
import { DETAIL, TABS } from '../../renderer/copy/detail.ts';
import { SCREENS } from '../../renderer/copy/names.ts';
import { type BridgedPage, bridgePage } from './bridged-page.ts';

const test = base.extend<{ shell: BridgedPage }>({
  shell: async ({ page }, provide) => {
    const shell = await bridgePage(page);
    await shell.open();
    await provide(shell);
    expect(await shell.end()).toBe(0);
  },
});

/** Something to read, and none of it still loading. */
const isDrawn = (main: Locator): Promise<boolean> =>
  main.evaluate((element) => {
    const isBusy = element.querySelector('[aria-busy="true"]') !== null;
    return !isBusy && (element.textContent ?? '').trim() !== '';
  });

test('every screen is drawn, without a violation of the policy, which is in force', async ({
  page,
  shell,
}) => {
  await shell.ready;
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveCount(SCREENS.length);
  for (let index = 0; index < SCREENS.length; index += 1) {
    await links.nth(index).click();
    await expect(links.nth(index)).toHaveAttribute('aria-current', 'page');
    await expect
      .poll(() => isDrawn(page.getByRole('main')), { message: SCREENS[index]?.title ?? '' })
      .toBe(true);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  expect(shell.mishaps).toEqual([]);

  // A script that is not ours does not run, and a foreign address is not reached.
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    return 'injected' in window;
  });
  expect(ran).toBe(false);
  await expect
    .poll(() => shell.mishaps)
    .toContainEqual(expect.stringContaining('policy: script-src-elem inline'));

  const reached = await page.evaluate(() =>
    fetch('https://example.org/').then(
      () => true,
      () => false,
    ),
  );
  expect(reached).toBe(false);
  await expect.poll(() => shell.mishaps).toContainEqual(expect.stringContaining('policy: connect-src'));
  expect(shell.mishaps.filter((mishap) => mishap.startsWith('request:'))).toEqual([]);
});

test('a published message appears, opens with all its tabs, and is there after a reload', async ({
  page,
  shell,
}) => {
  const { apps } = await shell.ready;
  const published = await fetch(`${apps[0]?.sidecar}/v1.0/publish/pubsub/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id: 'order-7',
      source: 'shop',
      type: 'order.placed',
      data: {},
    }),
  });
  expect(published.status).toBe(204);
  // The type has no column beside an open message in a small window; the topic has.
  const row = page.getByRole('row').filter({ hasText: 'orders' });
  await expect(row).toContainText('Processed');
  await row.click();
  const tabs = page.getByRole('tablist', { name: DETAIL.tabs }).getByRole('tab');
  await expect(tabs).toHaveCount(Object.keys(TABS).length);
  for (const tab of await tabs.all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  }
  await page.reload();
  await expect(row).toContainText('Processed');
  expect(shell.mishaps).toEqual([]);
});
