// Two windows edit the same thing: nothing that was typed is lost, and no change of the other window is replaced without a word.
import type { Locator, Page } from '@playwright/test';
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** The sentence beside a field that was changed elsewhere, with its two buttons. */
const changes = (within: Locator | Page): Locator =>
  within.getByRole('alert').filter({ hasText: /changed elsewhere/i });

test('a hold that another window changes meanwhile keeps both texts until one is chosen', async ({
  page,
  product,
  accessible,
}) => {
  const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:a', name: 'mine' });
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Edit hold "mine"' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit hold' });
  const filter = dialog.getByRole('combobox', { name: 'Filter' });
  await filter.fill('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:theirs', name: 'theirs', times: 3 });
  await expect(changes(dialog)).toHaveText(/^Changed elsewhere to topic:theirs\. If you save, yours/);
  await expect(filter).toHaveValue('topic:typed');
  await test.step('what was not edited here follows', async () => {
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('theirs');
    await expect(dialog.getByRole('textbox', { name: 'Next n only' })).toHaveValue('3');
  });
  await accessible();
  await changes(dialog).getByRole('button', { name: 'Use the other' }).click();
  await expect(filter).toHaveValue('topic:theirs');
  await expect(changes(dialog)).toHaveCount(0);
  await filter.fill('topic:again');
  await product.rpc('holds.update', { holdId, filter: 'topic:newer' });
  await changes(dialog).getByRole('button', { name: 'Keep mine' }).click();
  await expect(changes(dialog)).toHaveCount(0);
  await expect(filter).toHaveValue('topic:again');
  await dialog.getByRole('button', { name: 'Save hold' }).click();
  await expect(dialog).toHaveCount(0);
  expect((await product.rpc('holds.list', {})).items).toMatchObject([
    { name: 'theirs', filter: 'topic:again', times: 3 },
  ]);
});

test('conditions that are edited in their place say what another window made of them', async ({
  page,
  product,
}) => {
  const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:a', name: 'mine' });
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Change conditions' }).click();
  const field = page.getByRole('combobox', { name: 'Conditions of hold "mine"' });
  await field.fill('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:theirs' });
  await expect(changes(page)).toContainText('topic:theirs');
  await expect(field).toHaveValue('topic:typed');
  await changes(page).getByRole('button', { name: 'Use the other' }).click();
  await expect(field).toHaveValue('topic:theirs');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
});

test('an answer that another window changes meanwhile is shown before it is replaced', async ({
  page,
  product,
  accessible,
}) => {
  const rule = (status: number, topic: string) => ({
    ruleId: 'r1',
    name: 'one',
    enabled: true,
    match: { topic },
    answer: { kind: 'respond' as const, status },
  });
  await product.rpc('mockApp.setRules', { rules: [rule(200, 'a')] });
  await go(page, 'Mock app');
  await page.getByRole('button', { name: 'Edit "one"' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit answer' });
  const status = editor.getByRole('textbox', { name: 'Status' });
  await status.fill('503');
  await product.rpc('mockApp.setRules', { rules: [rule(404, 'b')] });
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(changes(editor)).toHaveText(/^Answer was changed elsewhere to 404\b/);
  await expect(status).toHaveValue('503');
  await accessible();
  await editor.getByRole('button', { name: 'Save answer' }).click();
  await expect(editor).toHaveCount(0);
  expect((await product.rpc('mockApp.get', {})).rules).toMatchObject([
    { match: { topic: 'b' }, answer: { status: 503 } },
  ]);
  await test.step('one that was removed meanwhile is added again, and says so', async () => {
    await page.getByRole('button', { name: 'Edit "one"' }).click();
    await product.rpc('mockApp.setRules', { rules: [] });
    await status.fill('500');
    await editor.getByRole('button', { name: 'Save answer' }).click();
    await expect(editor).toHaveCount(0);
    await expect(page.getByText('Answer added again, at the top of the list.')).toBeVisible();
  });
});

test('a setting that another window changes meanwhile is not replaced unseen', async ({
  page,
  product,
  accessible,
}) => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
  const valueOf = async (wanted: string): Promise<unknown> =>
    (await product.rpc('settings.get', {})).items.find(({ key }) => key === wanted)?.value;
  const row = page.locator('form').filter({ hasText: 'delivery.concurrency' });
  const field = row.getByRole('textbox');
  await field.fill('7');
  await product.rpc('settings.set', { key: 'delivery.concurrency', value: 5 });
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(changes(row)).toHaveText(/^Changed elsewhere to 5\./);
  await expect(field).toHaveValue('7');
  expect(await valueOf('delivery.concurrency')).toBe(5);
  await accessible();
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(changes(row)).toHaveCount(0);
  await expect.poll(() => valueOf('delivery.concurrency')).toBe(7);

  await test.step('members that were not edited here stay as the other window set them', async () => {
    const policy = page.locator('form').filter({
      has: page.getByRole('group', { name: 'Retry policy', exact: true }),
    });
    await policy.getByRole('textbox', { name: 'Attempts' }).fill('4');
    const before = await valueOf('delivery.retry');
    await product.rpc('settings.set', { key: 'delivery.retry', value: { ...Object(before), jitter: 0.5 } });
    await policy.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => valueOf('delivery.retry')).toMatchObject({ maxAttempts: 4, jitter: 0.5 });
  });
});

test('what was typed in a setting is still there after its value was changed elsewhere', async ({
  page,
  product,
}) => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
  const field = page.locator('form').filter({ hasText: 'delivery.concurrency' }).getByRole('textbox');
  await field.fill('8');
  await go(page, 'Messages');
  await product.rpc('settings.set', { key: 'delivery.concurrency', value: 6 });
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
  await expect(field).toHaveValue('8');
  await expect(changes(page)).toHaveText(/^Changed elsewhere to 6\./);
});

test('drafts that another window has saved are not replaced before one of both is chosen', async ({
  page,
  product,
  accessible,
}) => {
  await go(page, 'Publish');
  const form = page.getByRole('form', { name: 'Publish a message' });
  const kept = async (): Promise<string> => JSON.stringify((await product.rpc('drafts.get', {})).drafts);
  await form.getByRole('combobox', { name: 'Topic' }).fill('mine');
  await expect.poll(kept).toContain('"mine"');
  const theirs = JSON.parse((await kept()).replace('"mine"', '"theirs"'));
  await product.rpc('drafts.set', { drafts: theirs });
  await form.getByRole('combobox', { name: 'Topic' }).fill('typed');
  const note = page.getByRole('alert').filter({ hasText: 'Another window changed the drafts' });
  await expect(note).toBeVisible();
  expect(await kept()).toContain('"theirs"');
  await accessible();
  await note.getByRole('button', { name: 'Open the others beside mine' }).click();
  await expect(page.getByRole('tablist', { name: 'Drafts' }).getByRole('tab')).toHaveText([
    'typed',
    'theirs',
  ]);
  await expect.poll(kept).toMatch(/"typed".*"theirs"/);
  await expect(note).toHaveCount(0);
});
