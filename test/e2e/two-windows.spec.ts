// Two windows edit the same thing: nothing that was typed is lost, and no change of the other window is replaced without a word.
import { interceptCalls, openFresh } from './call-interceptor.ts';
import {
  addHold,
  changes,
  editHold,
  policyRow,
  saveSettingUnseen,
  saveUnseen,
  settingRow,
  valueOf,
  answerOne,
  editAnswer,
} from './changed-elsewhere.ts';
import { go, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('a hold that another window changes meanwhile keeps both texts until one is chosen', async ({
  page,
  product,
  accessible,
}) => {
  const { holdId, dialog, name, filter } = await editHold(page, product);
  await filter.fill('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:theirs', name: 'theirs', times: 3 });
  await expect(changes(dialog)).toHaveText(/^Changed elsewhere to topic:theirs\. If you save, yours/);
  await expect(filter).toHaveValue('topic:typed');
  await test.step('what was not edited here follows', async () => {
    await expect(name).toHaveValue('theirs');
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
  const { holdId } = await addHold(product);
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
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.setRules', { rules: [answerOne('a')] });
  await openFresh(page, '/mock');
  const editor = await editAnswer(page);
  const status = editor.getByRole('textbox', { name: 'Status' });
  await saveUnseen(calls, {
    read: 'mockApp.get',
    ready: status,
    async edit() {
      await status.fill('503');
      await editor.locator('summary').click();
      await editor.getByRole('textbox', { name: 'Name' }).scrollIntoViewIfNeeded();
    },
    changeElsewhere: () => product.rpc('mockApp.setRules', { rules: [answerOne('b', 404)] }),
    save: editor.getByRole('button', { name: 'Save answer' }),
  });
  await expect(changes(editor)).toHaveText(/^Answer was changed elsewhere to 404\b/);
  await expect(changes(editor)).toBeInViewport({ ratio: 1 });
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
    await editor.getByRole('button', { name: 'Add it again' }).click();
    await expect(editor).toHaveCount(0);
    await expect(page.getByText('Answer added again, at the top of the list.')).toBeVisible();
  });
});

test('a setting that another window changes meanwhile is not replaced unseen', async ({
  page,
  product,
  accessible,
}) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/settings?s=delivery');
  const row = settingRow(page, 'delivery.concurrency');
  const field = row.getByRole('textbox');
  await saveSettingUnseen(
    calls,
    row,
    () => field.fill('7'),
    () => product.rpc('settings.set', { key: 'delivery.concurrency', value: 5 }),
  );
  await expect(changes(row)).toHaveText(/^Changed elsewhere to 5\./);
  await expect(field).toHaveValue('7');
  expect(await valueOf(product, 'delivery.concurrency')).toBe(5);
  await accessible();
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(changes(row)).toHaveCount(0);
  await expect.poll(() => valueOf(product, 'delivery.concurrency')).toBe(7);

  await test.step('members that were not edited here stay as the other window set them', async () => {
    const policy = policyRow(page);
    await policy.getByRole('textbox', { name: 'Attempts' }).fill('4');
    const before = await valueOf(product, 'delivery.retry');
    await product.rpc('settings.set', { key: 'delivery.retry', value: { ...Object(before), jitter: 0.5 } });
    await policy.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => valueOf(product, 'delivery.retry'))
      .toMatchObject({ maxAttempts: 4, jitter: 0.5 });
  });
});

test('a setting is not saved by what it was before the host answered', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('settings.set', {
    key: 'delivery.retryByTopic',
    value: { 'pubsub/a': { maxAttempts: 5 }, 'pubsub/b': { jitter: 0.5 } },
  });
  await openFresh(page, '/settings?s=delivery');
  const byTopic = settingRow(page, 'delivery.retryByTopic');
  const attempts = byTopic.getByRole('textbox', { name: 'Attempts of pubsub/a' });
  const jitter = byTopic.getByRole('textbox', { name: 'Jitter (0 to 1) of pubsub/b' });
  await test.step('a text that cannot be saved meanwhile', async () => {
    await attempts.fill('6');
    calls.stall.add('settings.get');
    await attempts.press('Enter');
    await expect(byTopic.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true');
    await jitter.fill('x');
    calls.release();
    await expect(byTopic.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy', 'true');
    expect(await valueOf(product, 'delivery.retryByTopic')).toEqual({
      'pubsub/a': { maxAttempts: 5 },
      'pubsub/b': { jitter: 0.5 },
    });
    await expect(jitter).toHaveValue('x');
  });
  await test.step('changes that were discarded meanwhile', async () => {
    await byTopic.getByRole('button', { name: 'Discard changes' }).click();
    const row = settingRow(page, 'delivery.concurrency');
    await row.getByRole('textbox').fill('9');
    calls.stall.add('settings.get');
    await row.getByRole('textbox').press('Enter');
    await row.getByRole('button', { name: 'Discard changes' }).click();
    calls.release();
    await expect(row).toContainText('default');
    await expect(toast(page, /saved\.$/)).toHaveCount(0);
    const { items } = await product.rpc('settings.get', {});
    expect(items.find(({ key }) => key === 'delivery.concurrency')?.origin).toBe('default');
  });
});

test('an answer that is taken late leaves the dialog that was opened since', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  for (const n of [1, 2]) await product.publish('orders', { n });
  await openFresh(page, '/mock');
  const waiting = page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
  const other = page.getByRole('dialog', { name: 'Other…' });
  await waiting.first().getByRole('button', { name: 'Other…' }).click();
  calls.stall.add('deliveries.answer');
  await other.getByRole('button', { name: 'Answer', exact: true }).click();
  await other.getByRole('button', { name: 'Cancel' }).click();
  await waiting.last().getByRole('button', { name: 'Other…' }).click();
  await other.getByRole('textbox', { name: 'Status' }).fill('418');
  calls.release();
  await expect(toast(page, 'Answered.')).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Status' })).toHaveValue('418');
});
