// Dialogs, menus and panels pass axe, and the focus returns when they close.
import type { Page } from '@playwright/test';
import { messages, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { OVERLAYS } from './overlay-list.ts';
import { withSamples } from './screens.ts';

test.use({ looksAlways: true });

/** Opened in one test, one after the other. */
const AT_ONCE = Math.ceil(OVERLAYS.length / 2);

const MORE = `apiVersion: sidelight/v1
kind: Component
metadata: { name: more }
spec: { type: pubsub.in-memory, version: v1 }
`;

/** Closes what is open by Escape; a dialog with unsaved input may ask first. */
async function close(page: Page, role: 'dialog' | 'alertdialog' | 'menu'): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole(role)).toHaveCount(0);
}

test.describe('sample traffic, and a folder of files', () => {
  test.use({ files: { 'more.yaml': MORE } });

  for (let from = 0; from < OVERLAYS.length; from += AT_ONCE) {
    const some = OVERLAYS.slice(from, from + AT_ONCE);
    test(`dialogs, menus and panels from ${some[0]?.file}`, async ({ page, product, accessible }) => {
      test.setTimeout(180_000);
      await withSamples(product, ['held', 'parked', 'processed']);
      for (const { file, role, open } of some) {
        await test.step(file, async () => {
          await open(page);
          await expect(page.getByRole(role).first()).toBeVisible();
          await expect(page.locator('[role="dialog"] [aria-busy="true"]')).toHaveCount(0);
          await expect(
            page.locator(`[role="${role}"]:focus, [role="${role}"] :focus`),
            'the focus is inside',
          ).not.toHaveCount(0);
          await accessible(`[role="${role}"]`);
          await close(page, role);
          await expect
            .poll(() => page.evaluate(() => document.activeElement !== document.body), 'the focus comes back')
            .toBe(true);
        });
      }
    });
  }
});

test.describe('a component that refuses', () => {
  test.use({
    files: {
      'pubsub.yaml': `apiVersion: sidelight/v1
kind: Component
metadata: { name: pubsub }
spec: { type: pubsub.in-memory, version: v1, metadata: [{ name: failPublish, value: rotten }] }
`,
    },
  });

  test('messages that were not replayed are listed with the reason', async ({
    page,
    product,
    accessible,
  }) => {
    await product.publish('orders', { apple: 'red' });
    const refused = await product.sidecar('/v1.0/publish/pubsub/orders', { method: 'POST', body: 'rotten' });
    expect(refused.status).toBe(500);
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
    await rows(page, /Processed/).click();
    await messages(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Replay many…');
    await page.getByRole('option', { name: /^Replay many…/ }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Replay 2 messages' });
    await dialog.getByRole('button', { name: 'Replay 2' }).click();
    await expect(page.getByText('1 replayed, 1 failed').first()).toBeVisible();
    await page.getByRole('button', { name: 'Why not' }).click();
    const reasons = page.getByRole('dialog', { name: 'What was not replayed' });
    await expect(reasons).toContainText('rotten');
    await accessible();
    await close(page, 'dialog');
  });
});

test('a tooltip of a pointer that rests does not stay over the filter that is typed', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Topics/ })
    .hover();
  const tooltip = page.locator('[data-hovered]');
  await expect(tooltip).toContainText('Topics');
  await page.keyboard.press('/');
  await expect(tooltip).toHaveCount(0);
  await page.keyboard.type('topic:orders');
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveValue('topic:orders');
  await expect(tooltip).toHaveCount(0);
  await page.getByRole('button', { name: 'Follow newest' }).hover();
  await expect(tooltip).toBeVisible();
});

test('a tooltip stays under the pointer, closes by Escape, and does not block the mouse if opened by the keyboard', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1 });
  const follow = page.getByRole('button', { name: 'Follow newest' });
  const pause = page.getByRole('button', { name: 'Pause view' });
  await follow.hover();
  const tooltip = page.locator('[data-hovered]');
  await expect(tooltip).toBeVisible();
  // The pointer crosses the gap between button and tooltip, as a hand does.
  const box = await tooltip.boundingBox();
  if (box === null) throw new Error('the tooltip has no box');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 8 });
  await accessible();
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);

  // Over a dialog a click ends the tooltip alone, Escape ends both.
  await rows(page, /Processed/).click();
  await messages(page).focus();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'Edit and replay' });
  const save = dialog.getByRole('button', { name: 'Save as request' });
  await save.hover();
  await tooltip.click();
  await expect(tooltip).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await page.mouse.move(0, 0);
  await save.hover();
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await expect(dialog).toHaveCount(0);

  await page.mouse.move(0, 0);
  await page.getByRole('combobox', { name: 'Filter messages' }).focus();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(pause).toBeFocused({ timeout: 100 });
  }).toPass();
  const byKeys = page.locator('[data-side][data-open]').filter({ hasText: 'Pause view' }).first();
  await expect(byKeys).toBeVisible();
  await expect(byKeys).toHaveCSS('pointer-events', 'none');
});
