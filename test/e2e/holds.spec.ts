// Messages are held and released: at publish, at delivery and at response, by keys, and all at once.
import { chooseTab, detail, go, openMessage, retype, rows, toast } from './console-page.ts';
import { openFresh } from './call-interceptor.ts';
import { expect, test } from './fixture.ts';
import { queue } from './holds-page.ts';
import { fillForm, form, publish } from './publish-page.ts';

test.use({ looksAlways: true });

test('the focus stays near after the last message leaves the queue, and after a dialog of the palette', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  await go(page, 'Holds');
  await queue(page).focus();
  await expect(queue(page).getByRole('row').last()).toHaveAccessibleDescription('{total:120}');
  await queue(page).press('e');
  const text = page
    .getByRole('dialog', { name: 'Edit and release' })
    .getByRole('textbox', { name: 'New event' });
  await retype(text, '{"total":999}');
  await text.press('ControlOrMeta+Enter');
  await expect(queue(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Queue' })).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('Add hold');
  await page.keyboard.press('Enter');
  const conditions = page.getByRole('dialog', { name: 'Add hold' }).getByRole('combobox', { name: 'Filter' });
  await conditions.fill('topic:refunds');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'All holds' })).toContainText('topic:refunds');
  await expect(page.getByRole('button', { name: 'Release next' })).not.toBeFocused();
  await expect(page.locator('main, main section').and(page.locator(':focus'))).toBeVisible();
});

test('a hold that another window removes while it is edited is not added again without a word', async ({
  page,
  product,
}) => {
  const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'mine' });
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Edit hold "mine"' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit hold' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('still mine');
  await product.rpc('holds.remove', { holdId });
  await expect(dialog.getByRole('status')).toHaveText('This hold was removed while you edited it.');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('still mine');
  await dialog.getByRole('button', { name: 'Add it again' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await product.rpc('holds.list', {})).items.map(({ name }) => name)).toEqual(['still mine']);
});

test('a mistake in the conditions of a hold is said once, and covers nothing', async ({ page, product }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'mine' });
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Change conditions' }).click();
  const field = page.getByRole('combobox', { name: 'Conditions of hold "mine"' });
  await field.fill('');
  // A word in the list of suggestions keeps its letters in one line.
  await page.keyboard.press('ArrowDown');
  const word = page.getByRole('option', { name: /^pubsub / }).locator('code');
  await expect(word).toBeVisible();
  expect((await word.boundingBox())?.height).toBeLessThan(24);
  await field.fill('topic:(');
  await field.press('Enter');
  const mistake = page.getByText(/^Expected a value after/);
  await expect(mistake.first()).toBeVisible();
  const save = page.getByRole('button', { name: 'Save hold' });
  await save.click();
  await expect(save).not.toHaveAttribute('aria-busy', 'true');
  await expect(mistake).toHaveCount(1);
  // Nothing new is said, so the focus leads back to the field that has the mistake.
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/^Expected a value after/);
  const below = await mistake.boundingBox();
  for (const name of ['Cancel', 'Save hold']) {
    const button = await page.getByRole('button', { name, exact: true }).boundingBox();
    expect(button?.y).toBeGreaterThanOrEqual((below?.y ?? Infinity) + (below?.height ?? 0));
  }
});

test('what is typed while the editor of a dialog is being loaded changes no other field', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  // One gate for every request of the editor, however late a request comes.
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route('**/MergeEditor*', async (route) => {
    await gate;
    await route.continue();
  });
  await openFresh(page, '/holds');
  await queue(page).focus();
  await queue(page).press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and release' });
  const contentType = dialog.getByRole('combobox', { name: 'Content type' });
  await expect(contentType).toHaveValue('application/json');
  await page.keyboard.press('{');
  await expect(contentType).toHaveValue('application/json');
  open();
  await expect(dialog.getByRole('textbox', { name: 'New event' })).toBeFocused();
});

test('an answer is held, read and changed before it counts', async ({ page, product, accessible }) => {
  await product.rpc('mockApp.usePreset', { preset: 'S8' });
  await product.rpc('holds.add', { at: 'response', filter: 'status:5xx', name: 'bad answers' });
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /, orders, .*Attempting, 1 attempt/);
  await expect(detail(page).getByText('Answer held')).toBeVisible();
  await detail(page).getByRole('button', { name: 'Edit and release' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit and release' });
  await expect(editor.getByRole('textbox', { name: 'Status of the answer' })).toHaveValue('500');
  await expect(
    editor.getByRole('status').filter({ hasText: 'Leads to Retrying single.other' }),
  ).toBeVisible();
  await editor.getByRole('textbox', { name: 'Status of the answer' }).fill('200');
  await editor.getByRole('textbox', { name: 'Body of the answer' }).fill('{"status":"DROP"}');
  await expect(editor.getByRole('status').filter({ hasText: 'Leads to Dropped' })).toBeVisible();
  await accessible();
  await editor.getByRole('button', { name: 'Release' }).click();
  await expect(rows(page, /, orders, .*Dropped, 1 attempt/)).toBeVisible();
  // The attempt shows the answer that decided, and beside it the app's own answer.
  await chooseTab(detail(page), 'Attempts');
  const attempt = detail(page).getByRole('article', { name: 'Attempt 1, 200 DROP, Dropped' });
  await expect(attempt.getByRole('heading', { name: 'Answer that a person gave instead' })).toBeVisible();
  await expect(attempt.getByText('200 OK')).toBeVisible();
  await expect(attempt.getByRole('heading', { name: "The app's own answer, held back" })).toBeVisible();
  await expect(attempt.getByText('500 Internal Server Error')).toBeVisible();
  await accessible();
});

test('everything is held and released from the banner', async ({ page, product, accessible }) => {
  await page.getByRole('button', { name: 'Hold all' }).click();
  await expect(page.getByText('All deliveries are held', { exact: true })).toBeVisible();
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /, orders, .*Held/)).toBeVisible();
  await accessible();
  // A message whose drop was undone is held as before, and goes with the others.
  await openMessage(page, /, orders, .*Held/);
  await page.keyboard.press('d');
  await expect(rows(page, /, orders, .*Dropped/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rows(page, /, orders, .*Held/)).toBeVisible();
  await page.getByRole('button', { name: 'Release and stop holding' }).click();
  await expect(toast(page, 'Released; deliveries are no longer held.')).toBeVisible();
  await expect(rows(page, /, orders, .*Processed/)).toBeVisible();
  expect((await product.rpc('holds.list', {})).items).toEqual([]);
});

test('messages held at publish, at delivery and at response share one queue', async ({
  page,
  product,
  accessible,
}) => {
  const later = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: later });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  await product.rpc('holds.add', { at: 'publish', filter: 'data.n:1', name: 'first' });
  await product.rpc('holds.add', { at: 'delivery', filter: 'data.n:2', name: 'second' });
  await product.rpc('holds.add', { at: 'response', filter: 'data.n:3', name: 'third' });
  for (const n of [1, 2, 3]) await product.publish('orders', { n });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Holds, 3 held' }).click();
  await expect(queue(page).getByRole('row')).toHaveCount(3);
  // Different payloads keep the rows from sharing a line.
  await expect(queue(page).getByRole('row')).toContainText(['{n:1}', '{n:2}', '{n:3}']);
  await expect(queue(page)).toContainText('before any app gets it');
  await expect(queue(page)).toContainText('the app answered 503');
  const answer = queue(page).getByRole('row').filter({ hasText: 'the app answered 503' });
  await expect(answer.getByRole('button', { name: 'Drop' })).toHaveAttribute('aria-disabled', 'true');
  await answer.getByRole('button', { name: 'Answer', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['SUCCESS', 'RETRY', 'DROP', '404', '503', 'Other…']);
  await accessible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await answer.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(queue(page)).toHaveAttribute('aria-rowcount', '2');
  await product.publish('orders', { n: 3 });
  await expect(queue(page)).toHaveAttribute('aria-rowcount', '3');
  await page.getByRole('button', { name: 'Release all (3)' }).click();
  const question = page.getByRole('alertdialog', { name: /^Release \d+ held items?\?$/ });
  await accessible();
  await question.getByRole('button', { name: 'Release' }).click();
  await expect(toast(page, '3 released.')).toBeVisible();
  await expect(page.getByText('Nothing is held.')).toBeVisible();
});

test('the publish form says which hold keeps the message, until it is released', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'look first' });
  await fillForm(page, 'orders', '{"total":120}');
  await publish(page);
  const said = (text: string) => form(page).getByRole('status').filter({ hasText: text });
  await expect(said('Accepted; held by "look first".')).toBeVisible();
  await expect(said('Message delivered.')).toHaveCount(0);
  const { items } = await product.rpc('holds.queue', {});
  await product.rpc('deliveries.release', { messageId: items[0]?.row.messageId ?? '' });
  await expect(said('Message delivered.')).toBeVisible();
});

test('an empty queue says which holds wait, and a released message can be looked at', async ({
  page,
  product,
}) => {
  const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await go(page, 'Holds');
  await expect(
    page.getByText('Nothing is held. 1 hold is on and waits for a message that matches.'),
  ).toBeVisible();
  await product.rpc('holds.update', { holdId, enabled: false });
  await expect(page.getByText('Nothing is held. Add a hold to stop')).toBeVisible();
  await product.rpc('holds.update', { holdId, enabled: true });
  await product.publish('orders', { total: 120 });
  await queue(page).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(toast(page, 'Released.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(detail(page).getByText('{total:120}').or(detail(page).getByText('120')).first()).toBeVisible();
});

test('the form of a hold counts the last minute again while it is open', async ({ page, product }) => {
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Add hold' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add hold' });
  await expect(dialog.getByText('In the last minute there were 0 messages.')).toBeVisible();
  await product.publish('orders', { total: 120 });
  await expect(dialog.getByText('In the last minute there was 1 message.')).toBeVisible();
});

test('the form of a hold warns of terms that can match nothing at publish', async ({ page }) => {
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Add hold' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Filter' }).fill('topic:orders state:parked attempts:>2');
  const warning = dialog.getByText(/can match no message at its publish/);
  await dialog.getByRole('radio', { name: 'At publish' }).check();
  await expect(warning).toHaveText(
    'state:parked, attempts>2 can match no message at its publish: what they compare comes later.',
  );
  await dialog.getByRole('radio', { name: 'At delivery' }).check();
  await expect(warning).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Save hold' })).toBeEnabled();
});
