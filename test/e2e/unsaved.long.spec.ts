// What is typed while a save has no answer stays where it was typed.
import type { Locator, Page } from '@playwright/test';
import { interceptCalls, openFresh } from './call-interceptor.ts';
import { importFile } from './bulk-page.ts';
import { choose, chooseTab, detail, go, messages, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('what is typed while a note is saved is kept', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await product.publish('refunds', { n: 2 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, /, 'Notes');
  const note = detail(page).getByRole('textbox', { name: 'Note' });
  await note.fill('first');
  calls.stall.add('messages.update');
  await detail(page).getByRole('button', { name: 'Save note' }).click();
  await note.fill('first and second');
  calls.release();
  await expect(toast(page, 'Note saved.')).toBeVisible();
  await expect(note).toHaveValue('first and second');
  await expect(detail(page).getByText('Changed, not saved yet.')).toBeVisible();
  await rows(page, /, refunds, /).click();
  await expect(note).toHaveValue('');
  await rows(page, /, orders, /).click();
  await expect(note).toHaveValue('first and second');
});

test('a note in the panel and the dialog of its message is one text, and the dialog discards only its own part', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await openMessage(page, /, orders, /, 'Notes');
  const note = detail(page).getByRole('textbox', { name: 'Note' });
  const unsaved = detail(page).getByText('Changed, not saved yet.');
  const dialog = page.getByRole('dialog', { name: /^Note/ });
  const field = dialog.getByRole('textbox', { name: 'Note' });
  const openDialog = async (): Promise<void> => {
    await rows(page, /, orders, /).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Add note' }).click();
  };
  await test.step('a dialog that is closed as it was opened', async () => {
    await note.fill('from the panel');
    await openDialog();
    await expect(field).toHaveValue('from the panel');
    await field.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(note).toHaveValue('from the panel');
    await chooseTab(detail(page), 'Data');
    await chooseTab(detail(page), 'Notes');
    await expect(note).toHaveValue('from the panel');
  });
  await test.step('a dialog that is closed after an edit', async () => {
    await openDialog();
    await field.fill('from the dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(note).toHaveValue('from the panel');
  });
  await test.step('a dialog that saves', async () => {
    await openDialog();
    await field.fill('from the dialog');
    await dialog.getByRole('button', { name: 'Save note' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(note).toHaveValue('from the dialog');
    await expect(unsaved).toHaveCount(0);
  });
  await test.step('a note that another window saves later', async () => {
    await note.fill('from the panel');
    await detail(page).getByRole('button', { name: 'Save note' }).click();
    await expect(unsaved).toHaveCount(0);
    const { items } = await product.rpc('messages.list', { filter: 'topic:orders' });
    await product.rpc('messages.update', { messageId: items[0]?.messageId ?? '', note: 'from elsewhere' });
    // Opening it again asks the host.
    await product.publish('refunds', { n: 2 });
    await rows(page, /, refunds, /).click();
    await expect(note).toHaveValue('');
    await rows(page, /, orders, /).click();
    await expect(note).toHaveValue('from elsewhere');
    await expect(unsaved).toHaveCount(0);
  });
});

test('the form of an answer keeps what was typed when the only call that waits is answered elsewhere', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await openMessage(page, /, orders, .*Waiting for you/);
  await detail(page).getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  await other.getByRole('textbox', { name: 'Body' }).fill('typed');
  // The list of waiting calls comes after the report that none waits.
  calls.stall.add('mockApp.waiting');
  const { items } = await product.rpc('mockApp.waiting', {});
  const answer = { kind: 'respond', status: 200 } as const;
  await product.rpc('deliveries.answer', { deliveryId: items[0]?.deliveryId ?? '', answer });
  await expect(detail(page).getByRole('button', { name: 'Other…', includeHidden: true })).toHaveCount(0);
  calls.release();
  await expect(other.getByRole('status').getByText(/^The call is no longer waiting/)).toBeVisible();
  await expect(other.getByRole('textbox', { name: 'Body' })).toHaveValue('typed');
  await expect(other.getByRole('button', { name: 'Answer' })).toHaveAttribute('aria-disabled', 'true');
});

test('the form of an answer says what it leads to once a lost connection is back', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await product.rpc('mockApp.usePreset', { preset: 'ask' });
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/mock');
  calls.stall.add('messages.get');
  await page.getByRole('button', { name: 'Other…' }).click();
  const other = page.getByRole('dialog', { name: 'Other…' });
  await expect.poll(() => calls.wasStalled('messages.get')).toBe(true);
  calls.stall.clear();
  await calls.disconnect();
  await expect(other.getByText('Leads to')).toContainText('Processed');
});

interface Form {
  /** Beginning of the dialog's title. */
  readonly title: string;
  /** Goes to the place of the form; gives what opens it by Enter or by a key. */
  readonly opener: (page: Page) => Promise<Locator>;
  /** Steps from the opener to the dialog; default: Enter. */
  readonly open?: (page: Page, opener: Locator) => Promise<unknown>;
  /** Enters, changes or deletes something. */
  readonly enter: (dialog: Locator) => Promise<unknown>;
  /** Has no button "Cancel" in its foot. */
  readonly hasNoCancel?: true;
}

const button =
  (place: string, name: string | RegExp, tab?: string) =>
  async (page: Page): Promise<Locator> => {
    await go(page, place);
    if (tab !== undefined) await chooseTab(page, tab);
    return page.getByRole('button', { name, exact: true }).first();
  };

/** The message list with one message chosen. */
const chosen =
  (name: RegExp) =>
  async (page: Page): Promise<Locator> => {
    await go(page, 'Messages');
    await rows(page, name).first().click();
    await messages(page).focus();
    return messages(page);
  };

const inDetail =
  (name: string, message: RegExp) =>
  async (page: Page): Promise<Locator> => {
    await chosen(message)(page);
    await page.keyboard.press('Enter');
    return detail(page).getByRole('button', { name, exact: true }).first();
  };

const byKey = (key: string) => (page: Page) => page.keyboard.press(key);

const byMenu =
  (item: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: item }).click();
  };

const byPalette =
  (words: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').fill(words);
    await page
      .getByRole('option', { name: new RegExp(`^${words}`) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  };

const field =
  (name: string, text = 'entered', role: 'textbox' | 'combobox' = 'textbox') =>
  (dialog: Locator) =>
    dialog.getByRole(role, { name, exact: true }).first().fill(text);

/** Deletes the first letter of an editor. */
const inEditor = (name: string) => async (dialog: Locator) => {
  const editor = dialog.getByRole('textbox', { name });
  await expect(editor).toHaveClass(/cm-content/);
  await editor.click();
  await editor.press('ControlOrMeta+Home');
  await editor.press('Delete');
};

const FORMS: readonly Form[] = [
  {
    title: 'Edit and replay',
    opener: inDetail('Edit and replay', /, orders, .*Processed/),
    enter: inEditor('New event'),
  },
  {
    title: 'Save request',
    opener: button('Publish', 'Save'),
    enter: field('Name'),
  },
  {
    title: 'Edit and release',
    opener: inDetail('Edit and release', /, held, /),
    enter: inEditor('New event'),
  },
  {
    title: 'Edit and release',
    opener: inDetail('Edit and release', /, answered, /),
    enter: field('Status of the answer', ''),
  },
  {
    title: 'Note',
    opener: chosen(/, orders, .*Processed/),
    open: byMenu('Add note'),
    enter: field('Note'),
  },
  {
    title: 'Replay',
    opener: chosen(/, orders, .*Processed/),
    open: byPalette('Replay many…'),
    enter: (dialog) => dialog.getByRole('checkbox').first().click(),
  },
  {
    title: 'Move to dead-letter topic',
    opener: chosen(/, held, /),
    open: byKey('l'),
    enter: (dialog) => dialog.getByRole('textbox').or(dialog.getByRole('combobox')).first().fill('elsewhere'),
  },
  {
    title: 'Export',
    opener: button('Messages', 'Export'),
    enter: field('Mask values in the data'),
    hasNoCancel: true,
  },
  { title: 'Add hold', opener: button('Holds', 'Add hold'), enter: field('Name') },
  { title: 'Edit hold', opener: button('Holds', 'Edit hold "all of held"'), enter: field('Name', '') },
  { title: 'Add answer', opener: button('Mock app', 'Add answer'), enter: field('Status', '') },
  { title: 'Edit answer', opener: button('Mock app', 'Edit "first"'), enter: field('Status', '503') },
  {
    title: 'Save the answers as a preset',
    opener: button('Mock app', 'Save as preset…'),
    enter: field('Name'),
  },
  { title: 'Other…', opener: button('Mock app', 'Other…'), enter: field('Body') },
  { title: 'New file', opener: button('Components', 'New'), enter: field('File name', 'shop.yaml') },
  {
    title: 'Edit more.yaml',
    opener: button('Components', 'Edit more.yaml'),
    enter: inEditor('Text of more.yaml'),
  },
  {
    title: 'Paste a curl command',
    opener: button('Publish', 'Paste a curl command…', 'Saved'),
    enter: field('curl command'),
  },
  { title: 'Paste', opener: button('Publish', 'Paste…', 'Bulk'), enter: field('Entries') },
  { title: 'Generate entries', opener: button('Publish', 'Generate…', 'Bulk'), enter: field('How many', '') },
  {
    title: 'Columns of the file',
    opener: button('Publish', /^Import CSV/, 'Bulk'),
    open: (page) => importFile(page, 'orders.csv', 'id,total\r\n7,12.5\r\n'),
    enter: (dialog) => choose(dialog, 'Entry id', 'total'),
  },
  {
    title: 'Tap a running sidecar',
    opener: button('Settings', 'Tap a running sidecar…', 'Apps'),
    enter: field('App id (required)'),
  },
  {
    title: 'Column Topic',
    opener: async (page) => {
      await go(page, 'Messages');
      return messages(page).getByRole('columnheader', { name: 'Topic' });
    },
    open: async (page, opener) => {
      await opener.click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Width…' }).click();
    },
    enter: (dialog) => dialog.getByRole('textbox').fill('150'),
  },
  {
    title: 'Save view',
    opener: async (page) => {
      await go(page, 'Messages');
      const filter = page.getByRole('combobox', { name: 'Filter messages' });
      await filter.fill('topic:orders');
      await filter.press('Enter');
      return page.getByRole('button', { name: 'Save view' });
    },
    enter: field('Name'),
  },
];

/** Where the focus is, in words for a person who reads the failure. */
const focusNow = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: now } = document;
    return now === document.body ? 'nowhere' : (now?.getAttribute('aria-label') ?? now?.textContent ?? '');
  });

test.describe('every form', () => {
  const MORE = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata: { name: pubsub }
spec: { type: pubsub.in-memory, version: v1 }
`;
  test.use({ files: { 'more.yaml': MORE } });

  test('asks before it throws away what was entered, never otherwise, and gives the focus back', async ({
    page,
    product,
  }) => {
    test.setTimeout(300_000);
    await product.rpc('mockApp.setRules', {
      rules: [
        {
          name: 'first',
          enabled: true,
          match: { topic: 'orders' },
          answer: { kind: 'respond', status: 200 },
        },
        { name: 'asks', enabled: true, match: { topic: 'asks' }, answer: { kind: 'ask' } },
      ],
    });
    await product.rpc('holds.add', { at: 'delivery', filter: 'topic:held', name: 'all of held' });
    await product.rpc('holds.add', { at: 'response', filter: 'topic:answered', name: 'answers' });
    await product.rpc('mockApp.setSubscriptions', {
      subscriptions: ['orders', 'asks', 'held', 'answered'].map((topic) => ({
        pubsubname: 'pubsub',
        topic,
        routes: { default: `/${topic}` },
      })),
    });
    for (const topic of ['orders', 'asks', 'held', 'answered']) await product.publish(topic, { n: 1 });
    for (const { title, opener: find, open, enter, hasNoCancel } of FORMS)
      await test.step(title, async () => {
        const opener = await find(page);
        const dialog = page.getByRole('dialog', { name: new RegExp(`^${title}`) });
        const asks = dialog.getByText('Discard what you entered?');
        const shown = async (): Promise<void> => {
          await opener.focus();
          await (open === undefined ? opener.press('Enter') : open(page, opener));
          await expect(dialog).toBeVisible();
          await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0);
        };
        const gone = async (): Promise<void> => {
          await expect(dialog).toHaveCount(0);
          await expect.poll(() => focusNow(page)).not.toBe('nowhere');
          if (open === undefined) await expect(opener).toBeFocused();
        };
        const ways: readonly (() => Promise<void>)[] = [
          () => page.keyboard.press('Escape'),
          () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
          ...(hasNoCancel === true ? [] : [() => dialog.getByRole('button', { name: 'Cancel' }).click()]),
        ];
        for (const leave of ways) {
          await shown();
          await leave();
          await gone();
        }
        await shown();
        await enter(dialog);
        for (const leave of ways) {
          await leave();
          await expect(asks).toBeVisible();
          await page.keyboard.press('Escape');
          await expect(asks).toHaveCount(0);
        }
        await page.keyboard.press('Escape');
        await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
        await gone();
      });
  });
});
