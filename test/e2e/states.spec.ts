// The states of every screen: loading, empty, failed and crashed, each with its own text, while other screens work.
import type { Locator, Page } from '@playwright/test';
import { DISK_FULL, openFresh, interceptCalls } from './call-interceptor.ts';
import { go } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

test.use({ looksAlways: true });

interface Row {
  readonly screen: string;
  /** Place after `#`. */
  readonly at: string;
  /** The question that brings what the screen shows. */
  readonly method: string;
  /** Text that is there once the call is answered. */
  readonly main: (page: Page) => Locator;
  /** None where the screen has something to show without it. */
  readonly loading?: string;
  /** With a host that has neither subscriptions nor messages. */
  readonly empty?: string;
  readonly failed: string;
}

const ROWS: readonly Row[] = [
  {
    screen: 'Messages',
    at: '/messages',
    method: 'view.open',
    main: (page) => page.getByText('Nothing has been published yet'),
    loading: 'Loading messages',
    empty: 'Nothing has been published yet',
    failed: `The list could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Topics',
    at: '/topics',
    method: 'topics.list',
    main: (page) => page.getByRole('table', { name: 'Topics' }),
    loading: 'Loading topics',
    empty: 'No topic yet. Publish to one, or let an app subscribe.',
    failed: `Topics could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Topics, Subscriptions',
    at: '/topics?t=subscriptions',
    method: 'subscriptions.list',
    main: (page) => page.getByRole('treegrid', { name: 'Subscriptions' }),
    loading: 'Asking the app for its subscriptions',
    empty: 'The app answered with no subscriptions.',
    failed: `Subscriptions could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Topics, Graph',
    at: '/topics?t=graph',
    method: 'topics.list',
    main: (page) => page.getByRole('group', { name: 'Topology' }),
    loading: 'Loading the graph',
    empty: 'No subscriptions discovered yet.',
    failed: `The graph could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Publish',
    at: '/publish',
    method: 'components.list',
    main: (page) => page.getByRole('form', { name: 'Publish a message' }),
    failed: `Components could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Mock app',
    at: '/mock',
    method: 'mockApp.get',
    main: (page) => page.getByRole('list', { name: 'Answers' }),
    loading: 'Loading answers',
    failed: `The mock app could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Holds',
    at: '/holds',
    method: 'holds.queue',
    main: (page) => page.getByText(/^Nothing is held\./),
    loading: 'Loading held messages',
    empty: 'Nothing is held. Add a hold to stop matching messages before they reach the app.',
    failed: `Held messages could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Event router',
    at: '/event-router',
    method: 'eventRouter.status',
    main: (page) => page.getByText(/^No component of type /),
    loading: 'Checking the component',
    empty: 'No component of type bindings.cloud.eventrouter is loaded.',
    failed: `The event router could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Components',
    at: '/components',
    method: 'components.list',
    main: (page) => page.getByRole('listbox', { name: 'Components' }),
    loading: 'Reading the components',
    empty: 'Only the built-in component pubsub is loaded.',
    failed: `Components could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Health',
    at: '/health',
    method: 'health.get',
    main: (page) => page.getByRole('region', { name: '/v1.0/healthz/outbound' }),
    loading: 'Calling',
    failed: `No answer from the sidecar. ${DISK_FULL}`,
  },
  {
    screen: 'Health, Metrics',
    at: '/health?t=metrics',
    method: 'metrics.get',
    main: (page) => page.getByRole('figure', { name: 'Queue depth' }),
    loading: 'Collecting, takes 2 s',
    empty: 'No traffic in this range.',
    failed: `Metrics could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Recordings',
    at: '/recordings',
    method: 'recordings.list',
    main: (page) => page.getByText('No recording is open.'),
    loading: 'Loading recordings',
    empty: 'There is no message to make a test from.',
    failed: `The recordings could not be listed: ${DISK_FULL}`,
  },
  {
    screen: 'Logs',
    at: '/logs',
    method: 'logs.list',
    main: (page) => page.getByRole('grid', { name: 'Log lines' }),
    loading: 'Loading log lines',
    failed: `Log lines could not be loaded: ${DISK_FULL}`,
  },
  {
    screen: 'Settings',
    at: '/settings?s=delivery',
    method: 'settings.get',
    main: (page) => page.getByRole('tablist', { name: 'Settings' }),
    loading: 'Loading settings',
    failed: `Settings could not be loaded: ${DISK_FULL}`,
  },
];

/** Goes to a place as a link of the page does. */
const follow = (page: Page, at: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#${at}`);

test('empty screens say what is missing and what to do', async ({ page, product, accessible }) => {
  test.setTimeout(120_000);
  await product.rpc('mockApp.setSubscriptions', { subscriptions: [] });
  for (const [index, { screen, at, empty }] of ROWS.entries()) {
    if (empty === undefined) continue;
    await test.step(screen, async () => {
      await follow(page, at);
      // Charts that are drawn already say the same themselves.
      await expect(page.getByRole('main').getByText(empty, { exact: true }).first()).toBeVisible();
      // All of them are drawn by one part, which the gallery shows.
      if (isLong || index === 0) await accessible('main');
    });
  }
  await follow(page, '/publish?t=bulk');
  await expect(page.getByText('No entries. Add one, paste, or import a file.')).toBeVisible();
  await follow(page, '/mock');
  await expect(page.getByText(/The mock app answers everything with 200 SUCCESS\./)).toBeVisible();
  await follow(page, '/settings');
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('zzz');
  await expect(page.getByText('No setting matches "zzz".')).toBeVisible();
  await follow(page, '/logs');
  await page.getByRole('combobox', { name: 'Level' }).click();
  await page.getByRole('option', { name: 'error only' }).click();
  await expect(page.getByText('No log lines at this level.')).toBeVisible();
});

/** Rows that ask a question that no row before them asks. The others find its answer, and are loaded again to be without one. */
const ASK_FIRST = ROWS.filter(
  ({ method }, index) => ROWS.findIndex((row) => row.method === method) === index,
);

const waits = (page: Page, words: string): Locator =>
  page.getByRole('main').getByRole('status').filter({ hasText: words });

async function isLoading(page: Page, { loading }: Row): Promise<void> {
  if (loading === undefined) return;
  await expect(waits(page, loading).first()).toHaveText(loading);
  await expect(page.locator('main [aria-busy="true"]').first()).toBeVisible();
}

test('each screen says that it loads and that it failed, has details to copy, and continues with "Try again"', async ({
  page,
  context,
  accessible,
}) => {
  test.setTimeout(240_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const calls = await interceptCalls(page);
  const failed = async (row: Row, looks: boolean): Promise<void> => {
    const alert = page.getByRole('main').getByRole('alert').filter({ hasText: row.failed }).first();
    await expect(alert.getByText(row.failed, { exact: true })).toBeVisible();
    if (looks) {
      await accessible('main');
      await alert.getByRole('button', { name: 'Copy details' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('The disk is full.');
    }
    calls.refuse.delete(row.method);
    // The page may have asked again by itself in the same moment; then the alert is gone.
    const again = alert.getByRole('button', { name: 'Try again' });
    await Promise.race([again.click(), expect(alert).toHaveCount(0)]);
    await expect(row.main(page)).toBeVisible();
    await expect(alert).toHaveCount(0);
    if (row.loading !== undefined) await expect(waits(page, row.loading)).toHaveCount(0);
  };
  for (const { method } of ROWS) calls.stall.add(method);
  await openFresh(page, '/publish');
  for (const [index, row] of ASK_FIRST.entries()) {
    await test.step(row.screen, async () => {
      await follow(page, row.at);
      await isLoading(page, row);
      calls.refuse.add(row.method);
      calls.release(row.method);
      await failed(row, isLong || index === 0);
    });
  }
  calls.release();
  for (const row of ROWS) {
    if (ASK_FIRST.includes(row)) continue;
    await test.step(row.screen, async () => {
      calls.stall.add(row.method);
      await openFresh(page, row.at);
      await isLoading(page, row);
      calls.refuse.add(row.method);
      calls.release();
      await failed(row, isLong);
    });
  }
  await openFresh(page, '/settings?s=delivery');
  calls.refuse.add('settings.set');
  const row = page.locator('form').filter({ hasText: 'delivery.attemptTimeoutMs' });
  await row.getByRole('textbox').fill('1234');
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(row.getByText(`App timeout was not saved: ${DISK_FULL}`)).toBeVisible();
});

test.describe('crashed', () => {
  test.use({ expectedErrors: [/./] });

  /** Screens that cannot show anything of such an answer. */
  const METHODS = ['topics.list', 'subscriptions.list', 'mockApp.get'];
  const READ = ROWS.filter(({ method }) => METHODS.includes(method)).slice(0, isLong ? ROWS.length : 1);

  test('a part that crashes says so in its place, and the rest continues', async ({ page }) => {
    test.setTimeout(120_000);
    const calls = await interceptCalls(page);
    for (const { screen, at, method } of READ) {
      await test.step(screen, async () => {
        calls.corrupt.add(method);
        await openFresh(page, at);
        const alert = page.getByRole('main').getByRole('alert').first();
        await expect(alert).toContainText('This part stopped working. TypeError');
        await expect(alert.getByRole('button', { name: 'Copy details' })).toBeVisible();
        await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
        calls.corrupt.clear();
        await go(page, 'Logs');
        await expect(page.getByRole('grid', { name: 'Log lines' })).toBeVisible();
      });
    }
    calls.corrupt.add('components.list');
    await openFresh(page, '/messages');
    await expect(page.getByText('Nothing has been published yet')).toBeVisible();
    await expect(page.getByText('This part stopped working. TypeError').first()).toBeVisible();
  });
});
