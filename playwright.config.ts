// Browser journeys against the built product; the Electron project exists only where a binary and a display do.
import os from 'node:os';
import path from 'node:path';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { findElectronBinary, hasDisplay } from './scripts/electron-binary.ts';

/** See test/e2e/extent.ts. */
const isLong = process.env['SIDELIGHT_TESTS'] === 'long';

const decided = process.env['SIDELIGHT_BROWSER'];
const found: NonNullable<PlaywrightTestConfig['use']>['launchOptions'] =
  decided === undefined ? {} : JSON.parse(decided);
const launchOptions = {
  ...found,
  // Each product has an origin of its own, and a browser with windows would start a process for each of them; a page that
  // goes back to about:blank would change its process too, and compile everything again. Without a graphics card everything
  // is drawn by the processor, and what imitates a card for it costs a seventh of the time.
  args: [
    ...(found?.args ?? []),
    '--disable-site-isolation-trials',
    '--renderer-process-limit=1',
    '--disable-gpu',
    // Pages live for seconds: what the optimizing compilers take is not earned back.
    '--js-flags=--no-opt --no-maglev',
  ],
};

/** Journeys with flags of the browser, or fixtures of the worker, that are theirs alone. */
const APART = ['gallery.spec.ts', 'foreign-origin.spec.ts', 'other-machine.spec.ts'];

const hasElectron =
  hasDisplay() && findElectronBinary(path.join(import.meta.dirname, 'node_modules/electron')) !== undefined;

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // Hosted machines are shared: there a journey that lost a race gets one more try, and the report says that it did.
  retries: process.env['CI'] ? 1 : 0,
  // A journey waits for a part of its time. Two workers for each core were 5 % slower than one more than cores: they share its caches.
  workers: os.availableParallelism() + 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    launchOptions,
    viewport: { width: 1280, height: 800 },
    // A new context costs more than most tests. The journeys have one of their own (test/e2e/reuse/tab.ts).
    reuseContext: true,
    // Recording every journey costs a tenth of the time; `--trace on` records one that is looked into.
    trace: 'on-first-retry',
  },
  // Journeys that need a worker and a browser unlike the others' have one at a time, from the start. At the end each
  // worker would start those again for one of them, and the longest would run alone.
  projects: [
    { name: 'apart', testMatch: APART, workers: 1 },
    { name: 'bridge', testDir: 'test/electron', testMatch: 'bridge.spec.ts', workers: 1 },
    ...(hasElectron ? [{ name: 'electron', testDir: 'test/electron', testMatch: 'window.spec.ts' }] : []),
    {
      name: 'browser',
      testIgnore: ['screenshots/**', ...APART, ...(isLong ? [] : ['**/*.long.spec.ts'])],
    },
    ...(process.env['SIDELIGHT_SCREENSHOTS']
      ? [{ name: 'screenshots', testMatch: 'screenshots/**/*.spec.ts' }]
      : []),
  ],
});
