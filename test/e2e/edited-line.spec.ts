// Lists show what a person edited for a delivery, also where it was edited while the row was not in the list.
import { rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('a message that is edited while another filter applies is shown with what was edited', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { n: 1 });
  await product.publish('refunds', { n: 2 });
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await expect(rows(page, /, orders, /)).toContainText('n:1');
  await filter.fill('topic:refunds');
  await filter.press('Enter');
  await expect(rows(page, /, orders, /)).toHaveCount(0);
  const { items } = await product.rpc('messages.list', { filter: 'topic:orders' });
  for (const { messageId } of items)
    await product.rpc('deliveries.release', { messageId, changes: { data: { n: 77 } } });
  await filter.fill('');
  await filter.press('Enter');
  await expect(rows(page, /, orders, /)).toContainText(/edited.*n:77/);
});

test('a filter finds what the list shows of an edited message', async ({ page, product }) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { n: 1 });
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('data.n:1');
  await filter.press('Enter');
  await expect(rows(page, /, orders, /)).toContainText('n:1');
  const [{ messageId } = { messageId: '' }] = (await product.rpc('messages.list', {})).items;
  await product.rpc('deliveries.release', { messageId, changes: { data: { n: 77 } } });
  await expect(rows(page, /, orders, /)).toHaveCount(0);
  await filter.fill('data.n:77');
  await filter.press('Enter');
  await expect(rows(page, /, orders, /)).toContainText(/edited.*n:77/);
  await rows(page, /, orders, /).click();
  await page.getByRole('button', { name: 'Compare versions…' }).click();
  const versions = page.getByRole('dialog', { name: 'Compare versions of a message' });
  await expect(versions.getByText('1 changed line', { exact: true })).toBeVisible();
  await versions.getByRole('combobox', { name: '− version' }).click();
  await page.getByRole('option', { name: 'as a person edited it for the app' }).click();
  await expect(versions.getByText('Both sides show the same version.')).toBeVisible();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(versions).toHaveCount(0);
  for (const [text, total] of [
    ['77', 1],
    ['data.n:1', 0],
    ['-data.n:77', 0],
  ] as const)
    expect(await product.rpc('messages.list', { filter: text })).toMatchObject({ total });
});
