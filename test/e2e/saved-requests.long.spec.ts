// Saved requests in full: deleted and brought back, checked against a schema, kept in files.
import { chooseTab, go, retype, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { fillForm, form } from './publish-page.ts';

test('a saved request is deleted after a question, and restored', async ({ page, product, accessible }) => {
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

test('data is checked against the schema of its topic', async ({ page, accessible }) => {
  await fillForm(page, 'orders', '{\n  "orderId": "x"\n}');
  await chooseTab(form(page), 'Schema');
  const name = form(page).getByRole('textbox', { name: 'Name (required)' });
  await retype(form(page).getByRole('textbox', { name: 'JSON Schema' }), '{"type":"objct"}');
  await go(page, 'Messages');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('schema');
  await page.keyboard.press('Enter');
  await expect(form(page).getByRole('textbox', { name: 'JSON Schema' })).toHaveText('{"type":"objct"}');
  await name.fill('order');
  await form(page).getByRole('button', { name: 'Bind to orders' }).click();
  await expect(form(page).getByRole('alert')).toContainText(
    '/type must be equal to one of the allowed values (["array",',
  );
  await retype(
    form(page).getByRole('textbox', { name: 'JSON Schema' }),
    '{"type":"object","required":["total"],"properties":{"orderId":{"type":"integer"},"total":{"type":"number","minimum":2}}}',
  );
  await form(page).getByRole('button', { name: 'Bind to orders' }).click();
  await expect(toast(page, 'Schema "order" is bound to orders.')).toBeVisible();
  await accessible();
  await chooseTab(form(page), 'Data');
  await expect(form(page).getByText('Does not fit the schema "order"')).toBeVisible();
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

  test('requests are published and changed in the files of a folder, and a broken file is named', async ({
    page,
    product,
    accessible,
  }) => {
    await go(page, 'Publish');
    await chooseTab(page, 'Saved');
    await expect(page.getByRole('list', { name: 'Problems in the files of saved requests' })).toContainText(
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
