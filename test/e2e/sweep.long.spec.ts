// Every screen and tab, empty and failing, passes axe. states.spec.ts walks through them with every change.
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { sweep } from './screens.ts';

test('every empty screen is accessible', async ({ page, accessible }) => {
  test.setTimeout(240_000);
  await sweep(page, accessible);
});

const FAILING = new Set([
  'topics.list',
  'subscriptions.list',
  'components.list',
  'apps.list',
  'holds.list',
  'holds.queue',
  'mockApp.get',
  'metrics.get',
  'logs.list',
  'settings.get',
  'recordings.list',
  'view.open',
  'messages.list',
]);
const FAILED_SCREENS = [
  'Topics',
  'Holds',
  'Components',
  'Health',
  'Recordings',
  'Logs',
  'Settings',
  'Messages',
];

test('every screen whose question the host refuses says so in its place', async ({ page, accessible }) => {
  test.setTimeout(180_000);
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => {
      const asked: { readonly id?: number; readonly method?: string } = JSON.parse(String(message));
      if (!FAILING.has(asked.method ?? '')) {
        host.send(message);
        return;
      }
      const error = {
        code: -32603,
        message: 'The disk is full.',
        data: { code: 'INTERNAL', logId: 'log_1' },
      };
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
    });
  });
  await page.reload();
  for (const title of FAILED_SCREENS) {
    await test.step(title, async () => {
      await go(page, title);
      const alert = page.getByRole('main').getByRole('alert').first();
      await expect(alert).toContainText('The disk is full');
      await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible();
      await accessible();
    });
  }
});
