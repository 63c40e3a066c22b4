// Every dialog, menu and panel by the file that draws it, with the steps that open it when sample traffic is there.
import type { Page } from '@playwright/test';
import { chooseTab, detail, go, messages, openMessage, rows } from './console-page.ts';

interface Opening {
  /** File under renderer/ that draws it. */
  readonly file: string;
  /** Role of what opens. */
  readonly role: 'dialog' | 'alertdialog' | 'menu';
  /** Goes to the place and opens it. */
  readonly open: (page: Page) => Promise<void>;
}

const PROCESSED = /, orders, .*Processed/;

async function inList(page: Page, name: RegExp = PROCESSED): Promise<void> {
  // What was opened before left the message chosen.
  const chosen = page.locator('[role="grid"][aria-label="Messages"] [role="row"][aria-selected="true"]');
  const names = await chosen.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
  if (names.length !== 1 || !name.test(names[0] ?? '')) {
    await go(page, 'Messages');
    await rows(page, name).first().click();
  }
  await messages(page).focus();
}

/** Opens a message and presses a key of the list. */
const byKey =
  (key: string, name?: RegExp) =>
  async (page: Page): Promise<void> => {
    await inList(page, name);
    await page.keyboard.press(key);
  };

/** Runs a command of the palette with a message chosen. */
const byCommand =
  (words: string, name?: RegExp) =>
  async (page: Page): Promise<void> => {
    await inList(page, name);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('combobox').fill(words);
    await page
      .getByRole('option', { name: new RegExp(`^${words}`) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  };

/** Opens a message and presses a button of its detail. */
const inDetail =
  (name: string, message: RegExp = PROCESSED) =>
  async (page: Page): Promise<void> => {
    await inList(page, message);
    await page.keyboard.press('Enter');
    await detail(page).getByRole('button', { name, exact: true }).first().click();
  };

/** Presses a button of a screen. */
const byButton =
  (screen: string, name: string | RegExp, tab?: string) =>
  async (page: Page): Promise<void> => {
    await go(page, screen);
    if (tab !== undefined) await chooseTab(page, tab);
    await page.getByRole('button', { name, exact: true }).first().click();
  };

/** One line for each way to open an overlay; test/renderer/overlay-list.test.ts fails when a file of the console is missing here. */
export const OVERLAYS: readonly Opening[] = [
  { file: 'frame/Palette.tsx', role: 'dialog', open: byKey('ControlOrMeta+k') },
  { file: 'frame/ShortcutSheet.tsx', role: 'dialog', open: byKey('?') },
  { file: 'frame/Bell.tsx', role: 'dialog', open: byButton('Messages', 'Notifications') },
  { file: 'frame/StartInfo.tsx', role: 'dialog', open: byButton('Messages', /^Started /) },
  {
    file: 'frame/FilterHelp.tsx',
    role: 'dialog',
    open: async (page) => {
      await go(page, 'Messages');
      await page.getByRole('combobox', { name: 'Filter messages' }).press('F1');
    },
  },
  {
    file: 'views/messages/WaitingForYou.tsx',
    role: 'dialog',
    open: byButton('Messages', /^Waiting for you/),
  },
  { file: 'views/messages/ColumnChoice.tsx', role: 'dialog', open: byButton('Messages', 'Columns') },
  {
    file: 'views/messages/SelectionBar.tsx',
    role: 'menu',
    open: async (page) => {
      await byKey('ControlOrMeta+a')(page);
      const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
      await bar.getByRole('button', { name: 'More' }).click();
    },
  },
  { file: 'views/messages/MessageList.tsx', role: 'menu', open: byKey('Shift+F10') },
  { file: 'views/act-dialogs/EditReplay.tsx', role: 'dialog', open: byKey('e') },
  {
    file: 'views/act-dialogs/EditRelease.tsx',
    role: 'dialog',
    open: inDetail('Edit and release', /, Held,/),
  },
  { file: 'views/act-dialogs/ReplayMany.tsx', role: 'dialog', open: byCommand('Replay many…') },
  {
    file: 'views/act-dialogs/NoteDialog.tsx',
    role: 'dialog',
    open: async (page) => {
      await byKey('Shift+F10')(page);
      await page.getByRole('menuitem', { name: 'Add note' }).click();
    },
  },
  { file: 'views/act-dialogs/WhatIfDialog.tsx', role: 'dialog', open: byCommand('What if') },
  { file: 'views/act-dialogs/DeadLetterDialog.tsx', role: 'dialog', open: byKey('l', /, Parked,/) },
  {
    file: 'views/act-dialogs/CompareDialog.tsx',
    role: 'dialog',
    open: async (page) => {
      await inList(page);
      for (const key of ['Home', 'x', 'ArrowDown', 'x', '=']) await page.keyboard.press(key);
    },
  },
  {
    file: 'components/RulePopover.tsx',
    role: 'dialog',
    open: async (page) => {
      await go(page, 'Messages');
      await openMessage(page, PROCESSED, 'Attempts');
      await page.getByRole('button', { name: 'Rule' }).first().click();
    },
  },
  { file: 'components/detail/DetailHead.tsx', role: 'menu', open: inDetail('Copy') },
  { file: 'components/detail/HeadActs.tsx', role: 'menu', open: inDetail('More') },
  { file: 'components/detail/AllFacts.tsx', role: 'dialog', open: inDetail('All facts') },
  { file: 'views/recordings/ExportDialog.tsx', role: 'dialog', open: byButton('Messages', 'Export') },
  { file: 'views/holds/HoldEditor.tsx', role: 'dialog', open: byButton('Holds', 'Add hold') },
  { file: 'frame/Overlays.tsx', role: 'alertdialog', open: byButton('Holds', /^Release all/) },
  {
    file: 'views/settings/RevokeKeys.tsx',
    role: 'alertdialog',
    open: byButton('Settings', 'Revoke the keys of all browsers', 'About'),
  },
  { file: 'views/mock-app/RuleEditor.tsx', role: 'dialog', open: byButton('Mock app', 'Add answer') },
  { file: 'views/mock-app/PresetBar.tsx', role: 'dialog', open: byButton('Mock app', 'Save as preset…') },
  { file: 'views/components/FileEditor.tsx', role: 'dialog', open: byButton('Components', /^New/) },
  { file: 'views/publish/SingleForm.tsx', role: 'menu', open: byButton('Publish', 'Copy as') },
  {
    file: 'views/publish/CurlDialog.tsx',
    role: 'dialog',
    open: byButton('Publish', 'Paste a curl command…', 'Saved'),
  },
  { file: 'views/publish/PasteDialog.tsx', role: 'dialog', open: byButton('Publish', 'Paste…', 'Bulk') },
  {
    file: 'views/publish/GenerateDialog.tsx',
    role: 'dialog',
    open: byButton('Publish', 'Generate…', 'Bulk'),
  },
  {
    file: 'views/publish/BulkTools.tsx',
    role: 'menu',
    open: async (page) => {
      await byButton('Publish', 'Add entry', 'Bulk')(page);
      await page.getByRole('button', { name: 'Test the error answers' }).click();
    },
  },
  // The last one, because of the filter that it leaves behind.
  {
    file: 'views/messages/SaveView.tsx',
    role: 'dialog',
    open: async (page) => {
      await go(page, 'Messages');
      const field = page.getByRole('combobox', { name: 'Filter messages' });
      await field.fill('topic:orders');
      await field.press('Enter');
      await page.getByRole('button', { name: 'Save view' }).click();
    },
  },
];

/** Needs more than a click to open; the journey that opens it looks at it there. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'frame/JobStrip.tsx': 'overlays.spec.ts',
  'views/holds/AnswerMenu.tsx': 'holds.spec.ts',
  'components/SaveDialog.tsx': 'saved-requests.spec.ts',
  'views/messages/ColumnWidth.tsx': 'columns.spec.ts',
  'views/messages/HeadRow.tsx': 'columns.spec.ts',
  'views/messages/ViewTabs.tsx': 'saved-views.spec.ts',
  'components/detail/AnswerDock.tsx': 'answer-dock.spec.ts',
  'views/mock-app/OtherAnswer.tsx': 'ask-me.long.spec.ts',
  'views/publish/MappingDialog.tsx': 'bulk-publish.spec.ts',
  'views/settings/AppsSection.tsx': 'settings.spec.ts',
  'components/connect/TapDialog.tsx': 'taps.spec.ts',
  'views/settings/taps/TapsPart.tsx': 'taps.spec.ts',
};
