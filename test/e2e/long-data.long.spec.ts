// Bodies that a worker reads because they are long: reading is cancelled, XML, and a long message that is opened.
import fs from 'node:fs/promises';
import { detail, go, openMessage, retype } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { form, loadFile } from './publish-page.ts';

const LONG = Array.from({ length: 12_000 }, (_, n) => ({ orderId: n, note: 'words that take room' }));

test('a bulk edit that is cancelled, or changed before it is read, is not sent', async ({
  page,
  product,
}) => {
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  // The file of the worker does not arrive, so the text is being read for as long as this takes.
  await page.route(/\/assets\/text-[^/]*\.js$/, async (route) => {
    await held;
    await route.abort();
  });
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await loadFile(page, 'orders.json', JSON.stringify(LONG));
  const publish = form(page).getByRole('button', { name: 'Publish', exact: true });
  await publish.click();
  await form(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(form(page).getByRole('button', { name: 'Check', exact: true })).toBeVisible();

  await loadFile(page, 'more.json', JSON.stringify([...LONG, 'more']));
  await publish.click();
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{"orderId": 1}');
  await expect(form(page).getByText('Valid JSON')).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);
  goOn();
});

test('broken XML is reported with its place', async ({ page }) => {
  await go(page, 'Publish');
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '<order>\n  <id>1</order>');
  await form(page).getByRole('combobox', { name: 'Content type' }).fill('application/xml');
  await expect(form(page).getByText('Line 2, column 8: unexpected close tag').first()).toBeVisible();
  await loadFile(page, 'orders.xml', `<all>${'<order id="1">words</order>'.repeat(12_000)}`);
  await expect(
    form(page)
      .getByText(/^Line 1, column \d+: unclosed tag: all$/)
      .first(),
  ).toBeVisible();
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '<order/>');
  await expect(form(page).getByText('Well-formed XML')).toBeVisible();
});

test('a long message is formatted in a worker, and whole on request', async ({ page, product }) => {
  await product.publish('orders', [...LONG, ...LONG]);
  await openMessage(page, /orders, /);
  const data = detail(page).getByRole('textbox', { name: 'Message data' });
  await expect(detail(page).getByRole('button', { name: 'JSON', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await detail(page)
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect(data).toContainText('"orderId": 0,');
  await data.press('ControlOrMeta+End');
  await expect(data).toContainText('"orderId": 11999,');
  // Colouring it as JSON would stop the page for most of a second: a text as long as this one is edited as text.
  await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
  const edited = page.getByRole('dialog').getByRole('textbox', { name: 'New event' });
  await expect(edited).toContainText('"orderId": 0,');
  await expect(edited.locator('.cm-line span')).toHaveCount(0);
});

test('a long event that a person edited for its delivery is shown, copied and saved whole', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { n: 1 });
  const { items } = await product.rpc('messages.list', {});
  const list = [...LONG, ...LONG];
  const changes = { data: { list } };
  await product.rpc('deliveries.release', { messageId: items[0]?.messageId ?? '', changes });
  await openMessage(page, /orders, /);
  await expect(detail(page)).toContainText('The app got this payload.');
  const shown = detail(page).getByRole('textbox', { name: 'Edited message data' });
  await detail(page)
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect(async () => {
    await shown.press('ControlOrMeta+End');
    await expect(shown).toContainText('"orderId": 11999,', { timeout: 1000 });
  }).toPass();
  const tools = detail(page).getByRole('tabpanel', { name: 'Data' });
  await tools.getByRole('button', { name: 'Copy', exact: true }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copied)).toEqual({ list });
  const download = page.waitForEvent('download');
  await tools.getByRole('button', { name: 'Save…', exact: true }).click();
  expect(await fs.readFile(await (await download).path(), 'utf8')).toBe(copied);
});
