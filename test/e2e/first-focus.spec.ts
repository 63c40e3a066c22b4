// A dialog gives the focus to what is to have it first, also when that is opened first after a load and its parts come late.
import type { Page } from '@playwright/test';
import { openFresh } from './call-interceptor.ts';
import { messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';

const COMPONENT = `apiVersion: sidelight/v1
kind: Component
metadata: { name: more }
spec: { type: pubsub.in-memory, version: v1 }
`;

/** Lets files of the page come only once the returned function is called, however late they are asked for. */
async function holdBack(page: Page, files: string | RegExp): Promise<() => void> {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route(files, async (route) => {
    await gate;
    await route.continue();
  });
  return open;
}

/** Draws few frames, so that much happens between two of them: the library moves the focus of a dialog in the frame after it decided. */
async function withSlowFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const draw = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (run) => Number(setTimeout(() => draw(run), 400));
    window.cancelAnimationFrame = (id) => clearTimeout(id);
  });
}

test('the editor has the focus when a dialog is opened first after a load, and is not asked twice', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  await product.publish('refunds', { total: 7 });

  for (const [name, title] of [
    [/, orders, .*Held/, 'Edit and release'],
    [/, refunds, /, 'Edit and replay'],
  ] as const) {
    await test.step(title, async () => {
      await openFresh(page, '/messages');
      await withSlowFrames(page);
      await rows(page, name).click();
      await messages(page).focus();
      await page.keyboard.press('e');
      const editor = page.getByRole('dialog', { name: title }).getByRole('textbox', { name: 'New event' });
      await expect(editor).toBeFocused();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText('{"total":1}');
      await expect(editor).toContainText('{"total":1}');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
  }
  const { items } = await product.rpc('messages.list', { filter: 'data.total:1' });
  expect(items).toHaveLength(2);
});

test('keys that run a dialog do nothing before its editor is there', async ({ page, product }) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'look first' });
  await product.publish('orders', { total: 120 });
  const come = await holdBack(page, '**/MergeEditor*');
  await openFresh(page, '/messages');
  await rows(page, /, orders, .*Held/).click();
  await messages(page).focus();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and release' });
  await expect(dialog.getByRole('combobox', { name: 'Content type' })).toHaveValue('application/json');
  await page.keyboard.press('ControlOrMeta+Enter');
  const said = dialog.getByText('The editor was still loading, so nothing was sent.');
  await expect(said).toBeVisible();
  await expect(dialog).toBeFocused();
  // A person who has gone to another field stays there, and its keys do not run the dialog either.
  const type = dialog.getByRole('combobox', { name: 'Content type' });
  await type.focus();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(said).toBeVisible();
  come();
  const editor = dialog.getByRole('textbox', { name: 'New event' });
  await expect(editor).toBeVisible();
  await expect(type).toBeFocused();
  const held = await product.rpc('messages.list', { filter: 'state:held' });
  expect(held.items).toHaveLength(1);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(dialog).toHaveCount(0);
});

test('keys that are pressed before a dialog is loaded reach nothing behind it', async ({ page, product }) => {
  await product.publish('orders', { total: 120 });
  const come = await holdBack(page, /\/assets\/(EditReplay|MergeEditor)[^/]*\.js$/);
  await openFresh(page, '/messages');
  await rows(page, /, orders, .*Processed/).click();
  await messages(page).focus();
  await page.keyboard.press('e');
  await page.keyboard.press('p');
  await expect(page.getByRole('dialog', { name: 'Loading' })).toBeFocused();
  await page.keyboard.press('r');
  come();
  const editor = page
    .getByRole('dialog', { name: 'Edit and replay' })
    .getByRole('textbox', { name: 'New event' });
  await expect(editor).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(messages(page)).toBeFocused();
  expect((await product.rpc('messages.list', {})).items).toHaveLength(1);
});

test('a note has the focus in its field, and the list of keys in its search', async ({ page, product }) => {
  await product.publish('orders', { total: 120 });
  for (const [open, name] of [
    [async () => page.keyboard.press('?'), 'Find a shortcut'],
    [
      async () => {
        await page.keyboard.press('Shift+F10');
        await page.getByRole('menuitem', { name: 'Add note' }).click();
      },
      'Note',
    ],
  ] as const) {
    await test.step(name, async () => {
      const come = await holdBack(page, /\/assets\/(NoteDialog|ShortcutSheet)[^/]*\.js$/);
      await openFresh(page, '/messages');
      await rows(page, /, orders, /).click();
      await messages(page).focus();
      await open();
      await expect(page.getByRole('dialog', { name: 'Loading' })).toBeFocused();
      come();
      const field = page.getByRole('dialog').getByLabel(name, { exact: true });
      await expect(field).toBeFocused();
      await page.keyboard.insertText('late');
      await expect(field).toHaveValue('late');
    });
  }
});

test.describe('a folder of files', () => {
  test.use({ files: { 'more.yaml': COMPONENT } });

  test('the text of a file has the focus, also while its editor is still coming, and what is typed goes on', async ({
    page,
  }) => {
    const come = await holdBack(page, '**/CodeMirror*');
    await openFresh(page, '/components');
    await withSlowFrames(page);
    await page.getByRole('button', { name: 'Edit more.yaml' }).first().click();
    const text = page.getByRole('dialog').getByRole('textbox', { name: /more\.yaml/ });
    await expect(text).toBeFocused();
    await page.keyboard.insertText('# first');
    come();
    await expect(page.locator('.cm-content[data-focus-first]')).toBeFocused();
    await page.keyboard.insertText('# second');
    await expect(text).toContainText('# first# second');
  });
});
