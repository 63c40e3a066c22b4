// Keys alone: the first run and the publish form.
import type { Locator, Page } from '@playwright/test';
import { detail, messages, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

/** Presses Tab until `target` has the focus; it must come within `most` steps and look focused. */
async function tabTo(page: Page, target: Locator, most = 40): Promise<void> {
  for (let steps = 0; steps < most; steps += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) {
      // The editor draws its own focus a moment after it has it.
      await expect
        .poll(() => target.evaluate(isMarked), { message: `the focus is seen on ${target.toString()}` })
        .toBe(true);
      await expect(target).toBeInViewport();
      return;
    }
  }
  throw new Error(`Tab did not come to ${target.toString()}`);
}

/** Runs in the page: an outline of its own, of the editor around it, or drawn over it. */
function isMarked(element: Element): boolean {
  const { parentElement } = element;
  const styles = [
    getComputedStyle(element).outlineStyle,
    ...[...document.querySelectorAll('.cm-editor:focus-within')].map(
      (each) => getComputedStyle(each).outlineStyle,
    ),
    ...(parentElement === null ? [] : [getComputedStyle(parentElement, '::after').borderTopStyle]),
  ];
  return styles.some((style) => style !== 'none');
}

test('with the keyboard alone a person sends sample traffic, opens a message and its parts, goes back, and publishes', async ({
  page,
}) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(
    page.getByText('Sidelight is a local pub/sub sidecar that shows what happens to every message.'),
  ).toBeInViewport();
  await tabTo(page, page.getByRole('button', { name: 'Send sample traffic' }));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Sample traffic sent.')).toBeVisible();
  await expect(rows(page, /Parked/)).toBeVisible();

  // The pressed button is gone with its page.
  await expect(messages(page)).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('n');
  const current = messages(page).locator('[aria-selected="true"]');
  await expect(current).toHaveAccessibleName(/Parked|Dead-lettered|Expired/);
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await expect(messages(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(detail(page)).toBeFocused();
  await tabTo(page, detail(page).getByRole('tab', { name: 'Data' }));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(detail(page).getByRole('tab', { name: /^Attempts/ })).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, detail(page).getByRole('article').getByRole('button', { name: 'Rule' }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Why this happened' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail(page).getByRole('article').getByRole('button', { name: 'Rule' }).first()).toBeFocused();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await page.keyboard.type('remove sample');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Sidelight is a local pub\/sub sidecar that shows/)).toBeVisible();
  await expect(page.getByText('Nothing has been published yet')).toBeVisible();

  await test.step('a message from the form; the editor lets Tab go on', async () => {
    await page.keyboard.press('p');
    const form = page.getByRole('form', { name: 'Publish a message' });
    await expect(form.getByRole('combobox', { name: 'Topic' })).toBeFocused();
    await page.keyboard.type('orders');
    const editor = form.getByRole('textbox', { name: 'Message data' });
    await tabTo(page, editor);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('{"orderId":11}');
    await tabTo(page, form.getByRole('button', { name: 'Publish' }));
    await page.keyboard.press('Enter');
    await expect(form.getByRole('status').filter({ hasText: 'Message delivered.' })).toBeVisible();
    await tabTo(page, form.getByRole('button', { name: 'Show message' }));
    await page.keyboard.press('Enter');
    await expect(rows(page, /, orders, .*Processed/)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await expect(editor).toContainText('{"orderId":11}');
  });
});

/** Keys of a person who types faster than the page draws: none waits for the one before it. */
async function typeAtOnce(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const key = (type: 'keyDown' | 'keyUp', char: string, modifiers: number) =>
    session.send('Input.dispatchKeyEvent', {
      type,
      key: char,
      code: `Key${char.toUpperCase()}`,
      windowsVirtualKeyCode: char.toUpperCase().charCodeAt(0),
      modifiers,
      ...(type === 'keyDown' && modifiers === 0 ? { text: char } : {}),
    });
  const CTRL = 2;
  await Promise.all([
    key('keyDown', 'k', CTRL),
    key('keyUp', 'k', CTRL),
    ...Array.from(text).flatMap((char) => [key('keyDown', char, 0), key('keyUp', char, 0)]),
  ]);
  await session.detach();
}

test('a screen that has the focus after a change shows it, and has it again after the palette', async ({
  page,
}) => {
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  const main = page.getByRole('main', { name: 'Health' });
  await expect(main).toBeFocused();
  await expect(main).not.toHaveCSS('outline-style', 'none');
  // Without a control inside nothing could take the focus from the screen.
  await expect(main.getByRole('button').first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(main).toBeFocused();
});

test('letters that are typed right after Ctrl+K are in the field of the palette', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await expect(rows(page, /, orders/)).toHaveCount(1);
  const field = page.getByRole('combobox', { name: 'Search or run a command' });
  for (let time = 1; time <= 20; time += 1) {
    await messages(page).focus();
    await typeAtOnce(page, 'dlph');
    await expect(field, `time ${time}`).toHaveValue('dlph');
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
    await expect(messages(page)).toBeFocused();
  }
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('keys of a list work while nothing in particular has the focus: after a load, and after going to its screen', async ({
  page,
  product,
}) => {
  for (const orderId of [1, 2, 3]) await product.publish('orders', { orderId });
  await page.reload();
  await expect(rows(page, /, orders, /)).toHaveCount(3);
  await expect(page.locator('body')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(messages(page)).toBeFocused();
  const current = messages(page).locator('[aria-selected="true"]');
  await expect(current).toHaveAccessibleDescription(/orderId:1/);
  await page.keyboard.press('ArrowDown');
  await expect(current).toHaveAccessibleDescription(/orderId:2/);

  await test.step('another screen and back', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('h');
    await expect(page.getByRole('heading', { level: 1, name: 'Holds' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await expect(messages(page)).toBeFocused();
    await page.keyboard.press('End');
    await expect(current).toHaveAccessibleDescription(/orderId:3/);
    await page.keyboard.press('Enter');
    await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  });

  await test.step('the chosen message of the queue has the keys that act on it', async () => {
    await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
    await product.publish('orders', { orderId: 4 });
    await page.getByRole('link', { name: /^Holds/ }).click();
    await expect(page.getByRole('grid', { name: 'Held messages' }).getByRole('row')).toHaveCount(1);
    // Enter, which releases it, needs the focus: it may have been meant for something that is gone.
    await page.getByRole('heading', { level: 1, name: 'Holds' }).click();
    await page.keyboard.press('Enter');
    await page.keyboard.press('e');
    await expect(page.getByRole('dialog', { name: 'Edit and release' })).toBeVisible();
  });
});
