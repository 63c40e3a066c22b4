// Forms: a mistake stands beside its field until it is fixed, a refusal stands in the form, and no single key loses what was typed.
import type { Locator, Page } from '@playwright/test';
import { openFresh } from './call-interceptor.ts';
import { choose, chooseTab, detail, go, messages, openMessage } from './console-page.ts';
import { expect, test } from './fixture.ts';

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const asked = (page: Page): Locator => page.getByText('Discard what you entered?');
const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

/** Whether the browser would ask before its tab is closed or loaded again. */
const asksBeforeLeaving = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));

test('forms of a view, a width, a hold and an answer show what is refused, and ask before input is lost', async ({
  page,
  product,
  accessible,
}) => {
  await test.step('a view without a name, and a width that no column can have', async () => {
    await product.publish('orders', { orderId: 1 });
    const filter = page.getByRole('combobox', { name: 'Filter messages' });
    await filter.fill('topic:orders');
    await filter.press('Enter');
    await page.getByRole('button', { name: 'Save view' }).click();
    const view = dialog(page, 'Save view');
    const name = view.getByRole('textbox', { name: 'Name' });
    await view.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(name).toHaveAccessibleDescription('Give the view a name.');
    await accessible('[role="dialog"]');
    expect(await asksBeforeLeaving(page)).toBe(false);
    await name.fill('Orders');
    await expect(name).toHaveAccessibleDescription('');
    expect(await asksBeforeLeaving(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(name).toHaveValue('Orders');
    await view.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await view.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(view).toHaveCount(0);
    expect(await asksBeforeLeaving(page)).toBe(false);

    await messages(page).getByRole('columnheader', { name: 'Topic' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Width…' }).click();
    const width = dialog(page, 'Column Topic').getByRole('textbox');
    await expect(width).not.toHaveAttribute('aria-invalid', 'true');
    await width.fill('5');
    await expect(width).toHaveAttribute('aria-invalid', 'true');
    await width.fill('150');
    await expect(width).not.toHaveAttribute('aria-invalid', 'true');
    await width.press('Enter');
    await expect(dialog(page, 'Column Topic')).toHaveCount(0);
  });
  await test.step('a hold that is refused', async () => {
    await go(page, 'Holds');
    await page.getByRole('button', { name: 'Add hold' }).click();
    const hold = dialog(page, 'Add hold');
    await hold.getByRole('combobox').fill('topik:orders');
    await hold.getByRole('button', { name: 'Save hold' }).click();
    await expect(hold.getByRole('combobox')).toHaveAccessibleDescription(/^Unknown key "topik"/);
    await expect(hold.getByRole('button', { name: 'Save hold' })).not.toHaveAttribute('aria-busy', 'true');
    await expect(hold.getByText(/^Unknown key "topik"/)).toHaveCount(1);
    await expect(hold.getByRole('combobox')).toBeFocused();
    await expect(notices(page)).not.toContainText('topik');
    await accessible('[role="dialog"]');
    await hold.getByRole('combobox').fill('topic:orders');
    await expect(hold.getByRole('alert')).toHaveCount(0);
    await hold.getByRole('button', { name: 'Save hold' }).click();
    await expect(hold).toHaveCount(0);
  });
  await test.step('paths to mask are asked for before an export throws them away', async () => {
    await go(page, 'Messages');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const paths = dialog(page, 'Export').getByRole('textbox', { name: 'Mask values in the data' });
    await paths.fill('card.number');
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(paths).toHaveValue('card.number');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog(page, 'Export')).toHaveCount(0);
  });
  await test.step('a choice is an entry too: Escape asks before it is thrown away', async () => {
    await go(page, 'Mock app');
    await page.getByRole('button', { name: 'Add answer' }).click();
    const answer = dialog(page, 'Add answer');
    await choose(answer, 'Answer', 'Ask me');
    await page.keyboard.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(answer).toHaveCount(0);
  });
  await test.step('a condition that is taken from the suggestions is an entry as well', async () => {
    await go(page, 'Holds');
    await page.getByRole('button', { name: 'Add hold' }).click();
    const hold = dialog(page, 'Add hold');
    const filter = hold.getByRole('combobox');
    await filter.press('ArrowDown');
    await page.getByRole('option').first().click();
    await expect(filter).not.toHaveValue('');
    await filter.press('Escape');
    if (!(await asked(page).isVisible())) await filter.press('Escape');
    await expect(asked(page)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(hold).toHaveCount(0);
  });
});

test('a form asks where it differs from how it opened, by whatever the difference was made', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await openMessage(page, /orders/);
  const edit = dialog(page, 'Edit and replay');
  const editor = edit.getByRole('textbox', { name: 'New event' });
  const openEditor = async (): Promise<void> => {
    await detail(page).getByRole('button', { name: 'Edit and replay' }).click();
    await expect(editor).toHaveClass(/cm-content/);
    await editor.click();
  };
  const discard = async (): Promise<void> => {
    await expect(asked(page)).toBeVisible();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect(edit).toHaveCount(0);
  };
  await test.step('by Delete', async () => {
    await openEditor();
    await editor.press('ControlOrMeta+Home');
    await editor.press('Delete');
    await editor.press('Escape');
    await discard();
  });
  await test.step('by a text that no key wrote', async () => {
    await openEditor();
    await page.keyboard.insertText('dictated');
    await edit.getByRole('button', { name: 'Close' }).click();
    await discard();
  });
  await test.step('but not where all was undone', async () => {
    await openEditor();
    await page.keyboard.insertText('dictated');
    await editor.press('ControlOrMeta+z');
    await expect(editor).not.toContainText('dictated');
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await expect(edit).toHaveCount(0);
  });
});

test('the title of a test stays while no test was made', async ({ page, product }) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { orderId: 1 });
  await openFresh(page, '/recordings');
  const title = page.getByRole('textbox', { name: 'Title of the test' });
  await title.fill('orders end well');
  await page.getByRole('button', { name: 'Make the test' }).click();
  await expect(
    page.getByText('1 message left out, because a test cannot repeat what happened.'),
  ).toBeVisible();
  await expect(title).toHaveValue('orders end well');
});

test('what was typed in a form of a screen is there again after another screen', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await test.step('a new app', async () => {
    await openFresh(page, '/settings?s=apps');
    await page.getByRole('textbox', { name: 'App id (required)' }).fill('shop');
    await go(page, 'Topics');
    await page.goBack();
    await expect(page.getByRole('textbox', { name: 'App id (required)' })).toHaveValue('shop');
  });
  await test.step('the title of a test', async () => {
    await go(page, 'Recordings');
    const title = page.getByRole('textbox', { name: 'Title of the test' });
    await title.fill('orders end well');
    await go(page, 'Topics');
    await go(page, 'Recordings');
    await expect(title).toHaveValue('orders end well');
    await page.getByRole('button', { name: 'Make the test' }).click();
    await expect(page.getByRole('list', { name: 'Files of the test' })).toContainText('orders-end-well');
    await expect(title).toHaveValue('');
  });
  await test.step('paths to mask', async () => {
    const paths = page.getByRole('textbox', { name: 'Mask values in the data' });
    await paths.fill('card.number');
    await go(page, 'Topics');
    await go(page, 'Recordings');
    await expect(paths).toHaveValue('card.number');
  });
  await test.step('an event whose route is tried', async () => {
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    const tester = page.getByRole('region', { name: 'Try an event' });
    await tester.getByRole('textbox', { name: 'Topic' }).fill('orders');
    await tester.getByRole('textbox', { name: 'Event type' }).fill('com.example.typed');
    await go(page, 'Holds');
    await go(page, 'Topics');
    await chooseTab(page, 'Subscriptions');
    await expect(tester.getByRole('textbox', { name: 'Topic' })).toHaveValue('orders');
    await expect(tester.getByRole('textbox', { name: 'Event type' })).toHaveValue('com.example.typed');
  });
  await test.step('subscriptions of the mock app', async () => {
    await openFresh(page, '/mock?t=subscriptions');
    const topic = page.getByRole('textbox', { name: 'Topic', exact: true }).first();
    await topic.fill('refunds');
    await chooseTab(page, 'Requests');
    await chooseTab(page, 'Subscriptions');
    await expect(topic).toHaveValue('refunds');
    await expect(page.getByText('Changed, not served yet.')).toBeVisible();
  });
  await test.step('the path of a column', async () => {
    await go(page, 'Messages');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const path = page.getByRole('dialog', { name: 'Columns of the list' }).getByRole('textbox');
    await path.fill('data.order');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await expect(path).toHaveValue('data.order');
  });
});
