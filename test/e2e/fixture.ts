// What every journey stands on: one product per test, its console open in a page, and nothing that may go wrong unseen.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test as base } from '@playwright/test';
import { violations } from './axe.ts';
import { type Product, startProduct } from './product.ts';

export { expect, startProduct };
export type { Product };

interface Options {
  /** Further flags of the product. */
  readonly flags: readonly string[];
  /** Component, subscription and resiliency files by name; with any, the product has a folder of them. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether `accessible` looks at the colours of the other scheme too: where every screen, dialog and state is gone through. */
  readonly bothSchemes: boolean;
  /** Errors of the page that a journey brings about on purpose. */
  readonly expectedErrors: readonly RegExp[];
}

interface PerTest {
  /** The folder of `files`; '' without any. */
  readonly folder: string;
  readonly product: Product;
  /** Opens the console through a one-time link. */
  readonly open: (page: Page) => Promise<void>;
  /** Nothing is wrong for assistive technology on the page as it is now. */
  readonly accessible: () => Promise<void>;
}

interface PerWorker {
  /** Products on their way out: the next test does not wait for them, the worker does. */
  readonly ending: Promise<void>[];
}

export const test = base.extend<Options & PerTest, PerWorker>({
  flags: [[], { option: true }],
  files: [{}, { option: true }],
  bothSchemes: [false, { option: true }],
  expectedErrors: [[], { option: true }],

  ending: [
    // oxlint-disable-next-line no-empty-pattern -- the runner asks for a pattern
    async ({}, provide) => {
      const ending: Promise<void>[] = [];
      await provide(ending);
      await Promise.all(ending);
    },
    { scope: 'worker' },
  ],

  folder: async ({ files, ending }, provide) => {
    const names = Object.keys(files);
    if (names.length === 0) return provide('');
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-'));
    for (const name of names) await fs.writeFile(path.join(folder, name), files[name] ?? '');
    await provide(folder);
    await Promise.all(ending);
    await fs.rm(folder, { recursive: true, force: true });
  },

  product: async ({ flags, folder, ending }, provide) => {
    const resources = folder === '' ? [] : ['--resources', folder];
    const product = await startProduct({ flags: [...resources, ...flags] });
    await provide(product);
    ending.push(endProduct(product));
  },

  contextOptions: async ({ contextOptions }, provide) => {
    await provide({ ...contextOptions, reducedMotion: 'reduce' });
  },

  open: async ({ product }, provide) => {
    await provide(async (page) => {
      await page.goto((await product.rpc('system.link', {})).url);
      await expect(page.getByRole('contentinfo', { name: 'Runtime status' })).toContainText('kept');
    });
  },

  page: async ({ page, open, expectedErrors }, provide) => {
    const mishaps: string[] = [];
    await watch(page, mishaps);
    // File choosers are caught from the start: a key pressed right after the first `waitForEvent` would be faster than the catching.
    page.on('filechooser', () => undefined);
    await open(page);
    await provide(page);
    const unexpected = mishaps.filter((mishap) => !expectedErrors.some((expected) => expected.test(mishap)));
    expect(unexpected, 'errors of the page').toEqual([]);
  },

  accessible: async ({ page, colorScheme, bothSchemes }, provide) => {
    await provide(async () => {
      const now = colorScheme === 'dark' ? 'dark' : 'light';
      const other = now === 'dark' ? 'light' : 'dark';
      expect(await violations(page), `axe, ${now}`).toEqual([]);
      if (!bothSchemes) return;
      await page.emulateMedia({ colorScheme: other });
      // The other scheme changes colours and nothing else.
      expect(await violations(page, COLOURS), `axe, ${other}`).toEqual([]);
      await page.emulateMedia({ colorScheme: now });
    });
  },
});

const COLOURS: Parameters<typeof violations>[1] = (axe) => axe.withRules('color-contrast');

async function endProduct(product: Product): Promise<void> {
  const code = await product.stop();
  expect(code, `exit code of the product; its log:\n${product.log()}`).toBe(0);
}

async function watch(page: Page, mishaps: string[]): Promise<void> {
  page.on('pageerror', (error) => void mishaps.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') mishaps.push(`console: ${message.text()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      reportError(new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
  });
}
