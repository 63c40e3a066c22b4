// Saved requests: saved from the form, published by a digit and from the palette; variables; curl.
import { chooseTab, go, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { fillForm, form } from './publish-page.ts';

test('a request is saved with variables, published by its digit and from the palette, and a curl command fills the form', async ({
  page,
  product,
  accessible,
}) => {
  await fillForm(page, 'orders', '{"n": {{counter}}, "shop": "{{var shop}}"}');
  await chooseTab(form(page), 'Variables');
  await expect(form(page).getByRole('alert')).toHaveText('Line 1, column 29: There is no variable shop.');
  await form(page).getByRole('button', { name: 'Add variable' }).click();
  await form(page).getByRole('textbox', { name: 'Key 1' }).fill('shop');
  await form(page).getByRole('textbox', { name: 'Value 1' }).fill('north');
  await form(page).getByRole('button', { name: 'Save variables' }).click();
  await expect(form(page).getByLabel('Data with variables filled in')).toHaveText(
    '{"n": 1, "shop": "north"}',
  );
  await accessible();

  await form(page).getByRole('combobox', { name: 'Topic' }).press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog', { name: 'Save request' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('order created');
  await dialog.getByRole('combobox', { name: 'Folder' }).fill('Orders');
  await dialog.getByRole('textbox', { name: 'Shortcut' }).fill('1');
  await dialog.getByRole('checkbox', { name: 'Add to palette' }).check();
  await accessible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, '"order created" saved.')).toBeVisible();

  await chooseTab(page, 'Saved');
  await expect(page.getByRole('table', { name: 'Orders' })).toContainText('pubsub / orders');
  await accessible();
  await page.keyboard.press('1');
  await expect(toast(page, '"order created" published.').first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: /Search or run/ }).fill('order created');
  await page.getByRole('option', { name: /Publish "order created" again/ }).click();
  await product.when('two messages', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'data.shop:north' });
    return total === 2 ? total : undefined;
  });
  await expect(page.getByRole('table', { name: 'History' }).getByRole('row')).toHaveCount(2);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Saved 1' })).toBeVisible();

  await test.step('a curl command fills the form', async () => {
    await go(page, 'Publish');
    await chooseTab(page, 'Saved');
    await page.getByRole('button', { name: 'Paste a curl command…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Paste a curl command' });
    await dialog.getByRole('textbox', { name: 'curl command' }).fill('curl example.com');
    await expect(
      dialog.getByText('This is not a curl command that publishes to a topic.').first(),
    ).toBeVisible();
    await accessible();
    await dialog
      .getByRole('textbox', { name: 'curl command' })
      .fill(
        "curl 'http://127.0.0.1:3500/v1.0/publish/pubsub/refunds?metadata.ttlInSeconds=9' -H 'Content-Type: text/plain' -d hello",
      );
    await dialog.getByRole('button', { name: 'Fill the form' }).click();
    await expect(form(page).getByRole('combobox', { name: 'Topic' })).toHaveValue('refunds');
    await expect(form(page).getByRole('textbox', { name: 'TTL in seconds' })).toHaveValue('9');
    await expect(form(page).getByRole('combobox', { name: 'Content type' })).toHaveValue('text/plain');
  });
});
