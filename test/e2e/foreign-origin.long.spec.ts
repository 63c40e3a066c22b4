// The key of the page over a restart of the product.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { tryNow } from './console-page.ts';
import { expect, startProduct, test } from './fixture.ts';

test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

const inside = (page: Page) => page.getByRole('contentinfo', { name: 'Runtime status' });

test('the key of the page survives a restart, in two tabs', async ({ page, context }) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-key-'));
  const first = await startProduct({ flags: ['--data-dir', folder] });
  const origin = first.ready.console;
  await page.goto((await first.rpc('system.link', {})).url);
  await expect(inside(page)).toContainText('kept');
  const second = await context.newPage();
  await second.goto(origin);
  await expect(inside(second)).toContainText('kept');

  expect(await first.stop()).toBe(0);
  const flags = ['--data-dir', folder, '--console-port', new URL(origin).port];
  const again = await startProduct({ flags });
  try {
    await second.goto(origin);
    await expect(inside(second)).toContainText('kept');
    await tryNow(page);
    await expect(inside(page)).toContainText('kept');
  } finally {
    expect(await again.stop()).toBe(0);
    await fs.rm(folder, { recursive: true, force: true });
  }
});
