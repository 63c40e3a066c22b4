// The gallery, built for this test alone: every part in every state, in both themes and in forced colours.
import fs from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'vite';
import { NONCE_PLACEHOLDER, pagePolicy } from '../../core/console/csp.ts';
import { violations } from './axe.ts';
import { isLong } from './extent.ts';

// The first worker builds the gallery, once.
test.describe.configure({ mode: 'default' });

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
const NONCE = 'gallery';

let folder = '';
let server: Server;
let address = '';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-gallery-'));
  await build({
    configFile: false,
    logLevel: 'warn',
    root: path.resolve(import.meta.dirname, '..', 'gallery'),
    base: './',
    plugins: [react()],
    css: { modules: { localsConvention: 'camelCase' } },
    build: { outDir: folder, emptyOutDir: true, target: 'chrome140', assetsInlineLimit: 0, minify: false },
  });
  server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://gallery').pathname;
    const file = path.join(folder, name === '/' ? 'index.html' : path.normalize(name));
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
    fs.readFile(file).then(
      (bytes) => {
        response.setHeader('content-type', type);
        response.setHeader('content-security-policy', pagePolicy(NONCE));
        response.end(type === 'text/html' ? bytes.toString('utf8').replace(NONCE_PLACEHOLDER, NONCE) : bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the gallery is not served');
  address = `http://127.0.0.1:${bound.port}/#/gallery`;
});

test.afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => void server.close(done));
  await fs.rm(folder, { recursive: true, force: true });
});

/** Opens the gallery with these columns; the part that breaks on purpose is the only error it may report. */
async function open(page: Page, themes: 'all' | 'light' | 'none' = 'all'): Promise<string[]> {
  const mishaps: string[] = [];
  page.on('pageerror', (error) => void mishaps.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('broken on purpose'))
      mishaps.push(message.text());
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      reportError(new Error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
  });
  await page.goto(themes === 'all' ? address : `${address}?themes=${themes}`);
  await expect(page.getByRole('main', { name: 'Gallery' })).toBeVisible();
  await expect(page.locator('section.theme')).toHaveCount({ all: 2, light: 1, none: 0 }[themes]);
  if (themes === 'none') return mishaps;
  await expect(page.locator('.cm-editor')).not.toHaveCount(0);
  await expect(page.getByText('Loading topics').first()).toBeVisible();
  return mishaps;
}

test('no accessibility violation in any part, in both themes', async ({ page }) => {
  test.setTimeout(90_000);
  const mishaps = await open(page);
  // Both themes stand beside each other here.
  expect(await violations(page), 'light').toEqual([]);
  if (isLong) {
    // The scheme changes colours of the page around them and nothing else.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await violations(page, { onlyColours: true }), 'dark').toEqual([]);
  }
  expect(mishaps).toEqual([]);
});

/** Looks at what is open now in both colour schemes, and at nothing of the columns below it. */
async function lookAtOverlay(page: Page, what: string): Promise<void> {
  const without = ['section[aria-label="light"]'];
  expect(await violations(page, { without }), `${what}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await violations(page, { without, onlyColours: true }), `${what}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

// `npm test` looks at the real ones (overlays.spec.ts).
if (isLong) {
  test('no accessibility violation in open dialogs, questions, sheets and toasts', async ({ page }) => {
    const mishaps = await open(page, 'none');
    for (const name of [
      'Dialog',
      'Wide dialog',
      'Question',
      'Danger',
      'Palette',
      'Shortcuts',
      'Filter help',
    ]) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect(page.getByRole(/Question|Danger/.test(name) ? 'alertdialog' : 'dialog')).toBeVisible();
      await lookAtOverlay(page, name);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Toasts', exact: true }).click();
    await lookAtOverlay(page, 'toasts');
    expect(mishaps).toEqual([]);
  });

  test('no accessibility violation in an open menu, list of choices and rule', async ({ page }) => {
    const mishaps = await open(page, 'light');
    await page.getByRole('button', { name: 'Menu, light' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await lookAtOverlay(page, 'menu');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Choice, light' }).click();
    await expect(page.getByRole('listbox').last()).toBeVisible();
    await expect(page.getByRole('option', { name: 'Two' })).toBeVisible();
    await lookAtOverlay(page, 'choice');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rule' }).first().click();
    await expect(page.getByRole('dialog', { name: 'Why this happened' })).toBeVisible();
    await lookAtOverlay(page, 'rule');
    expect(mishaps).toEqual([]);
  });
}

test('in forced colours a chip keeps its border, icon and word, and focus is visible', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const mishaps = await open(page);
  expect(await violations(page, { leavesAppearance: true })).toEqual([]);
  const chips = page.getByRole('region', { name: 'light', exact: true }).locator('.surface [data-kind]');
  const bare = await chips.evaluateAll((all) =>
    all
      .filter((chip) => {
        const { borderTopStyle, borderTopWidth } = getComputedStyle(chip);
        const hasBorder = borderTopStyle === 'solid' && borderTopWidth === '1px';
        return !hasBorder || chip.querySelector('svg') === null || chip.textContent === '';
      })
      .map((chip) => chip.outerHTML),
  );
  expect(bare).toEqual([]);
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return `${outlineStyle} ${outlineWidth}`;
  });
  expect(outline).toBe('solid 2px');
  expect(mishaps).toEqual([]);
});

test('no part is cut off at 200 % text or at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await open(page);
  await page.evaluate(() => document.documentElement.style.setProperty('--font-size', '26px'));
  const wide = await page
    .locator('main')
    .evaluate((main) => ({ scroll: main.scrollWidth, client: main.clientWidth }));
  expect(wide.scroll).toBeLessThanOrEqual(wide.client);
  const small = await page.getByRole('button').evaluateAll((all) =>
    all
      .map((button) => ({ name: button.textContent, ...button.getBoundingClientRect().toJSON() }))
      .filter(({ height, width }: { height: number; width: number }) => height < 24 || width < 24)
      .map(({ name }: { name: string | null }) => name),
  );
  expect(small).toEqual([]);
});
