// Two windows edit the same thing: values with which a form began, conflicts that were shown, words of each kind of field.
import { interceptCalls, openFresh } from './call-interceptor.ts';
import {
  changes,
  editHold,
  policyRow,
  saveSettingUnseen,
  settingRow,
  valueOf,
  answerOne,
  editAnswer,
} from './changed-elsewhere.ts';
import { go } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the field of a filter shows the other text also where that is the one it began with', async ({
  page,
  product,
}) => {
  const { holdId, dialog, name, filter } = await editHold(page, product);
  await filter.fill('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:b' });
  await dialog.getByRole('button', { name: 'Keep mine' }).press('Enter');
  await expect(filter).toHaveValue('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:a' });
  await dialog.getByRole('button', { name: 'Use the other' }).press('Enter');
  await expect(filter).toHaveValue('topic:a');
  await expect(changes(dialog)).toHaveCount(0);
  await test.step('what was typed in it stays while another field takes the other value', async () => {
    await filter.fill('topic:again');
    await name.fill('typed');
    await product.rpc('holds.update', { holdId, name: 'theirs' });
    await dialog.getByRole('button', { name: 'Use the other' }).press('Enter');
    await expect(name).toHaveValue('theirs');
    await expect(filter).toHaveValue('topic:again');
  });
  await test.step('an empty one is said as what it catches', async () => {
    await product.rpc('holds.update', { holdId, filter: 'topic:c' });
    await expect(changes(dialog)).toHaveText(/^Changed elsewhere to topic:c\./);
    await product.rpc('holds.update', { holdId, filter: '' });
    await expect(changes(dialog)).toHaveText(/^Changed elsewhere to everything\./);
  });
});

test('a conflict that was shown is saved also when another member has changed since', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  const policyOf = async (): Promise<object> => Object(await valueOf(product, 'delivery.retry'));
  await openFresh(page, '/settings?s=delivery');
  const policy = policyRow(page);
  const attempts = policy.getByRole('textbox', { name: 'Attempts' });
  const change = async (members: object): Promise<unknown> =>
    product.rpc('settings.set', { key: 'delivery.retry', value: { ...(await policyOf()), ...members } });
  await saveSettingUnseen(
    calls,
    policy,
    () => attempts.fill('4'),
    () => change({ maxAttempts: 6 }),
  );
  await expect(changes(policy)).toHaveText(/^Attempts was changed elsewhere to 6\./);
  await expect(policy.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy', 'true');
  await saveSettingUnseen(
    calls,
    policy,
    () => attempts.fill('4'),
    () => change({ jitter: 0.5 }),
  );
  await expect.poll(policyOf).toMatchObject({ maxAttempts: 4, jitter: 0.5 });
});

test('a change elsewhere is said in the words of its field', async ({ page, product, accessible }) => {
  const change = async (key: string, to: (value: object) => unknown): Promise<unknown> =>
    product.rpc('settings.set', { key, value: to(Object(await valueOf(product, key))) });
  const calls = await interceptCalls(page);
  await openFresh(page, '/settings?s=delivery');
  await test.step('topics with their limits', async () => {
    const byTopic = settingRow(page, 'delivery.retryByTopic');
    const add = async (): Promise<void> => {
      await byTopic.getByLabel('Topic to add').fill('pubsub/mine');
      await byTopic.getByRole('button', { name: 'Add topic' }).click();
    };
    await saveSettingUnseen(calls, byTopic, add, () =>
      change('delivery.retryByTopic', () => ({
        'pubsub/a': { maxAttempts: 5, firstDelayMs: 2000 },
        'pubsub/b': {},
      })),
    );
    await expect(changes(byTopic)).toHaveText(
      /^Changed elsewhere to pubsub\/a \(Attempts 5, First wait 2 s\), pubsub\/b\. If/,
    );
  });
  await accessible();
  await page.getByRole('tab', { name: 'Event router' }).click();
  await test.step('a choice of words, and lines', async () => {
    const router = settingRow(page, 'eventRouter');
    const edit = async (): Promise<void> => {
      await router.getByRole('combobox', { name: 'Token at a handshake' }).click();
      await page.getByRole('option', { name: 'Required' }).click();
      await router.getByRole('textbox', { name: 'Further audiences' }).fill('mine');
    };
    await saveSettingUnseen(calls, router, edit, () =>
      change('eventRouter', (value) => ({ ...value, handshakeAuth: 'none', audiences: ['a', 'b'] })),
    );
    await expect(changes(router)).toHaveText([
      /^Token at a handshake was changed elsewhere to Not checked\. If/,
      /^Further audiences was changed elsewhere to a, b\. If/,
    ]);
    await expect(changes(router).first()).toBeInViewport({ ratio: 1 });
  });
});

test('a choice between both leaves the focus in the form', async ({ page, product }) => {
  const { holdId, dialog, name, filter } = await editHold(page, product);
  await name.fill('typed');
  await product.rpc('holds.update', { holdId, name: 'theirs' });
  await dialog.getByRole('button', { name: 'Keep mine' }).press('Enter');
  await expect(name).toBeFocused();
  await filter.fill('topic:typed');
  await product.rpc('holds.update', { holdId, filter: 'topic:b' });
  await dialog.getByRole('button', { name: 'Use the other' }).press('Enter');
  await expect(filter).toBeFocused();
  await expect(filter).toHaveValue('topic:b');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await test.step('also where the field is folded away', async () => {
    await product.rpc('mockApp.setRules', { rules: [answerOne('a')] });
    await go(page, 'Mock app');
    const editor = await editAnswer(page);
    const folded = editor.locator('summary');
    const topic = editor.getByLabel('Topic', { exact: true });
    await folded.click();
    await topic.fill('typed');
    await folded.click();
    await expect(topic).toBeHidden();
    await product.rpc('mockApp.setRules', { rules: [answerOne('b')] });
    await editor.getByRole('button', { name: 'Keep mine' }).press('Enter');
    await expect(topic).toBeFocused();
    await editor.getByRole('button', { name: 'Cancel' }).click();
  });

  const calls = await interceptCalls(page);
  await openFresh(page, '/settings?s=delivery');
  const row = settingRow(page, 'delivery.concurrency');
  const field = row.getByRole('textbox');
  for (const [n, button] of ['Keep mine', 'Use the other'].entries()) {
    await saveSettingUnseen(
      calls,
      row,
      () => field.fill('7'),
      () => product.rpc('settings.set', { key: 'delivery.concurrency', value: 5 + n }),
    );
    await page.getByRole('button', { name: button }).press('Enter');
    await expect(field).toBeFocused();
  }
  await test.step('in the field that was changed, of several', async () => {
    const policy = policyRow(page);
    const jitter = policy.getByRole('textbox').last();
    const before = Object(await valueOf(product, 'delivery.retry'));
    await saveSettingUnseen(
      calls,
      policy,
      () => jitter.fill('0.4'),
      () => product.rpc('settings.set', { key: 'delivery.retry', value: { ...before, jitter: 0.5 } }),
    );
    await policy.getByRole('button', { name: 'Keep mine' }).click();
    await expect(jitter).toBeFocused();
  });
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
  for (const _reload of [1, 2]) {
    await page.reload();
    await expect(note).toBeVisible();
  }
  await note.getByRole('button', { name: 'Open the others beside mine' }).click();
  await expect(page.getByRole('tablist', { name: 'Drafts' }).getByRole('tab')).toHaveText([
    'typed',
    'theirs',
  ]);
  await expect(page.getByRole('tab', { name: 'Single' })).toBeFocused();
  await expect.poll(kept).toMatch(/"typed".*"theirs"/);
  await expect(note).toHaveCount(0);
});
