// Requests that are kept: saved from the form, published by a digit, from the palette and from their list; variables; schemas.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, go, retype, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

const form = (page: Page): Locator => page.getByRole('form', { name: 'Publish a message' });

async function fillForm(page: Page, topic: string, data: string): Promise<void> {
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill(topic);
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), data);
}

test('saved with variables, published by its digit and from the palette', async ({
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
});

test('deleted after a question, and brought back', async ({ page, product, accessible }) => {
  await product.rpc('requests.save', {
    name: 'one',
    request: { pubsubname: 'pubsub', topic: 'orders', data: '{"a":1}', contentType: 'application/json' },
  });
  await go(page, 'Publish');
  await chooseTab(page, 'Saved');
  await page.getByRole('button', { name: 'Delete "one"' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete "one"?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing is saved yet.')).toBeVisible();
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Load "one" into the form' }).click();
  await expect(form(page).getByRole('combobox', { name: 'Topic' })).toHaveValue('orders');
  await expect(form(page).getByRole('textbox', { name: 'Message data' })).toHaveText('{"a":1}');
});

test('a curl command fills the form', async ({ page, accessible }) => {
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

test('data is checked against the schema of its topic', async ({ page, accessible }) => {
  await fillForm(page, 'orders', '{\n  "orderId": "x"\n}');
  await chooseTab(form(page), 'Schema');
  await form(page).getByRole('textbox', { name: 'Name' }).fill('order');
  await retype(
    form(page).getByRole('textbox', { name: 'JSON Schema' }),
    '{"type":"object","required":["total"],"properties":{"orderId":{"type":"integer"},"total":{"type":"number","minimum":2}}}',
  );
  await form(page).getByRole('button', { name: 'Bind to orders' }).click();
  await expect(toast(page, 'Schema "order" is bound to orders.')).toBeVisible();
  await accessible();
  await chooseTab(form(page), 'Data');
  await expect(form(page).getByText('Does not fit order')).toBeVisible();
  await expect(form(page).getByText('Line 2, column 14: /orderId must be integer')).toBeVisible();
  await accessible();
  await chooseTab(form(page), 'Schema');
  await form(page).getByRole('button', { name: 'Generate from schema' }).click();
  await chooseTab(form(page), 'Data');
  await expect(form(page).getByText('Valid against order')).toBeVisible();
});

test.describe('a folder with files of requests', () => {
  const request = {
    pubsubname: 'pubsub',
    topic: 'refunds',
    data: '{"n": 1}',
    contentType: 'application/json',
  };
  test.use({
    files: {
      'shop.sidelight.json': JSON.stringify({
        sidelight: 'requests',
        version: 1,
        requests: [{ requestId: 'req_shop', name: 'order refunded', request }],
      }),
      'broken.sidelight.json': '{\n  "sidelight": "requests",\n  "version": 1,,\n}',
      'pubsub.yaml': `apiVersion: sidelight/v1
kind: Component
metadata: { name: pubsub }
spec: { type: pubsub.in-memory, version: v1 }
`,
    },
  });

  test('they are published from there and changed there; a broken one is named', async ({
    page,
    product,
    accessible,
  }) => {
    await go(page, 'Publish');
    await chooseTab(page, 'Saved');
    await expect(page.getByRole('list', { name: 'Problems of the files of saved requests' })).toContainText(
      /broken\.sidelight\.json:3:16.*The file is not JSON/,
    );
    const row = page.getByRole('row', { name: /order refunded/ });
    await expect(row).toContainText('in shop.sidelight.json');
    await expect(row.getByRole('button', { name: 'Delete "order refunded"' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await accessible();
    await row.getByRole('button', { name: 'Publish "order refunded"' }).click();
    await expect(toast(page, '"order refunded" published.')).toBeVisible();
    const { items } = await product.rpc('messages.list', {});
    expect(items.map(({ topic }) => topic)).toEqual(['refunds']);
  });
});
