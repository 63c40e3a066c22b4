// Acts of a person: hold and edit, retry of a parked delivery, replay with a change, dead letters sent back.
import type { Locator, Page } from '@playwright/test';
import { chooseTab, detail, go, messages, openMessage, retype, rows, toast } from '../console-page.ts';
import { expect, type Product } from '../fixture.ts';
import { queue, receivedData } from '../holds-page.ts';
import { journey } from './journey.ts';

const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

journey('hold, edit, release', async ({ page, product, accessible }) => {
  await go(page, 'Holds');
  await page.getByRole('button', { name: 'Add hold' }).click();
  const hold = page.getByRole('dialog', { name: 'Add hold' });
  await hold.getByRole('textbox', { name: 'Name' }).fill('look first');
  await hold.getByRole('radio', { name: 'At delivery' }).check();
  await hold.getByRole('combobox', { name: 'Filter' }).fill('topic:orders');
  // Leaves the field, and with it the suggestions.
  await page.keyboard.press('Tab');
  await accessible();
  await hold.getByRole('button', { name: 'Save hold' }).click();
  await expect(hold).toHaveCount(0);

  await page.keyboard.press('/');
  await expect(page.getByText('Nothing has been published yet')).toBeVisible();
  await page.keyboard.press('/');
  await expect(toast(page, 'There are no messages.')).toBeVisible();
  await product.publish('unheard', { orderId: 0 });
  const field = page.getByRole('combobox', { name: 'Filter messages' });
  await expect(field).toBeVisible();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await product.publish('orders', { orderId: 1, total: 120 });
  await product.publish('orders', { orderId: 2, total: 50 });
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Holds, 2 held' })).toBeVisible();
  await expect(field).toBeFocused();

  await go(page, 'Holds');
  await expect(queue(page).getByRole('row')).toHaveCount(2);
  await accessible();
  await queue(page).getByRole('row').first().getByRole('button', { name: 'Edit and release' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit and release' });
  await retype(editor.getByRole('textbox', { name: 'New event' }), '{\n  "orderId": 1,\n  "total": 999\n}');
  await expect(editor.getByRole('tab', { name: 'Changes 1' })).toBeVisible();
  await accessible();
  await editor.getByRole('button', { name: 'Release' }).click();
  await expect(queue(page)).toHaveAttribute('aria-rowcount', '1');
  await queue(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Nothing is held.')).toBeVisible();
  await product.when('two deliveries', async () => {
    const data = await receivedData(product);
    return data.length === 2 ? data : undefined;
  });
  expect(await receivedData(product)).toEqual([
    { orderId: 1, total: 999 },
    { orderId: 2, total: 50 },
  ]);
  await go(page, 'Messages');
  const released = rows(page, /, orders, .*Processed/).first();
  // The list and the detail show what the app got, and the original is a click away.
  await expect(released).toContainText(/edited.*orderId.*999/);
  await released.click();
  const data = detail(page).getByRole('tabpanel');
  await expect(data).toContainText(
    'A person edited this event for the delivery to the app. The app got this payload.',
  );
  await expect(data).toContainText('"total": 999');
  await accessible();
  await data.getByRole('button', { name: 'Show the original' }).click();
  await expect(data).toContainText('"total": 120');
  await data.getByRole('button', { name: 'Show the edited version' }).click();
  await expect(data).toContainText('"total": 999');
  await chooseTab(detail(page), 'Attempts');
  await expect(detail(page).getByText('-     "total": 120')).toBeVisible();
  await expect(detail(page).getByText('+     "total": 999')).toBeVisible();
});

/** Publishes a message that is parked after two quick attempts; the app answers again afterwards. */
async function park(product: Product, page: Page, orderId: number): Promise<void> {
  const twice = { maxAttempts: 2, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: twice });
  await product.rpc('mockApp.usePreset', { preset: 'everything-fails' });
  await product.publish('orders', { orderId });
  await expect(rows(page, /Parked, 2 attempts/)).toBeVisible();
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
}

journey('parked: retried, dropped, replayed; a call is cut', async ({ page, product, accessible }) => {
  await park(product, page, 1);
  await page.getByRole('tab', { name: 'Needs attention 1' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '1');
  await openMessage(page, /Parked/, 'Attempts');
  await expect(
    detail(page).getByText(
      /^All 2 attempts used; the last answer was \d+\. Parked: retry, replay or drop it\./,
    ),
  ).toBeVisible();
  await messages(page).focus();
  await page.keyboard.press('t');
  await expect(toast(page, 'Queued for attempt 3, the first of a new round.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(rows(page, /Processed, 3 attempts/)).toHaveCount(1);
  const times = detail(page).getByRole('region', { name: 'How often the app got it' });
  await expect(times).toContainText('You retried it.');
  await expect(times).toContainText(/Attempt 2 had been answered [45]\d\d/);
  await chooseTab(detail(page), 'Timeline');
  const transitions = detail(page).getByRole('table', { name: 'Transitions' });
  await expect(transitions.getByRole('row').filter({ hasText: 'You retried it.' })).toContainText(
    'user.retry',
  );

  await park(product, page, 2);
  await rows(page, /Parked/).click();
  await messages(page).focus();
  await page.keyboard.press('d');
  await expect(toast(page, 'Dropped.')).toBeVisible();
  await expect(rows(page, /Dropped, 2 attempts/)).toBeVisible();
  await accessible();
  // A notification stands at the lower left, and over no button.
  const place = await toast(page, 'Dropped.').boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(place?.x).toBeLessThan(width / 2);
  expect(place?.y).toBeGreaterThan(height / 2);
  const covered = await toast(page, 'Dropped.').evaluate((words) => {
    const { left, right, top, bottom } = words.getBoundingClientRect();
    const isUnder = (box: DOMRect): boolean =>
      box.width > 0 && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
    const buttons = [...document.querySelectorAll('main button, main [role="tab"]')];
    return buttons.filter((each) => isUnder(each.getBoundingClientRect())).map((each) => each.textContent);
  });
  expect(covered).toEqual([]);
  await notices(page).getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page, /Parked, 2 attempts/)).toBeVisible();
  await expect(detail(page).getByText('You undid the drop.').first()).toBeVisible();
  await messages(page).focus();
  await page.keyboard.press('t');
  await expect(rows(page, /Processed, 3 attempts/)).toHaveCount(2);

  await park(product, page, 3);
  await rows(page, /Parked/).click();
  await messages(page).focus();
  await page.keyboard.press('r');
  await expect(toast(page, 'Replayed to orders.')).toBeVisible();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '4');
  await notices(page).getByRole('button', { name: 'Show' }).click();
  await expect(rows(page, /Processed, 1 attempt/)).toHaveAttribute('aria-selected', 'true');
  await expect(rows(page, /Parked, 2 attempts/)).toBeVisible();
  await chooseTab(detail(page), 'Envelope');
  await expect(detail(page).getByRole('link', { name: /^Replay of/ })).toBeVisible();

  const later = { maxAttempts: 5, firstDelayMs: 600_000, factor: 1, maxDelayMs: 600_000 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: later });
  await product.rpc('mockApp.usePreset', { preset: 'hang' });
  await product.publish('orders', { orderId: 4 });
  await openMessage(page, /Attempting, 1 attempt/, 'Attempts');
  await messages(page).focus();
  await page.keyboard.press('d');
  const refused = 'The app already has it; wait for the answer or cancel the call.';
  await expect(toast(page, refused)).toBeVisible();
  await detail(page).getByRole('button', { name: 'Cancel call' }).click();
  await expect(rows(page, /Retrying, 1 attempt, last answer no answer/)).toBeVisible();
  await expect(detail(page).getByRole('article', { name: /^Attempt 1, no answer, Retrying$/ })).toContainText(
    'You cancelled the call.',
  );
});

journey('edit and replay with diff', async ({ page, product, accessible }) => {
  await product.publish('orders', { orderId: 1, total: 120 });
  await rows(page, /Processed/).click();
  await messages(page).focus();
  await page.keyboard.press('e');
  const editor = page.getByRole('dialog', { name: 'Edit and replay' });
  await retype(editor.getByRole('textbox', { name: 'New event' }), '{\n  "orderId": 1,\n  "total": 999\n}');
  await accessible();
  await editor.getByRole('tab', { name: 'Changes 1' }).click();
  await expect(editor.getByText('-   "total": 120')).toBeVisible();
  await expect(editor.getByText('+   "total": 999')).toBeVisible();
  await accessible();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(editor).toHaveCount(0);
  await expect(toast(page, 'Replayed to orders.')).toBeVisible();
  await notices(page).getByRole('button', { name: 'Show' }).click();
  await expect(detail(page).getByText('"total": 999')).toBeVisible();
  await expect(rows(page, /Processed/).last()).toHaveAttribute('aria-selected', 'true');
  await detail(page).getByRole('button', { name: 'Compare with original' }).click();
  const compare = page.getByRole('dialog', { name: 'Compare messages' });
  await expect(compare.getByRole('status')).toHaveText('1 changed line');
  await accessible();
  await page.keyboard.press('Escape');
  await rows(page, /Processed/)
    .first()
    .click();
  await expect(detail(page).getByText('"total": 120')).toBeVisible();
  const { items } = await product.rpc('messages.list', { order: 'oldest' });
  expect(items.map(({ source }) => source)).toEqual(['http', 'replay']);
});

journey('dead letters, back to where they came from', async ({ page, product, accessible }) => {
  const once = { maxAttempts: 1, firstDelayMs: 10, factor: 1, maxDelayMs: 10 };
  await product.rpc('settings.set', { key: 'delivery.retry', value: once });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/o' }, deadLetterTopic: 'orders-dead' },
    ],
  });
  await product.rpc('mockApp.usePreset', { preset: 'S8' });
  await product.publish('orders', { orderId: 1 });
  await product.publish('orders', { orderId: 2 });
  await expect(rows(page, /, orders, .*Dead-lettered, 1 attempt, last answer/)).toHaveCount(2);
  await expect(rows(page, /, orders-dead, /)).toHaveCount(2);
  await product.rpc('mockApp.usePreset', { preset: 'everything-succeeds' });
  // The copy on the dead-letter topic has the same event id, and nobody published it again.
  await rows(page, /, orders, .*Dead-lettered/)
    .first()
    .click();
  await chooseTab(detail(page), 'Attempts');
  await expect(detail(page).getByText('The app got it once.')).toBeVisible();
  await expect(detail(page).getByText(/^The event id/)).toHaveCount(0);
  await detail(page).getByRole('button', { name: 'Close detail' }).click();

  await page.getByRole('tab', { name: 'Dead-lettered 2' }).click();
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  await messages(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  const bar = page.getByRole('toolbar', { name: 'Actions for selected messages' });
  await accessible();
  await bar.getByRole('button', { name: 'Replay and remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replay 2 and remove' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await accessible();
  await dialog.getByRole('button', { name: 'Replay 2 and remove' }).click();
  await expect(page.getByText('2 replayed, 0 failed').first()).toBeVisible();
  await expect(page.getByText('No message matches this filter.')).toBeVisible();
  await accessible();
  await page.getByRole('button', { name: 'Clear filter' }).first().click();
  await expect(rows(page, /, orders, .*Processed/)).toHaveCount(2);
});
