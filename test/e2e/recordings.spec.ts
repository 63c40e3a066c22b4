// The history is exported, opened as a recording beside the live one, made a test, and there after a restart; by keys alone where a
// person may want it.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { readScenario } from '../../core/scenario/read-file.ts';
import { openFresh } from './call-interceptor.ts';
import { detail, go, messages, retype, rows, toast, tryNow } from './console-page.ts';
import { expect, type Product, test } from './fixture.ts';
import { openConsole } from './open-console.ts';
import { reusablePort } from './reusable-port.ts';
import { startProduct } from './product.ts';

test.use({ looksAlways: true });

/** Whether no ancestor cuts a button, and the button does not cut its own title. */
async function isWhole(button: Locator): Promise<boolean> {
  return button.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const box = around.getBoundingClientRect();
      const cuts = getComputedStyle(around).overflow !== 'visible';
      if (cuts && (left < box.left || right > box.right || top < box.top || bottom > box.bottom))
        return false;
    }
    return [element, ...element.children].every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
  });
}

/** Runs a command of the palette, by keys. */
async function run(page: Page, words: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page
    .getByRole('combobox', { name: 'Command palette' })
    .or(page.getByRole('dialog').getByRole('combobox'))
    .first()
    .fill(words);
  await page.keyboard.press('Enter');
}

/** Exports everything and gives the file's text. */
async function exported(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to a file' }).press('Enter'),
  ]);
  const text = await fs.readFile(await download.path(), 'utf8');
  return { name: download.suggestedFilename(), text };
}

test('a recording is exported, opened beside the live history, and closed again', async ({
  page,
  product,
  accessible,
}) => {
  await product.publish('orders', { orderId: 1, secret: 'hide me' });
  await product.publish('refunds', { orderId: 2 });
  await expect(rows(page, /Processed/)).toHaveCount(1);
  // The dialog opens over the list, which stays open.
  await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible();
  expect((await exported(page)).text.trim().split('\n').length).toBeGreaterThan(2);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();

  // The palette opens the same dialog over the screen that is open, with the filter of the list only where the list is.
  const dialog = page.getByRole('dialog', { name: 'Export' });
  const what = dialog.getByRole('combobox', { name: 'What' });
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('topic:orders');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await run(page, 'Export recording');
  await expect(what).toContainText('What the list shows: topic:orders');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run(page, 'Go to Health');
  await run(page, 'Export recording');
  // What is below a dialog has no role while the dialog is open.
  await expect(page.getByRole('heading', { level: 1, name: 'Health', includeHidden: true })).toBeVisible();
  await expect(what).toContainText('Everything that is kept');
  await page.getByRole('textbox', { name: 'Mask values in the data' }).fill('secret');
  const { name, text } = await exported(page);
  expect(name).toMatch(/\.sidelight\.jsonl$/);
  expect(text).not.toContain('hide me');
  await expect(toast(page, `${name} was saved: 2 messages.`)).toBeVisible();
  await go(page, 'Messages');
  await filter.fill('');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await go(page, 'Recordings');
  await accessible();

  await page
    .getByLabel('Open a recording…', { exact: true })
    .first()
    .setInputFiles({
      name: 'orders.sidelight.jsonl',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(text),
    });
  await expect(page.getByText('Recording: orders.sidelight.jsonl')).toBeVisible();
  await expect(rows(page, /orders.*Processed/)).toHaveCount(1);
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  // Nothing is marked in a recording, so nothing in it is unread.
  await expect(rows(page, /Unread.*(?:orders|refunds)|(?:orders|refunds).*Unread/)).toHaveCount(0);
  await rows(page, /orders.*Processed/).click();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await accessible();
  // Acts that a recording does not allow are disabled, and say why.
  for (const name of ['Replay', 'Edit and replay'])
    await expect(detail(page).getByRole('button', { name, exact: true })).toHaveAccessibleDescription(
      /^Recordings are read-only\./,
    );
  await detail(page).getByRole('button', { name: 'More' }).click();
  for (const name of [/^Retry now/, /^Drop/])
    await expect(page.getByRole('menuitem', { name })).toHaveAttribute('aria-disabled', 'true');
  // The reason stands once, and belongs to each act that is off.
  await expect(page.getByRole('menu').getByText(/^Recordings are read-only\./)).toHaveCount(1);
  await expect(page.getByRole('menuitem', { name: /^Drop/ })).toHaveAccessibleDescription(
    /^Recordings are read-only\./,
  );
  await accessible();
  // What changes nothing in the recording works.
  await page.getByRole('menuitem', { name: /^What if/ }).click();
  const whatIf = page.getByRole('dialog', { name: 'What if the app answered…' });
  await expect(whatIf.getByRole('row').nth(3)).toBeVisible();
  await page.keyboard.press('Escape');
  await detail(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: /^Make a mock answer/ }).click();
  await expect(page.getByRole('dialog', { name: 'Add answer' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await detail(page).getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: /^Drop/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Clear/ })).toHaveAttribute('aria-disabled', 'true');
  // "Waiting for you" counts the live history, not the recording.
  await expect(page.getByRole('button', { name: /^Waiting for you/ })).toHaveCount(0);
  // Keys of the live list do nothing here.
  await messages(page).press('r');
  expect((await product.rpc('messages.list', {})).total).toBe(2);

  // Two messages of the recording are compared, though the live history may not have them any more.
  await product.rpc('messages.delete', { filter: '' });
  await rows(page, /refunds/).click({ modifiers: ['ControlOrMeta'] });
  await messages(page).press('=');
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByText('- topic: orders')).toBeVisible();
  await expect(compared.getByText('+ topic: refunds')).toBeVisible();
  await page.keyboard.press('Escape');

  // What is selected in the recording is exported from it. The open row was selected with the other one.
  await rows(page, /, orders, /).click({ modifiers: ['ControlOrMeta'] });
  await page.getByRole('button', { name: 'Export', exact: true }).first().click();
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'What' })).toContainText(
    'orders.sidelight.jsonl: 1 selected message of 2',
  );
  const again = (await exported(page)).text;
  expect(again).toContain('"count":1,');
  expect(again).toMatch(/^\{"kind":"message",.*"topic":"refunds"/m);

  await page.getByRole('button', { name: 'Replay these…' }).click();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText('Replay 1 message of this recording?');
  await expect(asked).toContainText('what is selected');
  await page.keyboard.press('Escape');

  // The selection becomes a test by keys alone, though the live history does not have it any more.
  await page.getByRole('button', { name: 'Save as test…' }).press('Enter');
  const wizard = page.getByRole('region', { name: 'Save as test' });
  await expect(wizard.getByRole('combobox', { name: 'What' })).toContainText(
    'orders.sidelight.jsonl: 1 selected message of 2',
  );
  await expect(wizard.getByRole('cell', { name: '{orderId:2}' })).toBeVisible();
  // The comparison above it is offered, and not made by itself.
  await expect(page.getByRole('button', { name: 'Show differences' })).toBeAttached();
  await expect(page.getByRole('button', { name: 'Compare again' })).toHaveCount(0);
  await expect(wizard.getByRole('heading', { name: 'Save as test' })).toBeInViewport();
  await wizard.getByRole('button', { name: 'Skip to step 3' }).press('Enter');
  await expect(wizard.getByRole('heading', { name: 'Step 3: Title and kind of test' })).toBeFocused();
  for (const name of ['Title of the test', 'Kind of test', 'Make the test']) {
    await page.keyboard.press('Tab');
    await expect(wizard.getByLabel(name).or(wizard.getByRole('button', { name }))).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(wizard.getByRole('list', { name: 'Files of the test' })).toContainText('"topic":"refunds"');
  await page.goBack();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await page.getByRole('button', { name: 'Replay these…' }).click();
  await expect(asked).toContainText('Replay 2 messages of this recording?');
  await asked.getByRole('button', { name: 'Replay' }).click();
  await expect(toast(page, '2 replayed, 0 failed')).toBeVisible();
  expect((await product.rpc('messages.list', {})).total).toBe(2);

  // The list of recordings opens the same dialog, with the whole recording selected.
  await go(page, 'Recordings');
  const asTest = page.getByRole('button', { name: /^Save as test…: orders/ });
  await asTest.click();
  await expect(wizard.getByRole('combobox', { name: 'What' })).toContainText('orders.sidelight.jsonl');
  await expect(wizard.getByRole('heading', { name: 'Save as test' })).toBeInViewport();
  await wizard.getByRole('textbox', { name: 'Title of the test' }).fill('orders');
  await wizard.getByRole('button', { name: 'Make the test' }).click();
  const [scenario] = await Promise.all([
    page.waitForEvent('download'),
    wizard.getByRole('button', { name: 'Save orders.scenario.yaml' }).click(),
  ]);
  const made = readScenario(await fs.readFile(await scenario.path(), 'utf8'));
  expect(made).toMatchObject({ ok: true, scenario: { name: 'orders' } });
  await page.getByRole('button', { name: /^Close orders/ }).click();
  await expect(page.getByText('No recording is open.')).toBeVisible();
  await go(page, 'Messages');
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
});

test.describe('restart', () => {
  test.use({
    opensConsole: false,
    expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/],
  });

  test('the host restarts: the page comes back with everything', async ({ page, accessible }) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-data-'));
    const lost = page.getByRole('status').filter({ hasText: 'Connection to Sidelight lost' });
    let product: Product | undefined;
    try {
      const flags = ['--data-dir', folder, '--console-port', await reusablePort()];
      product = await startProduct({ flags });
      await openConsole(page, product);
      for (let orderId = 1; orderId <= 3; orderId += 1) await product.publish('orders', { orderId });
      await expect(rows(page, /Processed/)).toHaveCount(3);
      await messages(page).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('i');
      await expect(toast(page, 'Pinned.')).toBeVisible();
      await product.rpc('views.save', { name: 'Late', filter: 'age:>1h' });
      await product.rpc('holds.add', { at: 'delivery', filter: 'topic:later', name: 'for later' });
      await go(page, 'Publish');
      const form = page.getByRole('form', { name: 'Publish a message' });
      await form.getByRole('combobox', { name: 'Topic' }).fill('drafted');
      await retype(form.getByRole('textbox', { name: 'Message data' }), '{"draft":true}');
      await go(page, 'Messages');

      expect(await product.stop()).toBe(0);
      await expect(lost).toBeVisible();
      await expect(page.getByRole('button', { name: 'Hold all' })).toHaveAttribute('aria-disabled', 'true');
      await accessible();

      product = await startProduct({ flags });
      await tryNow(page);
      await expect(lost).toHaveCount(0, { timeout: 20_000 });
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '3');
      await product.publish('orders', { orderId: 4 });
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
      const { items } = await product.rpc('messages.list', { order: 'oldest' });
      expect(items.map(({ pinned }) => pinned === true)).toEqual([false, false, true, false]);
      const shown = await messages(page).getByRole('row').count();
      expect(shown - 1).toBe(items.length);

      // A page that is opened again shows all of it as well.
      await page.reload();
      await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
      await expect(page.getByRole('tab', { name: /^Late/ })).toBeVisible();
      await go(page, 'Holds');
      await expect(page.getByRole('list', { name: 'All holds' })).toContainText('for later');
      await go(page, 'Publish');
      await expect(page.getByRole('combobox', { name: 'Topic' })).toHaveValue('drafted');
      await expect(page.getByRole('textbox', { name: 'Message data' })).toContainText('{"draft":true}');
    } finally {
      expect(await product?.stop()).toBe(0);
      await fs.rm(folder, { recursive: true, force: true });
    }
  });
});

test('an open message that goes with the sample data closes', async ({ page }) => {
  await page.getByRole('button', { name: 'Send sample traffic' }).click();
  await rows(page, /Dropped/)
    .first()
    .click();
  await expect(page).toHaveURL(/[?&]m=/);
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await expect(page).not.toHaveURL(/[?&]m=/);
  await expect(page.getByRole('button', { name: 'Close detail' })).toHaveCount(0);
});

test('an open message that is no sample stays open, and one that is gone says so', async ({
  page,
  product,
}) => {
  await page.getByRole('button', { name: 'Send sample traffic' }).click();
  await product.publish('mine', { n: 1 });
  await rows(page, /, mine, /)
    .first()
    .click();
  await expect(page).toHaveURL(/[?&]m=/);
  await page.getByRole('button', { name: 'Remove sample data' }).click();
  await expect(page.getByRole('button', { name: 'Remove sample data' })).toHaveCount(0);
  await expect(page).toHaveURL(/[?&]m=/);

  await openFresh(page, '/messages?m=msg_gone');
  await expect(page.getByText('This message is no longer kept.')).toBeVisible();
  await page.getByRole('button', { name: 'Close detail' }).click();
  await expect(page.getByText('This message is no longer kept.')).toHaveCount(0);
});

test('an open recording does not offer to remove the sample data, which is in the live history', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Send sample traffic' }).click();
  const remove = page.getByRole('button', { name: 'Remove sample data' });
  await expect(remove).toBeVisible();
  await go(page, 'Recordings');
  const { name, text } = await exported(page);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a recording…' }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await expect(page.getByText('read-only', { exact: true })).toBeVisible();
  await expect(rows(page, /orders/).first()).toBeVisible();
  await expect(remove).toHaveCount(0);
});

test('an export of nothing says so and writes no file, and a recording without messages says that', async ({
  page,
  product,
}) => {
  await product.publish('orders', { orderId: 1 });
  await openFresh(page, '/messages?f=topic:nowhere');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const files: string[] = [];
  page.on('download', (download) => void files.push(download.suggestedFilename()));
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('button', { name: 'Export to a file' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'There is nothing to export: no message matches the filter.',
  );
  expect(files).toEqual([]);
  await page.keyboard.press('Escape');

  const { jobId } = await product.rpc('recordings.export', {});
  const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
  const [header = ''] = text.split('\n');
  const { recordingId } = await product.rpc('recordings.import', { name: 'empty', text: `${header}\n` });
  await openFresh(page, `/recordings?r=${recordingId}`);
  await expect(page.getByText('This recording has no messages.')).toBeVisible();
  await expect(page.getByText('Nothing has been published yet')).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Filter messages' })).toHaveCount(0);
});

test('a record from here on has every topic, whatever the list shows and is selected in it', async ({
  page,
  product,
}) => {
  await product.publish('orders', { n: 1 });
  await product.when('it has ended', async () => {
    const { total } = await product.rpc('messages.list', { filter: 'state:processed,none' });
    return total === 1 ? true : undefined;
  });
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  await filter.fill('topic:orders');
  await filter.press('Enter');
  await go(page, 'Recordings');
  const record = page.getByRole('region', { name: 'Record', exact: true });
  await record.getByRole('button', { name: 'Record from here on' }).click();
  await expect(filter).toHaveValue(/^changed:>=\S+$/);
  await product.publish('orders', { n: 2 });
  await product.publish('refunds', { n: 3 });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await rows(page, /, refunds, /).click({ modifiers: ['ControlOrMeta'] });
  await expect(rows(page, /, refunds, /)).toHaveAttribute('aria-selected', 'true');
  await go(page, 'Recordings');
  await expect(record.getByRole('status')).toContainText('The list of messages shows only these.');
  await record.getByRole('button', { name: 'Export what was recorded…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByRole('combobox', { name: 'What' })).toContainText('What was recorded since');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export to a file' }).click(),
  ]);
  const lines = (await fs.readFile(await download.path(), 'utf8')).trim().split('\n');
  const topics = lines
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly row?: { readonly topic: string } })
    .flatMap(({ kind, row }) => (kind === 'message' && row !== undefined ? [row.topic] : []));
  expect(topics).toEqual(['orders', 'refunds']);
  await record.getByRole('button', { name: 'Stop recording' }).click();
  await expect(filter).toHaveValue('topic:orders');
  await expect(
    page.getByText(/^Recording stopped\. Since .+, 2 messages arrived or changed\./),
  ).toBeVisible();
  const offer = page.getByRole('button', { name: 'Export what was recorded…' });
  for (const width of [700, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(async () => isWhole(offer)).toBe(true);
  }
  await offer.click();
  await expect(dialog.getByRole('combobox', { name: 'What' })).toContainText(
    /What was recorded since .+ until /,
  );
  const [later] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export to a file' }).click(),
  ]);
  expect((await fs.readFile(await later.path(), 'utf8')).match(/"kind":"message"/g)).toHaveLength(2);
});

test('a recording goes on whatever the list shows, until a person stops it', async ({ page, product }) => {
  await go(page, 'Recordings');
  await page.getByRole('button', { name: 'Record from here on' }).click();
  const filter = page.getByRole('combobox', { name: 'Filter messages' });
  const strip = page.getByText(/^Recording since \d\d:\d\d:\d\d/);
  await expect(strip).toBeVisible();
  await product.publish('orders', { n: 1 });
  await go(page, 'Messages');
  await expect(filter).toHaveValue('');
  await expect(strip).toBeVisible();
  await page.getByRole('tab', { name: 'All' }).click();
  await expect(strip).toContainText('The list shows other messages, too.');
  // Another time in the filter is not that of the recording: the flag takes it away, and the recording goes on.
  await filter.fill('topic:orders changed:>=2026-01-01');
  await filter.press('Enter');
  await page.getByRole('button', { name: 'Show everything again' }).click();
  await expect(filter).toHaveValue('topic:orders');
  await expect(strip).toContainText('The list shows other messages, too.');
  await page.getByRole('button', { name: 'Show only what changed since' }).click();
  await page.getByRole('button', { name: 'Show everything again' }).click();
  await expect(filter).toHaveValue('topic:orders');
  await expect(strip).toBeVisible();
  // The footer says it where the strip does not stand: in a narrow window with an open message.
  const footer = page.getByRole('contentinfo').getByText(/^Recording since /);
  await expect(footer).toHaveCount(0);
  await rows(page, /, orders, /).click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByRole('toolbar', { name: 'Actions for selected messages' })).toBeVisible();
  await expect(strip).toBeVisible();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(footer).toHaveCount(0);
  await rows(page, /, orders, /).click();
  await page.setViewportSize({ width: 640, height: 800 });
  await expect(footer).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(page, 'Apps');
  const mark = page.getByRole('contentinfo').getByRole('link', { name: /^Recording since / });
  // A duplicated tab begins with a copy of what the browser keeps for the window, as one does that the page opens.
  const [copy] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => void window.open(window.location.href)),
  ]);
  await expect(
    toast(copy, /^This window is a copy of another one\. The recording since .+ continues there, not here/),
  ).toBeVisible();
  await expect(copy.getByRole('contentinfo').getByText(/^Recording since /)).toHaveCount(0);
  await copy.close();
  await mark.click();
  await page.getByRole('button', { name: 'Show only these' }).click();
  await expect(filter).toHaveValue(/^changed:>=/);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(filter).toHaveValue('topic:orders');
  await expect(toast(page, /^Recording stopped\. Since .+, 1 message arrived or changed\./)).toBeVisible();
  await expect(strip).toHaveCount(0);
  await go(page, 'Apps');
  await expect(mark).toHaveCount(0);
});
