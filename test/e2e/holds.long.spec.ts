// Holds in full: released unchanged, changed at delivery and at publish, many at once.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, openMessage, retype, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { queue, receivedData } from './holds-page.ts';

async function addHold(page: Page, filter: string): Promise<void> {
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Add hold' }).click();
  const editor = page.getByRole('dialog', { name: 'Add hold' });
  await editor.getByRole('textbox', { name: 'Name' }).fill('look first');
  await editor.getByRole('radio', { name: 'At delivery' }).check();
  const conditions = editor.getByRole('combobox', { name: 'Filter' });
  await conditions.fill(filter);
  await conditions.press('Enter');
  await expect(toast(page, 'Hold saved.')).toBeVisible();
  await expect(editor).toHaveCount(0);
}

test('a message is held, looked at and released unchanged', async ({ page, product, accessible }) => {
  await go(page, 'Holds');
  await expect(
    page.getByText('Nothing is held. Add a hold to stop matching messages before they reach the app.'),
  ).toBeVisible();
  await accessible();
  await addHold(page, 'topic:orders');
  await product.publish('orders', { orderId: 1 });
  await expect(queue(page).getByRole('row')).toHaveCount(1);
  expect(await receivedData(product)).toEqual([]);
  await expect(page).toHaveTitle('Holds — Sidelight');
  // A held delivery counts as waiting: its subscription says how many wait, and since when.
  await go(page, 'Topics');
  await chooseTab(page, 'Subscriptions');
  const subscriptions = page.getByRole('treegrid', { name: 'Subscriptions' });
  await expect(subscriptions.getByRole('row', { name: /orders/ }).first()).toContainText(
    /1 unfinished, oldest \d/,
  );
  await go(page, 'Holds');

  await queue(page).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(toast(page, 'Released.')).toBeVisible();
  await expect(page.getByText('Nothing is held.')).toBeVisible();
  await page.getByRole('button', { name: 'Change conditions' }).click();
  const conditions = page.getByRole('combobox', { name: 'Conditions of hold "look first"' });
  await conditions.fill('topic:refunds');
  await page.getByRole('button', { name: 'Save hold' }).click();
  // The field shows the words of the filter before the view is saved.
  await expect(conditions).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'All holds' })).toContainText('topic:refunds');
  expect((await product.rpc('holds.list', {})).items[0]?.filter).toBe('topic:refunds');
  await go(page, 'Messages');
  await openMessage(page, /, orders, .*Processed, 1 attempt/, 'Timeline');
  const transitions = detail(page).getByRole('table', { name: 'Transitions' });
  await expect(transitions).toContainText('Held by "look first".');
  await expect(transitions).toContainText('You released it.');
  expect(await receivedData(product)).toEqual([{ orderId: 1 }]);
  await accessible();
});

test('an edit at delivery changes only the delivery, and the message keeps its published data', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  await openMessage(page, /, orders, .*Held/);
  await detail(page).getByRole('button', { name: 'Edit and release' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit and release' });
  const text = editor.getByRole('textbox', { name: 'New event' });
  await retype(text, '{"total":999}');
  await text.press('ControlOrMeta+Enter');
  await openMessage(page, /, orders, .*Processed, 1 attempt/);
  await expect(detail(page).getByText('"total": 999')).toBeVisible();
  await detail(page).getByRole('button', { name: 'Show the original' }).click();
  await expect(detail(page).getByText('"total": 120')).toBeVisible();
  await chooseTab(detail(page), 'Attempts');
  await expect(detail(page).getByText('+     "total": 999')).toBeVisible();
  await expect(detail(page).getByText('-     "total": 120')).toBeVisible();
  await accessible();
  expect(await receivedData(product)).toEqual([{ total: 999 }]);
});

test('editing a message held at publish changes the message itself', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  await openMessage(page, /, orders, .*Held/);
  await detail(page).getByRole('button', { name: 'Edit and release' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit and release' });
  await retype(editor.getByRole('textbox', { name: 'New event' }), '{"total":999}');
  await editor.getByRole('button', { name: 'Release' }).click();
  await openMessage(page, /, orders, .*Processed, 1 attempt/);
  await expect(detail(page).getByText('"total": 999')).toBeVisible();
  await expect(detail(page).getByText('A person changed the message while it was held.')).toBeVisible();
  await accessible();
  expect(await receivedData(product)).toEqual([{ total: 999 }]);
});

test('many held messages take a line each, and the selected one has named buttons', async ({
  page,
  product,
  accessible,
}) => {
  const filter = 'topic:orders type:com.example.orders.created.by.hand';
  await product.rpc('holds.add', { at: 'delivery', filter });
  const type = 'metadata.cloudevent.type=com.example.orders.created.by.hand';
  for (let n = 1; n <= 20; n += 1)
    await product.publish('orders', { n }, `?${type}&metadata.ttlInSeconds=600`);
  await go(page, 'Holds');
  await expect(queue(page)).toHaveAttribute('aria-rowcount', '20');
  const row = (n: number): Locator => queue(page).locator(`[aria-rowindex="${n}"]`);
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 900 });
    await row(1).click({ position: { x: 4, y: 4 } });
    expect((await row(2).boundingBox())?.height).toBeLessThan(40);
    await expect(row(2).getByRole('button', { name: 'Open' })).toBeInViewport({ ratio: 1 });
    await expect(row(1).getByText('Edit and release')).toBeVisible();
    await expect(row(2).getByText('Edit and release')).toHaveCount(0);
  }
  await accessible();
  await row(3).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(queue(page)).toHaveAttribute('aria-rowcount', '19');
  await row(2).click({ position: { x: 4, y: 4 } });
  await expect(row(2).getByText('Edit and release')).toBeVisible();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('release all');
  await palette.getByRole('option', { name: /^Release all that is held/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
  await expect(toast(page, '19 released.')).toBeVisible();
  await page.keyboard.press('Control+k');
  await palette.getByRole('combobox').fill('release all');
  await expect(
    palette.getByRole('option', { name: /^Release all that is held.*No message is held/ }),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  // A hold without a name is called by its filter, once.
  const rule = page.getByRole('list', { name: 'All holds' }).getByRole('listitem');
  await expect(rule).toHaveText(`Enable hold "${filter}"${filter}at delivery · 20 caughtChange conditions`);
});

test('the question before a hold is removed counts what it holds, also behind 500 things that are held longer', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'many' });
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:refunds', name: 'few' });
  const entries = Array.from({ length: 100 }, (_, n) => ({ entryId: `e${n}`, event: { n } }));
  for (let part = 0; part < 6; part += 1)
    await product.sidecar('/v1.0-alpha1/publish/bulk/pubsub/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(entries.map((entry) => ({ ...entry, contentType: 'application/json' }))),
    });
  for (const n of [1, 2, 3]) await product.publish('refunds', { n });
  await product.when('603 held', async () => {
    const { total } = await product.rpc('holds.queue', { limit: 1 });
    return total === 603 ? true : undefined;
  });
  await go(page, 'Holds');
  for (const [name, n] of [
    ['few', '3 items'],
    ['many', '600 items'],
  ] as const) {
    await page.getByRole('button', { name: `Remove hold "${name}"` }).click();
    const question = page.getByRole('alertdialog', { name: `Remove hold "${name}"?` });
    await expect(question).toContainText(`It holds ${n} now.`);
    await question.getByRole('button', { name: 'Cancel' }).click();
  }
});

test('a held answer leads where its last attempt leads, and released unchanged it is the own answer of the app', async ({
  page,
  product,
}) => {
  await product.rpc('settings.set', {
    key: 'delivery.retry',
    value: { maxAttempts: 1, firstDelayMs: 100, factor: 1, maxDelayMs: 100, jitter: 0 },
  });
  await product.rpc('mockApp.setRules', {
    rules: [{ enabled: true, match: {}, answer: { kind: 'respond', status: 503, body: 'later' } }],
  });
  await product.rpc('holds.add', { at: 'response', filter: 'topic:orders', name: 'answers' });
  await product.publish('orders', { n: 1 });
  await go(page, 'Holds');
  await queue(page).getByRole('button', { name: 'Edit and release' }).click();
  const form = page.getByRole('dialog', { name: 'Edit and release' });
  await expect(form.getByRole('status')).toHaveText('Leads to Parked single.other policy.exhausted');
  await form.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect(page.getByText('Nothing is held.')).toBeVisible();
  const { items } = await product.rpc('messages.list', {});
  const { deliveries } = await product.rpc('messages.get', { messageId: items[0]?.messageId ?? '' });
  expect(deliveries[0]?.state).toBe('parked');
  expect(deliveries[0]?.attempts[0]?.instead).toBeUndefined();
});
