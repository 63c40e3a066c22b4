// Two windows edit the same thing: values with which a form began, conflicts that were shown, words of each kind of field.
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { changes, editHold, policyRow, saveSettingUnseen, settingRow, valueOf } from './changed-elsewhere.ts';
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
