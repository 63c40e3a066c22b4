// What a form says of changes in another window, and how a form is saved that has not heard of one.
import type { Locator, Page } from '@playwright/test';
import type { CallInterceptor } from './call-interceptor.ts';
import { go } from './console-page.ts';
import { expect, type Product } from './fixture.ts';

/** The sentence beside a field that was changed elsewhere, with its two buttons. */
export const changes = (within: Locator | Page): Locator =>
  within.getByRole('alert').filter({ hasText: /changed elsewhere/i });

/** The hold that both windows edit. */
export const addHold = (product: Product) =>
  product.rpc('holds.add', { at: 'delivery', filter: 'topic:a', name: 'mine' });

/** The hold with its editor open. */
export async function editHold(page: Page, product: Product) {
  const { holdId } = await addHold(product);
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Edit hold "mine"' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit hold' });
  return {
    holdId,
    dialog,
    name: dialog.getByRole('textbox', { name: 'Name' }),
    filter: dialog.getByRole('combobox', { name: 'Filter' }),
  };
}

/** The value of a setting. */
export async function valueOf(product: Product, wanted: string): Promise<unknown> {
  return (await product.rpc('settings.get', {})).items.find(({ key }) => key === wanted)?.value;
}

/** The row of a setting. */
export const settingRow = (page: Page, key: string): Locator => page.locator('form').filter({ hasText: key });

/** The row of the retry policy, whose name is that of a group. */
export const policyRow = (page: Page): Locator =>
  page.locator('form').filter({ has: page.getByRole('group', { name: 'Retry policy', exact: true }) });

/** A form that is saved before it shows what another window has changed meanwhile. */
interface Unseen {
  /** Method by which the page learns of the change. */
  readonly read: 'settings.get' | 'holds.list' | 'mockApp.get';
  /** A part of the screen that is there once the page has read the value for the first time. */
  readonly ready: Locator;
  readonly edit: () => Promise<unknown>;
  readonly changeElsewhere: () => Promise<unknown>;
  readonly save: Locator;
}

/**
 * Edits and saves the form. A screen may ask once more after it was opened, and hears of the change by itself: it gets no answer from
 * before the edit on, so that it shows the change after the press. What it asked before is answered before the change, too: a host under
 * load reads the change first, and the press would save over a change that the screen shows.
 */
export async function saveUnseen(calls: CallInterceptor, form: Unseen): Promise<void> {
  await expect(form.ready).toBeVisible();
  calls.stall.add(form.read);
  await expect.poll(() => calls.areAnswered(form.read)).toBe(true);
  await form.edit();
  await form.changeElsewhere();
  await form.save.click();
  calls.release();
}

/** Edits and saves a row of Settings like that. */
export function saveSettingUnseen(
  calls: CallInterceptor,
  row: Locator,
  edit: Unseen['edit'],
  changeElsewhere: Unseen['changeElsewhere'],
): Promise<void> {
  const save = row.getByRole('button', { name: 'Save' });
  return saveUnseen(calls, { read: 'settings.get', ready: row, edit, changeElsewhere, save });
}

/** The answer "one" that both windows edit. */
export const answerOne = (topic: string, status = 200) => ({
  ruleId: 'r1',
  name: 'one',
  enabled: true,
  match: { topic },
  answer: { kind: 'respond' as const, status },
});

/** Opens the editor of that answer. */
export async function editAnswer(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Edit "one"' }).click();
  return page.getByRole('dialog', { name: 'Edit answer' });
}
