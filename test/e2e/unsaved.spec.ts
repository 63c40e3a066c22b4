// What was typed stays where it was typed, until it is saved or a person says otherwise; what is gone cannot be acted on.
import { interceptCalls, openFresh, DISK_FULL } from './call-interceptor.ts';
import { chooseTab, detail, go, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('a note that was not saved is still there after another message was open, and is saved from its menu by Enter', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await product.publish('refunds', { n: 2 });
  await openMessage(page, /, orders, /, 'Notes');
  const note = detail(page).getByRole('textbox', { name: 'Note' });
  await note.fill('look again');
  await expect(detail(page).getByText('Changed, not saved yet.')).toBeVisible();
  await rows(page, /, refunds, /).click();
  await expect(note).toHaveValue('');
  await rows(page, /, orders, /).click();
  await expect(note).toHaveValue('look again');
  await detail(page).getByRole('button', { name: 'Save note' }).click();
  await expect(toast(page, 'Note saved.')).toBeVisible();
  await expect(detail(page).getByText('Changed, not saved yet.')).toHaveCount(0);

  await rows(page, /, orders, /).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog', { name: /^Note/ });
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('look again');
  await dialog.getByRole('textbox', { name: 'Tags' }).fill('late');
  await dialog.getByRole('textbox', { name: 'Tags' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  const { items } = await product.rpc('messages.list', { filter: 'topic:orders' });
  expect(items[0]?.tags).toEqual(['late']);
});

test('what is typed in other fields while a filter is checked is kept', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/mock');
  await page.getByRole('button', { name: 'Add answer' }).click();
  const editor = page.getByRole('dialog', { name: 'Add answer' });
  await editor.locator('summary').click();
  calls.stall.add('filter.check');
  await editor.getByRole('combobox', { name: 'Filter' }).fill('topic:orders');
  await editor.getByRole('textbox', { name: 'Name' }).fill('mine');
  // The check waits for a pause in typing.
  await expect.poll(() => calls.wasStalled('filter.check')).toBe(true);
  calls.release();
  // A browser opens its help at F1 unless the page takes the key.
  const isLeft = await editor
    .getByRole('combobox', { name: 'Filter' })
    .evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'F1', bubbles: true, cancelable: true })),
    );
  expect(isLeft).toBe(false);
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);
  const { rules } = await product.rpc('mockApp.get', {});
  expect(rules[0]).toMatchObject({ name: 'mine', match: { filter: 'topic:orders' } });
});

test('a refusal leaves conditions and an answer as they were typed', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'orders' });
  await openFresh(page, '/holds');
  await test.step('conditions that are edited in their place', async () => {
    const change = page.getByRole('button', { name: 'Change conditions' });
    await change.press('Enter');
    const field = page.getByRole('combobox', { name: 'Conditions of hold "orders"' });
    await expect(field).toBeFocused();
    calls.refuse.add('holds.update');
    await field.fill('topic:refunds');
    await field.press('Enter');
    await expect(page.getByRole('alert')).toHaveText(DISK_FULL);
    await field.press('Escape');
    await expect(field).toHaveValue('topic:refunds');
    calls.refuse.delete('holds.update');
    await field.press('Enter');
    await expect(field).toHaveCount(0);
    await expect(change).toBeFocused();
    expect((await product.rpc('holds.list', {})).items[0]?.filter).toBe('topic:refunds');
  });
  await test.step('another answer', async () => {
    await product.rpc('mockApp.usePreset', { preset: 'ask' });
    await product.publish('orders', { n: 1 });
    await go(page, 'Mock app');
    await page.getByRole('button', { name: 'Other…' }).click();
    const other = page.getByRole('dialog', { name: 'Other…' });
    await other.getByRole('textbox', { name: 'Body' }).fill('typed');
    calls.refuse.add('deliveries.answer');
    await other.getByRole('button', { name: 'Answer' }).click();
    await expect(other.getByRole('alert')).toHaveText(DISK_FULL);
    await expect(other.getByRole('textbox', { name: 'Body' })).toHaveValue('typed');
    calls.refuse.clear();
    await other.getByRole('button', { name: 'Answer' }).click();
    await expect(other).toHaveCount(0);
    await expect(toast(page, 'Answered.')).toBeVisible();
  });
  await test.step('a call that is answered elsewhere while its answer is typed', async () => {
    await product.publish('orders', { n: 2 });
    await page.getByRole('button', { name: 'Other…' }).click();
    const other = page.getByRole('dialog', { name: 'Other…' });
    await other.getByRole('textbox', { name: 'Body' }).fill('typed');
    const { items } = await product.rpc('mockApp.waiting', {});
    const answer = { kind: 'respond', status: 200 } as const;
    await product.rpc('deliveries.answer', { deliveryId: items[0]?.deliveryId ?? '', answer });
    await expect(other.getByRole('status').getByText(/^The call is no longer waiting/)).toBeVisible();
    await expect(other.getByRole('textbox', { name: 'Body' })).toHaveValue('typed');
  });
});

test('an answer is saved in its place after another window has moved it', async ({ page, product }) => {
  const answer = { kind: 'respond', status: 200 } as const;
  const rule = (name: string) => ({ ruleId: name, name, enabled: true, match: {}, answer });
  await product.rpc('mockApp.setRules', { rules: [rule('first'), rule('second')] });
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Edit "second"' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit answer' });
  await product.rpc('mockApp.setRules', { rules: [rule('second'), rule('first'), rule('third')] });
  await expect(page.getByText('Edit "third"', { exact: true })).toHaveCount(0);
  await editor.getByRole('textbox', { name: 'Status' }).fill('503');
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);
  const { rules } = await product.rpc('mockApp.get', {});
  expect(rules.map(({ name, answer: is }) => [name, Reflect.get(is, 'status')])).toEqual([
    ['second', 503],
    ['first', 200],
    ['third', 200],
  ]);
});

test('a message that another window removes offers nothing that cannot be done', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await openMessage(page, /, orders, .*Processed/, 'Attempts');
  await product.rpc('messages.delete', { filter: 'topic:orders' });
  await expect(detail(page).getByText('This message was removed.')).toBeVisible();
  await expect(detail(page).getByRole('button', { name: 'Edit and replay' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await chooseTab(detail(page), 'Data');
  await expect(detail(page).getByRole('button', { name: 'Pin', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await chooseTab(detail(page), 'Notes');
  await expect(detail(page).getByRole('button', { name: 'Save note' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('the focus goes back to where it came from when a notification is closed', async ({ page, product }) => {
  await product.publish('orders', { n: 1 });
  await openMessage(page, /, orders, .*Processed/);
  await messages(page).focus();
  await page.keyboard.press('i');
  await expect(toast(page, 'Pinned.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(toast(page, 'Pinned.')).toHaveCount(0);
  await expect(messages(page)).toBeFocused();
});

test('a link in a panel leads away from it, and closes it', async ({ page, product }) => {
  await product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 1, firstDelayMs: 100, factor: 1, maxDelayMs: 100, jitter: 0 },
  });
  await product.rpc('mockApp.setRules', {
    rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 503 } }],
  });
  await product.publish('orders', { n: 1 });
  await expect(rows(page, /Parked/)).toBeVisible();
  await page.getByRole('button', { name: /^Waiting for you/ }).click();
  const panel = page.getByRole('dialog', { name: 'Waiting for you' });
  await panel.getByRole('link', { name: /^Show: 1 message parked/ }).click();
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue(/state:parked/);
  await expect(panel).toHaveCount(0);
});
