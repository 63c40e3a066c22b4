// Locators and steps that many journeys share: the message list, the detail, tabs, notifications.
import type { Locator, Page } from '@playwright/test';
import { expect } from './expect.ts';

/** The grid of the Messages screen. */
export const messages = (page: Page): Locator => page.getByRole('grid', { name: 'Messages' });

/** Rows of the list whose accessible name matches. */
export const rows = (page: Page, name: RegExp): Locator => messages(page).getByRole('row', { name });

/** The panel of the open message. */
export const detail = (page: Page): Locator => page.locator('#message-detail');

/** A notification at the lower left. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text);

/** Goes to a screen by the navigation and waits until it is there. */
export async function go(page: Page, screen: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen });
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
}

/** Chooses a tab, whatever amount stands behind its title. */
export async function chooseTab(within: Page | Locator, title: string): Promise<void> {
  const tab = within.getByRole('tab', { name: new RegExp(`^${title}( \\d+)?$`) });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** Opens a list of values and chooses one; the option may carry more than its title. */
export async function choose(
  within: Page | Locator,
  label: string,
  title: string,
  group?: string,
): Promise<void> {
  await within.getByRole('combobox', { name: label, exact: true }).click();
  const page = 'page' in within ? within.page() : within;
  const list = group === undefined ? page : page.getByRole('group', { name: group });
  await list
    .getByRole('option')
    .filter({ has: page.getByText(title, { exact: true }) })
    .click();
}

/** Opens a message of the list and one of its tabs. */
export async function openMessage(page: Page, name: RegExp, tab?: string): Promise<void> {
  await rows(page, name).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  if (tab !== undefined) await chooseTab(detail(page), tab);
}

/** Makes the answers of the mock app what the preset says. */
export async function usePreset(page: Page, title: string, group = 'Single delivery'): Promise<void> {
  await go(page, 'Mock app');
  await choose(page, 'Preset', title, group);
  await expect(toast(page, `Preset "${title}" is used.`).first()).toBeVisible();
}

/** Replaces the text of an editor as a person does: all of it chosen, then typed over. */
export async function retype(editor: Locator, text: string): Promise<void> {
  // A plain field stands in until the editor has come; what is typed while they change places would be lost.
  await expect(editor).toHaveClass(/cm-content/);
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await editor.page().keyboard.insertText(text);
}

/** Presses "Try now", unless the console has come back by itself in the same moment and the button is gone. */
export async function tryNow(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try now', exact: true });
  await Promise.race([button.press('Enter'), expect(button).toHaveCount(0)]);
}
