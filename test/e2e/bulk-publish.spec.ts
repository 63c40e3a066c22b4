// Bulk publish: entries are read from files of several kinds, generated, checked and published.
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';
import { form, grid, entry, importFile, openBulk } from './bulk-page.ts';

test('a file that cannot be read names the line, and a CSV file asks what each column is', async ({
  page,
  product,
  accessible,
}) => {
  await openBulk(page);
  await importFile(page, 'bad.ndjson', '{"a":1}\n{"a":2}\n{"a":');
  await expect(form(page).getByRole('alert')).toHaveText('Line 3: not valid JSON.');
  await importFile(page, 'bytes.csv', Buffer.from([0xff, 0xfe, 0x80]));
  await expect(form(page).getByRole('alert')).toHaveText('The file is not UTF-8 text.');
  await expect(form(page).getByText('No entries. Add one, paste, or import a file.')).toBeVisible();

  await importFile(page, 'orders.csv', 'id,total,note\r\n7,12.5,"with, comma"\r\n8,1,"two\nlines"\r\n');
  const dialog = page.getByRole('dialog', { name: 'Columns of the file' });
  await expect(dialog.getByRole('combobox', { name: 'Entry id' })).toHaveText(/id/);
  const preview = dialog.getByRole('table', { name: 'First rows as entries' });
  await expect(preview).toContainText('{"id":7,"total":12.5,"note":"with, comma"}');
  await accessible();
  await dialog.getByRole('button', { name: 'Add 2 entries' }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '2');
  await form(page).getByRole('button', { name: 'Publish 2 entries' }).click();
  await expect(form(page).getByRole('status').filter({ hasText: '2 of 2 published' })).toBeVisible();
  const { items } = await product.rpc('messages.list', { filter: 'data.total:12.5' });
  expect(items).toHaveLength(1);
});

/** Entries: in full as many as one request may have; else enough for a list that draws only the rows in sight. */
const MANY = isLong ? 10_000 : 1000;
const SPOKEN = MANY.toLocaleString('en');

test('many entries are made, checked, edited and published', async ({ page, product, accessible }) => {
  await openBulk(page);
  await form(page).getByRole('button', { name: 'Generate…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate entries' });
  await dialog.getByRole('textbox', { name: 'How many' }).fill('10001');
  await expect(dialog.getByText('Use a whole number from 1 to 10,000.').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'How many' }).fill(String(MANY));
  await accessible();
  await dialog.getByRole('button', { name: `Add ${MANY} entries` }).click();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(MANY));
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60);
  await entry(page, 1).getByRole('textbox', { name: 'event of row 1' }).focus();
  await expect(form(page).getByRole('textbox', { name: 'Event of row 1', exact: true })).toHaveText(
    '{"orderId": 1}',
  );
  await form(page).getByRole('button', { name: 'Select all' }).click();
  await expect(form(page).getByRole('button', { name: `Remove ${SPOKEN} selected` })).toBeVisible();
  await entry(page, 1).getByRole('checkbox', { name: 'Select row 1' }).uncheck();
  await form(page).getByRole('button', { name: 'Select all' }).click();
  await form(page).getByRole('button', { name: 'Select none' }).click();
  await accessible();
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('nobody');
  await form(page)
    .getByRole('button', { name: `Publish ${SPOKEN} entries` })
    .click();
  await expect(
    form(page)
      .getByRole('status')
      .filter({ hasText: `${SPOKEN} of ${SPOKEN} published` }),
  ).toBeVisible({
    timeout: 30_000,
  });
  expect((await product.rpc('messages.list', { limit: 1 })).total).toBe(MANY);
});
