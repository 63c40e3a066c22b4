// Two windows edit the same thing: values with which a form began, conflicts that were shown, words of each kind of field, and holds,
// answers and settings that are saved late.
import type { Locator } from '@playwright/test';
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
  await dialog.getByRole('button', { name: 'Discard' }).click();

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
    await editor.getByRole('button', { name: 'Discard' }).click();
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

test('an answer that another window changes meanwhile is shown at once', async ({ page, product }) => {
  await product.rpc('mockApp.setRules', { rules: [answerOne('a')] });
  await go(page, 'Mock app');
  const editor = await editAnswer(page);
  const status = editor.getByRole('textbox', { name: 'Status' });
  await status.fill('503');
  await product.rpc('mockApp.setRules', { rules: [answerOne('b', 404)] });
  await expect(changes(editor)).toHaveText(/^Answer was changed elsewhere to 404\b/);
  await expect(status).toHaveValue('503');
  await changes(editor).getByRole('button', { name: 'Use the other' }).click();
  await expect(status).toHaveValue('404');
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await test.step('the list too, also where a set of answers is used', async () => {
    await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
    await expect(page.getByRole('button', { name: 'Edit "one"' })).toHaveCount(0);
  });
});

test('a hold is saved over what another window has just made of it', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  const { holdId } = await addHold(product);
  const now = async (): Promise<unknown> => (await product.rpc('holds.list', {})).items[0];
  await openFresh(page, '/holds');
  const dialog = page.getByRole('dialog', { name: 'Edit hold' });
  const save = page.getByRole('button', { name: /^Save/ });
  /** Opens the editor by a button, edits a field and saves; the other window gives the hold a filter meanwhile. */
  const saveAfter = (opener: string, field: Locator, text: string, theirs: string): Promise<void> =>
    saveUnseen(calls, {
      read: 'holds.list',
      ready: page.getByRole('button', { name: opener }),
      async edit() {
        await page.getByRole('button', { name: opener }).click();
        await field.fill(text);
      },
      changeElsewhere: () => product.rpc('holds.update', { holdId, filter: theirs }),
      save,
    });
  await test.step('the filter of the other window stays where only the name was edited', async () => {
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await saveAfter('Edit hold "mine"', name, 'typed', 'topic:theirs');
    await expect(dialog).toHaveCount(0);
    expect(await now()).toMatchObject({ name: 'typed', filter: 'topic:theirs' });
  });
  await test.step('a filter that both edited is shown first', async () => {
    const filter = dialog.getByRole('combobox', { name: 'Filter' });
    await saveAfter('Edit hold "typed"', filter, 'topic:typed', 'topic:newer');
    await expect(changes(dialog)).toContainText('topic:newer');
    expect(await now()).toMatchObject({ filter: 'topic:newer' });
    await save.click();
    await expect(dialog).toHaveCount(0);
    expect(await now()).toMatchObject({ filter: 'topic:typed' });
  });
  await test.step('conditions in their place too', async () => {
    const conditions = page.getByRole('combobox', { name: 'Conditions of hold "typed"' });
    await saveAfter('Change conditions', conditions, 'topic:again', 'topic:last');
    await expect(changes(page)).toContainText('topic:last');
    expect(await now()).toMatchObject({ filter: 'topic:last' });
    await save.click();
    await expect.poll(now).toMatchObject({ filter: 'topic:again' });
  });
});

test('what was typed in a setting is still there after its value was changed elsewhere', async ({
  page,
  product,
}) => {
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
  const field = settingRow(page, 'delivery.concurrency').getByRole('textbox');
  await field.fill('8');
  await go(page, 'Messages');
  await product.rpc('settings.set', { key: 'delivery.concurrency', value: 6 });
  await go(page, 'Settings');
  await page.getByRole('tab', { name: 'Delivery' }).click();
  await expect(field).toHaveValue('8');
  await expect(changes(page)).toHaveText(/^Changed elsewhere to 6\./);
});
