// A journey that reuses the page of an earlier journey finds nothing that the earlier one left.
import { expect, test } from './fixture.ts';
import type { Page } from '@playwright/test';

// Two journeys in one worker, in their order: the second one looks for what the first one left.
test.describe.configure({ mode: 'serial' });
// One expression: a list of two would be read as a value and its options. The answer of a route that is gone again, and an error that the
// listener of the first journey must not hear.
test.use({ expectedErrors: [/status of 404|^error: heard$/] });

/** Runs in the page: everything that it can keep at its origin. */
const keepAll = async (): Promise<void> => {
  localStorage.setItem('left', 'here');
  sessionStorage.setItem('left', 'here');
  document.cookie = 'left=here';
  await caches.open('left');
  await new Promise((done) => indexedDB.open('left', 1).addEventListener('success', done));
};

/** Runs in the page: what is kept at its origin under that name. */
const kept = async (): Promise<string[]> => {
  const databases = await indexedDB.databases();
  return [
    ...(localStorage.getItem('left') === null ? [] : ['localStorage']),
    ...(sessionStorage.getItem('left') === null ? [] : ['sessionStorage']),
    ...(document.cookie.includes('left') ? ['cookie'] : []),
    ...((await caches.has('left')) ? ['cache'] : []),
    ...(databases.some(({ name }) => name === 'left') ? ['database'] : []),
  ];
};

const colours = (page: Page): Promise<string> =>
  page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

let left: { readonly page: Page; readonly origin: string; heard: number };

for (const spent of [false, true]) {
  test.describe(spent ? 'a page that remembers scripts and routes' : 'a page', () => {
    test('a test leaves storage, permissions, sizes and routes behind', async ({ page, context }) => {
      await page.evaluate(keepAll);
      expect(await page.evaluate(kept)).toHaveLength(5);
      await context.grantPermissions(['notifications', 'clipboard-read']);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 500, height: 500 });
      await page.route('**/nowhere', (route) => route.fulfill({ body: 'left' }));
      left = { page, origin: new URL(page.url()).origin, heard: 0 };
      page.on('pageerror', () => (left.heard += 1));
      const other = await context.newPage();
      await other.goto(page.url());
      await other.evaluate(() => addEventListener('pagehide', () => localStorage.setItem('left', 'here')));
      if (!spent) return;
      await page.addInitScript(() => Reflect.set(globalThis, 'left', 'here'));
      await page.routeWebSocket('**/nowhere', () => undefined);
    });

    test('the next test finds nothing of them', async ({ page, context }) => {
      expect(page === left.page).toBe(!spent);
      expect(context.pages()).toEqual([page]);
      expect(await page.evaluate(() => Reflect.get(globalThis, 'left'))).toBeUndefined();
      expect(await page.evaluate(() => Notification.permission)).not.toBe('granted');
      expect(await colours(page)).toBe('light');
      expect(page.viewportSize()).toEqual({ width: 1280, height: 800 });
      await page.evaluate(() => reportError(new Error('heard')));
      expect(left.heard).toBe(0);
      const answer = await page.evaluate(async () => (await fetch('/nowhere')).status);
      expect(answer).toBe(404);
      // Only a page of the same origin could find what was kept, and the product may have another port by now: its page is played.
      await page.route(`${left.origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await page.goto(`${left.origin}/`);
      expect(await page.evaluate(kept)).toEqual([]);
    });
  });
}
