// The browser context and the page of one worker. Every journey gets them clean, but with the console's files still in the cache.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';

/** How a journey wants its page to look; given again for each. */
export interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
}

/** Calls whose effect a page keeps for good: a page with one is not given to the next journey. */
const LASTING = ['routeWebSocket', 'addInitScript', 'exposeFunction', 'exposeBinding'] as const;

/** Where storage of the pages is cleared; the cache of files is left out on purpose. */
const STORAGE = 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage';

/**
 * Playwright's own reuse of a context empties the cache of the browser as well, so that each journey fetched and compiled
 * the console again. The names of its files change with their content, so that a cached one is never an old one.
 */
export class ReusedTab {
  readonly #browser: Browser;
  readonly #options: BrowserContextOptions;
  /** Prepares a page that is new; what it does lasts as long as the page. */
  readonly #prepare: (page: Page) => Promise<void>;
  #context: BrowserContext | undefined;
  #page: Page | undefined;
  #isSpent = false;

  constructor(browser: Browser, options: BrowserContextOptions, prepare: (page: Page) => Promise<void>) {
    this.#browser = browser;
    this.#options = options;
    this.#prepare = prepare;
  }

  /** The context, without anything that a journey before left in it. */
  async context(): Promise<BrowserContext> {
    this.#context ??= await this.#browser.newContext(this.#options);
    for (const page of this.#context.pages()) {
      if (page !== this.#page || this.#isSpent) await page.close();
    }
    if (this.#isSpent) this.#page = undefined;
    this.#isSpent = false;
    await this.#context.clearPermissions();
    await this.#context.clearCookies();
    await this.#context.unrouteAll();
    return this.#context;
  }

  /** A page at about:blank that looks as wanted; nothing listens to it. */
  async page(context: BrowserContext, look: Look): Promise<Page> {
    const page = this.#page ?? (await this.#open(context));
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce', forcedColors: null });
    return page;
  }

  /** Takes the page away from where it was, and everything that any origin kept. */
  async leave(page: Page): Promise<void> {
    page.removeAllListeners();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Other windows write what they have not sent when they are closed, and the next product may have the same address.
    for (const other of page.context().pages()) if (other !== page) await other.close();
    await page.goto('about:blank');
    await page.mouse.move(-1, -1);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: STORAGE });
    await devTools.detach();
  }

  async close(): Promise<void> {
    await this.#context?.close();
  }

  async #open(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    await this.#prepare(page);
    for (const name of LASTING) {
      const original = page[name].bind(page);
      Reflect.set(page, name, (...given: Parameters<typeof original>) => {
        this.#isSpent = true;
        return Reflect.apply(original, page, given);
      });
    }
    this.#page = page;
    return page;
  }
}
