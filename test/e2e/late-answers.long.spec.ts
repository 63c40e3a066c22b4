// The host answers late: what was typed before its answer is still there after it, and nothing is said before it is known.
import type { Locator, Page } from '@playwright/test';
import { interceptCalls, openFresh, typeOn } from './call-interceptor.ts';
import { detail, openMessage, rows, toast } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';

const closes = (dialog: Locator): Promise<void> => expect(dialog).toHaveCount(0);
const button = (within: Locator | Page, name: string): Locator =>
  within.getByRole('button', { name, exact: true });

async function valueOf(product: Product, wanted: string): Promise<unknown> {
  return (await product.rpc('settings.get', {})).items.find(({ key }) => key === wanted)?.value;
}

test('a setting keeps what is typed while it is saved', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/settings?s=delivery');
  const row = page.locator('form').filter({ hasText: 'delivery.concurrency' });
  const field = row.getByRole('textbox');
  await field.fill('7');
  await typeOn(calls, 'settings.set', button(row, 'Save'), () => field.fill('78'));
  await expect(toast(page, /saved\.$/)).toBeVisible();
  await expect(field).toHaveValue('78');
  expect(await valueOf(product, 'delivery.concurrency')).toBe(7);
  await expect(row.getByRole('alert')).toHaveCount(0);
  await button(row, 'Save').click();
  await expect.poll(() => valueOf(product, 'delivery.concurrency')).toBe(78);
  await expect(button(row, 'Save')).toHaveCount(0);
});

test('a setting of several fields keeps what is typed in another one while it is saved', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/settings?s=delivery');
  const policy = page.locator('form').filter({
    has: page.getByRole('group', { name: 'Retry policy', exact: true }),
  });
  const attempts = policy.getByRole('textbox', { name: 'Attempts' });
  const jitter = policy.getByRole('textbox', { name: 'Jitter (0 to 1)' });
  await attempts.fill('4');
  await typeOn(calls, 'settings.set', button(policy, 'Save'), () => jitter.fill('0.5'));
  await expect(toast(page, /saved\.$/)).toBeVisible();
  expect(await valueOf(product, 'delivery.retry')).toMatchObject({ maxAttempts: 4, jitter: 0 });
  await expect(attempts).toHaveValue('4');
  await expect(jitter).toHaveValue('0.5');
  await expect(policy.getByRole('alert')).toHaveCount(0);
  await button(policy, 'Save').click();
  await expect.poll(() => valueOf(product, 'delivery.retry')).toMatchObject({ maxAttempts: 4, jitter: 0.5 });
});

test('the dialog of a hold keeps what is typed while the hold is saved', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  const holds = async (): Promise<unknown> => (await product.rpc('holds.list', {})).items;
  await openFresh(page, '/holds');
  await page.getByRole('button', { name: 'Add hold' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add hold' });
  const dialog = page.getByRole('dialog', { name: 'Edit hold' });
  const name = (within: Locator): Locator => within.getByRole('textbox', { name: 'Name' });
  await name(adding).fill('mine');
  await typeOn(calls, 'holds.add', button(adding, 'Save hold'), () => name(adding).fill('mine too'));
  await expect(name(dialog)).toHaveValue('mine too');
  expect(await holds()).toMatchObject([{ name: 'mine' }]);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await typeOn(calls, 'holds.update', button(dialog, 'Save hold'), () =>
    dialog.getByRole('textbox', { name: 'Next n only' }).fill('3'),
  );
  await expect(button(dialog, 'Save hold')).not.toHaveAttribute('aria-busy', 'true');
  await expect(dialog.getByRole('textbox', { name: 'Next n only' })).toHaveValue('3');
  await button(dialog, 'Save hold').click();
  await closes(dialog);
  expect(await holds()).toMatchObject([{ name: 'mine too', times: 3 }]);
});

test('the dialog of an answer keeps what is typed while the answer is saved', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  const rules = async (): Promise<unknown> => (await product.rpc('mockApp.get', {})).rules;
  await openFresh(page, '/mock');
  await page.getByRole('button', { name: 'Add answer' }).first().click();
  const adding = page.getByRole('dialog', { name: 'Add answer' });
  const dialog = page.getByRole('dialog', { name: 'Edit answer' });
  const status = (within: Locator): Locator => within.getByRole('textbox', { name: 'Status' });
  await status(adding).fill('503');
  await typeOn(calls, 'mockApp.setRules', button(adding, 'Save answer'), () => status(adding).fill('404'));
  await expect(status(dialog)).toHaveValue('404');
  expect(await rules()).toMatchObject([{ answer: { status: 503 } }]);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await button(dialog, 'Save answer').click();
  await closes(dialog);
  expect(await rules()).toMatchObject([{ answer: { status: 404 } }]);
});

test('the dialog of a waiting call keeps what is typed while its answer is given', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  // The answer leads to a retry, whose call would soon wait for an answer as this one does.
  const later = { maxAttempts: 2, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: later });
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/mock');
  const waiting = page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
  await button(waiting.first(), 'Other…').click();
  const dialog = page.getByRole('dialog', { name: 'Other…' });
  const status = dialog.getByRole('textbox', { name: 'Status' });
  await status.fill('503');
  await typeOn(calls, 'deliveries.answer', button(dialog, 'Answer'), () => status.fill('418'));
  await expect(toast(page, 'Answered.')).toBeVisible();
  await expect(status).toHaveValue('418');
  await expect(dialog).toContainText(
    'The call is no longer waiting: it was answered elsewhere, or it timed out.',
  );
});

test('the form for an app keeps all fields if one is changed while the app is added', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/settings');
  await page.getByRole('tab', { name: 'Apps' }).click();
  const form = page.getByRole('form', { name: 'Add an app' });
  const field = (name: string): Locator => form.getByRole('textbox', { name });
  await field('App id').fill('shop');
  await field('App address').fill('127.0.0.1:29999');
  await typeOn(calls, 'apps.add', button(form, 'Add app'), () =>
    field('App address').fill('127.0.0.1:29998'),
  );
  await expect(toast(page, /shop/).first()).toBeVisible();
  await expect(field('App address')).toHaveValue('127.0.0.1:29998');
  await expect(field('App id')).toHaveValue('shop');
  expect((await product.rpc('apps.list', {})).items.map(({ appId }) => appId)).toContain('shop');
});

test('the conditions of a hold keep what is typed while they are saved', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:a', name: 'mine' });
  await openFresh(page, '/holds');
  await page.getByRole('button', { name: 'Change conditions' }).click();
  const field = page.getByRole('combobox', { name: 'Conditions of hold "mine"' });
  await field.fill('topic:b');
  const save = page.getByRole('button', { name: /^Save/ });
  await typeOn(calls, 'holds.update', save, () => field.fill('topic:bc'));
  await expect(toast(page, /Hold saved/)).toBeVisible();
  await expect(field).toHaveValue('topic:bc');
  await save.click();
  await expect(field).toHaveCount(0);
  expect((await product.rpc('holds.list', {})).items).toMatchObject([{ filter: 'topic:bc' }]);
});

test('what an answer leads to is said once the subscriptions are known', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders', deadLetterTopic: 'dead' }],
  });
  await product.rpc('settings.set', { key: 'delivery.retry', value: { maxAttempts: 1 } });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await expect(rows(page, /, orders, .*Processed/)).toBeVisible();
  calls.stall.add('subscriptions.list');
  await page.reload();
  await openMessage(page, /, orders, .*Processed/);
  await page.keyboard.press('w');
  const dialog = page.getByRole('dialog', { name: 'What if the app answered…' });
  await expect(dialog.getByText('Checking what each answer would lead to')).toBeAttached();
  await expect(dialog.getByText('Parked')).toHaveCount(0);
  await expect(dialog.getByRole('table')).toHaveCount(0);
  calls.release();
  await expect(dialog.getByText('Dead-lettered').first()).toBeVisible();
  await expect(dialog.getByText('Parked')).toHaveCount(0);
});

test('a button of a message does what it says, also when the message arrives while it is pressed', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  const calls = await interceptCalls(page);
  await openFresh(page, '/messages');
  calls.stall.add('messages.get');
  await openMessage(page, /, orders, .*Held/);
  await expect(detail(page)).toHaveAttribute('aria-busy', 'true');
  await button(detail(page), 'Edit and release').hover();
  await page.mouse.down();
  calls.release('messages.get');
  await expect(detail(page)).not.toHaveAttribute('aria-busy', 'true');
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Edit and release' })).toBeVisible();
});
