// The console when its product goes away and comes back.
import { chooseTab, detail, go, messages, openMessage, retype, rows, tryNow } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { form } from './publish-page.ts';
import { notice, LOST, withConnectionSwitch } from './connection-switch.ts';

test.use({
  opensConsole: false,
  expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/],
});

test('the connection is lost and comes back: nothing is lost, nothing is sent twice', async ({
  page,
  open,
  product,
  accessible,
}) => {
  const line = await withConnectionSwitch(page, () => open(page));
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /Processed/);
  // The head of the detail is drawn before the message has arrived.
  await expect(detail(page).getByLabel('Message data', { exact: true })).toContainText('"orderId": 1');
  await line.cut();
  await expect(notice(page, LOST)).toBeVisible();
  await expect(rows(page, /Processed/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sidecar state unknown/ })).toBeVisible();
  for (const button of [
    page.getByRole('button', { name: 'Hold all' }),
    detail(page).getByRole('button', { name: 'Replay', exact: true }),
  ]) {
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await expect(button).toHaveAccessibleDescription('There is no connection to Sidelight.');
  }
  await accessible();

  for (let orderId = 2; orderId <= 4; orderId += 1) await product.publish('orders', { orderId });
  await line.restore();
  await tryNow(page);
  await expect(notice(page, LOST)).toHaveCount(0);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await expect(rows(page, /Processed/)).toHaveCount(4);
  await detail(page).getByRole('button', { name: 'Replay', exact: true }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '5');
  expect((await product.rpc('messages.list', {})).total).toBe(5);
});

test.describe('parts of the console that fail to load', () => {
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource|Failed to fetch/] });

  test('a screen that could not be loaded is there once the connection is back, also if it was left meanwhile', async ({
    page,
    open,
  }) => {
    const line = await withConnectionSwitch(page, () => open(page));
    const views = /\/assets\/(?:Topics|Holds)View-[^/]*\.js$/;
    await line.cut();
    await page.route(views, (route) => route.abort());
    for (const screen of ['Topics', 'Holds']) {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
      await expect(page.getByText('This part of the console could not be loaded')).toBeVisible();
    }
    await go(page, 'Messages');
    await page.unroute(views);
    await line.restore();
    await tryNow(page);
    await expect(notice(page, LOST)).toHaveCount(0);
    await go(page, 'Topics');
    await expect(page.getByRole('tab', { name: 'Graph' })).toBeVisible();
    await go(page, 'Holds');
    await expect(page.getByRole('button', { name: 'Add hold' })).toBeVisible();
  });
});

test('what could not be asked without a connection is asked once it is back, and nothing of it stays said', async ({
  page,
  open,
  product,
}) => {
  const line = await withConnectionSwitch(page, () => open(page));
  await product.publish('orders', { orderId: 1 });
  const back = async (): Promise<void> => {
    await line.restore();
    await tryNow(page);
    await expect(notice(page, LOST)).toHaveCount(0);
  };
  await test.step('the route of an event', async () => {
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    const tester = page.getByRole('region', { name: 'Try an event' });
    await expect(tester.getByRole('combobox', { name: 'Component' })).toContainText('pubsub');
    await line.cut();
    await expect(notice(page, LOST)).toBeVisible();
    await tester.getByRole('textbox', { name: 'Topic' }).fill('orders');
    await expect(tester.getByRole('status')).toContainText('no connection');
    await back();
    await expect(tester.getByRole('status')).toContainText('app');
    await expect(tester.getByRole('status')).not.toContainText('no connection');
  });
  await test.step('data with variables', async () => {
    await go(page, 'Publish');
    await form(page).getByText('Request preview').click();
    await line.cut();
    await expect(notice(page, LOST)).toBeVisible();
    await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{"id":"{{uuid}}"}');
    await expect(form(page).getByRole('alert')).toContainText('no connection');
    await back();
    await expect(form(page).getByRole('alert')).toHaveCount(0);
  });
});
