// The publish form in full: no data, a long form, keys in its dialogs, bulk publishes that cannot be.
import { chooseTab, go, toast } from './console-page.ts';
import { withConnectionSwitch } from './connection-switch.ts';
import { expect, test } from './fixture.ts';
import { fillForm, form, publish } from './publish-page.ts';

test('without data the form shows the data that the app gets', async ({ page, product }) => {
  await fillForm(page, 'orders', '');
  await expect(form(page).getByText('Empty: the app gets "" as data')).toBeVisible();
  await publish(page);
  await expect(form(page).getByText('Message delivered.')).toBeVisible();
  const { items } = await product.rpc('messages.list', {});
  const { data } = await product.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  expect(data).toBe('');
  await form(page).getByRole('radio', { name: 'My own CloudEvent' }).check();
  await expect(form(page).getByText('Empty: the event has no data')).toBeVisible();
});

test('the result of a publish is in sight, however long the form above it is', async ({ page }) => {
  await fillForm(page, 'orders', '{}');
  await form(page).getByText('Request preview').click();
  await form(page).getByRole('radio', { name: 'My own CloudEvent' }).check();
  await chooseTab(form(page), 'Attributes');
  await form(page).getByRole('textbox', { name: 'source' }).press('ControlOrMeta+Enter');
  await expect(form(page).getByRole('alert')).toHaveText('Missing: source, type');
  await expect(form(page).getByRole('alert')).toBeInViewport({ ratio: 1 });
  await form(page).getByRole('textbox', { name: 'source' }).fill('shop');
  await form(page).getByRole('combobox', { name: 'type (required)' }).fill('com.acme.order');
  await form(page).getByRole('textbox', { name: 'source' }).press('ControlOrMeta+Enter');
  await expect(form(page).getByText('Message delivered.')).toBeInViewport({ ratio: 1 });
  await expect(form(page).getByRole('button', { name: 'Show message' })).toBeInViewport({ ratio: 1 });
});

test('keys in a dialog act there only: Enter saves the request, Ctrl+Enter publishes nothing', async ({
  page,
  product,
}) => {
  await fillForm(page, 'orders', '{}');
  await form(page).getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save request' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await name.press('Enter');
  await name.press('ControlOrMeta+Enter');
  await expect(dialog).toBeVisible();
  await name.fill('order created');
  await name.press('Enter');
  await expect(toast(page, '"order created" saved.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect((await product.rpc('messages.list', {})).total).toBe(0);
});

test('several messages: a publish that is not possible says why', async ({ page, product }) => {
  await go(page, 'Publish');
  await chooseTab(page, 'Bulk');
  const bulk = page.getByRole('form', { name: 'Publish in bulk' });
  await bulk.getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
  await expect(bulk.getByRole('status').filter({ hasText: 'No entries.' })).toBeVisible();
  await bulk.getByRole('button', { name: 'Generate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate entries' });
  await dialog.getByRole('textbox', { name: 'How many' }).fill('3');
  await dialog.getByRole('textbox', { name: 'How many' }).press('Enter');
  await expect(bulk.getByRole('button', { name: 'Publish 3 entries' })).toBeVisible();
  await bulk.getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
  await expect(bulk.getByRole('status').filter({ hasText: 'Name a topic.' })).toBeVisible();
  await bulk.getByRole('combobox', { name: 'Topic' }).fill('orders');
  await bulk.getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+Enter');
  await expect(bulk.getByText('3 of 3 published')).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(3);
});

test.describe('while the connection breaks', () => {
  test.use({ expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/] });

  test('without a connection nothing is foreseen, and afterwards the routes are asked for again', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    const line = await withConnectionSwitch(page);
    await fillForm(page, 'orders', '{}');
    const beside = page.getByRole('region', { name: 'What apps get' });
    await expect(beside).toContainText('/orders');
    await line.cut();
    await form(page).getByRole('combobox', { name: 'Topic' }).fill('unheard');
    await expect(beside).toContainText('There is no connection to Sidelight');
    await expect(beside).not.toContainText('refused');
    await line.restore();
    await expect(beside).toContainText('No app here subscribes to topic unheard');
  });
});
