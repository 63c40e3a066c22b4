// Fixtures of every journey: a product of its own, its console open in a page, and a check that nothing went wrong unseen.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Page, test as base } from '@playwright/test';
import { type Looking, violations } from './axe.ts';
import { expect } from './expect.ts';
import { isLong } from './extent.ts';
import { ProductPool } from './reuse/product-pool.ts';
import { ReusedTab } from './reuse/tab.ts';
import { openConsole } from './open-console.ts';
import { type Product, startProduct } from './product.ts';

export { expect, startProduct };
export type { Product };

// Node runs the journeys as they are written. Playwright looks up every line of every stack in maps that no file has, for each step of
// a journey: a ninth of what a worker computes.
Reflect.deleteProperty(Error, 'prepareStackTrace');

export interface Options {
  /** Further flags of the product. */
  readonly flags: readonly string[];
  /** Component, subscription and resiliency files by name; with any, the product has a folder of them. */
  readonly files: Readonly<Record<string, string>>;
  /** Errors of the page that a journey brings about on purpose. */
  readonly expectedErrors: readonly RegExp[];
  /** `accessible` looks in `npm test` too: for journeys through screens, and what opens over them, that no other such journey shows. */
  readonly looksAlways: boolean;
  /** The journey begins with the console of `product` open. False: it opens a page itself. */
  readonly opensConsole: boolean;
}

export interface PerTest {
  /** The folder of `files`; '' without any. */
  readonly folder: string;
  readonly product: Product;
  /** Opens the console through a one-time link. */
  readonly open: (page: Page) => Promise<void>;
  /**
   * Nothing is wrong for assistive technology on the page as it is now; with a selector, in what it names. Colours and sizes of targets
   * are judged with `npm run test:long`, in the gallery, and colours pair by pair in test/renderer/contrast.test.ts. In `npm test` only
   * journeys with `looksAlways` look: a look takes a seventh of a journey.
   */
  readonly accessible: (within?: string) => Promise<void>;
}

export interface PerWorker {
  /** The context and the page of the journeys, given from one to the next. */
  readonly tab: ReusedTab;
  /** Starts the products of the journeys: each is composed again, in a process that has the program loaded. */
  readonly products: ProductPool;
}

export const test = base.extend<Options & PerTest, PerWorker>({
  flags: [[], { option: true }],
  files: [{}, { option: true }],
  expectedErrors: [[], { option: true }],
  looksAlways: [false, { option: true }],
  opensConsole: [true, { option: true }],

  products: [
    // oxlint-disable-next-line no-empty-pattern -- the runner asks for a pattern
    async ({}, provide) => {
      const products = new ProductPool();
      await provide(products);
      await products.end();
    },
    { scope: 'worker' },
  ],

  folder: async ({ files, products }, provide) => {
    const names = Object.keys(files);
    if (names.length === 0) return provide('');
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-'));
    for (const name of names) await fs.writeFile(path.join(folder, name), files[name] ?? '');
    await provide(folder);
    await products.settled();
    await fs.rm(folder, { recursive: true, force: true });
  },

  product: async ({ flags, folder, products }, provide, info) => {
    const resources = folder === '' ? [] : ['--resources', folder];
    const product = await products.start([...resources, ...flags]);
    await provide(product);
    if (info.status !== info.expectedStatus)
      await info.attach('log of the product', { body: product.log(), contentType: 'text/plain' });
    // The next journey does not wait for its end, the worker does.
    products.leave(product, info.titlePath.join(' › '));
  },

  tab: [
    async ({ browser }, provide) => {
      const tab = new ReusedTab(browser, { reducedMotion: 'reduce' }, reportPolicy);
      await provide(tab);
      await tab.close();
    },
    { scope: 'worker' },
  ],

  context: async ({ tab }, provide) => provide(await tab.context()),

  open: async ({ product }, provide) => {
    await provide(async (page) => {
      await openConsole(page, product);
      await expect(page.getByRole('contentinfo', { name: 'Runtime status' })).toContainText('kept');
    });
  },

  page: async (
    { tab, context, viewport, colorScheme, open, opensConsole, expectedErrors },
    provide,
    info,
  ) => {
    const look = {
      viewport: viewport ?? WIDE,
      colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
    } as const;
    const page = await tab.page(context, look);
    const mishaps: string[] = [];
    watch(page, mishaps);
    // File choosers are caught from the start: a key pressed right after the first `waitForEvent` would be faster than the catching.
    page.on('filechooser', () => undefined);
    if (opensConsole) await open(page);
    await provide(page);
    const unexpected = mishaps.filter((mishap) => !expectedErrors.some((expected) => expected.test(mishap)));
    expect(unexpected, 'errors of the page').toEqual([]);
    // A journey that failed ends its worker, and its page is still to be looked at.
    if (info.status === info.expectedStatus) await tab.leave(page);
  },

  accessible: async ({ page, colorScheme, looksAlways }, provide) => {
    await provide(async (within) => {
      if (!isLong && !looksAlways) return;
      const now = colorScheme === 'dark' ? 'dark' : 'light';
      const looking: Looking = isLong
        ? {}
        : { leavesAppearance: true, ...(within !== undefined && { within }) };
      expect(await violations(page, looking), `axe, ${now}`).toEqual([]);
      if (!isLong) return;
      const other = now === 'dark' ? 'light' : 'dark';
      await page.emulateMedia({ colorScheme: other });
      // The other scheme changes colours and nothing else.
      expect(await violations(page, { onlyColours: true }), `axe, ${other}`).toEqual([]);
      await page.emulateMedia({ colorScheme: now });
    });
  },
});

const WIDE = { width: 1280, height: 800 };

function watch(page: Page, mishaps: string[]): void {
  page.on('pageerror', (error) => void mishaps.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') mishaps.push(`console: ${message.text()}`);
  });
}

/** From now on every document of the page reports what its policy refused as an error. */
async function reportPolicy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      reportError(new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
  });
}
