// A double click, a key that is held down, and Enter beside a click: what a person means once is done once.
import type { Locator, Page } from '@playwright/test';
import { form, grid, openBulk } from './bulk-page.ts';
import { DISK_FULL, interceptCalls, openFresh } from './call-interceptor.ts';
import { detail, go, messages, openMessage, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { queue } from './holds-page.ts';

/** The first click of a double click; the second one follows by `again`, wherever the pointer is then. */
async function click(page: Page, button: Locator): Promise<{ readonly again: () => Promise<void> }> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('the button is not drawn');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  return {
    async again() {
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
    },
  };
}

test('the second click of a double click does not press the button that takes the place of the first one', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'all orders' });
  for (const n of [1, 2, 3]) await product.publish('orders', { n });
  await go(page, 'Holds');
  await expect(queue(page).getByRole('row')).toHaveCount(3);
  const release = queue(page).getByRole('button', { name: 'Release', exact: true }).first();
  const { again } = await click(page, release);
  await expect(queue(page).getByRole('row')).toHaveCount(2);
  await again();
  // The switch asks the host after the click, so by its answer a second release would be done.
  await page.getByRole('switch', { name: 'Enable hold "all orders"' }).click();
  await expect.poll(async () => (await product.rpc('holds.list', {})).items[0]?.enabled).toBe(false);
  expect((await product.rpc('holds.queue', {})).total).toBe(2);
});

test('an answer and a release are given once while the host has not answered', async ({ page, product }) => {
  const calls = await interceptCalls(page);
  await test.step('an answer to a call that waits', async () => {
    await product.rpc('mockApp.usePreset', { preset: 'ask' });
    await product.publish('orders', { n: 1 });
    await openFresh(page, '/mock');
    const waiting = page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
    const success = waiting.getByRole('button', { name: 'SUCCESS' });
    calls.stall.add('deliveries.answer');
    await success.click();
    await expect(success).toHaveAttribute('aria-disabled', 'true');
    await success.press('1');
    calls.release();
    await expect(toast(page, 'Answered.')).toBeVisible();
    await expect(waiting).toHaveCount(0);
    await product.rpc('mockApp.setRules', { rules: [] });
  });
  await test.step('a release from the queue', async () => {
    await product.rpc('holds.add', { at: 'publish', filter: 'topic:held', name: 'some' });
    for (const n of [2, 3]) await product.publish('held', { n });
    await go(page, 'Holds');
    await expect(queue(page).getByRole('row')).toHaveCount(2);
    const release = queue(page).getByRole('button', { name: 'Release', exact: true });
    calls.stall.add('deliveries.release');
    await release.first().click();
    await expect(release.first()).toHaveAttribute('aria-disabled', 'true');
    await expect(release.last()).not.toHaveAttribute('aria-disabled', 'true');
    await queue(page).focus();
    await page.keyboard.press('Enter');
    calls.release();
    await expect(queue(page).getByRole('row')).toHaveCount(1);
  });
  await expect(
    page.getByRole('region', { name: 'Notifications' }).locator('[data-kind="failed"]'),
  ).toHaveCount(0);
});

test('quick clicks in one place remove one entry of a form, or close one notification, each', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await product.publish('orders', { n: 1 });
  await openFresh(page, '/messages');
  await test.step('notifications', async () => {
    await openMessage(page, /, orders, .*Processed/);
    calls.refuse.add('messages.update');
    const dismiss = page.getByRole('button', { name: 'Dismiss' });
    // Each refusal makes a card of its own, and the marks tell those that were seen before.
    const fresh = page
      .getByRole('region', { name: 'Notifications' })
      .locator('[data-kind="failed"]:not([data-seen])')
      .filter({ hasText: DISK_FULL });
    for (let times = 0; times < 3; times += 1) {
      await messages(page).focus();
      await page.keyboard.press('i');
      await fresh.evaluate((card) => card.setAttribute('data-seen', ''));
    }
    await dismiss.click({ clickCount: 3 });
    await expect(dismiss).toHaveCount(0);
  });
  await test.step('entries of a bulk publish', async () => {
    await openBulk(page);
    const add = form(page).getByRole('button', { name: 'Add entry' });
    const removes = grid(page).getByRole('button', { name: /^Remove row/ });
    await add.click();
    await expect(removes).not.toHaveCount(0);
    const before = await removes.count();
    for (let times = 0; times < 3; times += 1) await add.click();
    await expect(removes).toHaveCount(before + 3);
    await removes.first().click({ clickCount: 3 });
    await expect(removes).toHaveCount(before);
  });
});

test('a key that is held down replays, releases and answers once', async ({ page, product }) => {
  const hold = async (key: string): Promise<void> => {
    for (let times = 0; times < 4; times += 1) await page.keyboard.down(key);
    await page.keyboard.up(key);
  };
  await test.step('a replay from the list', async () => {
    await product.publish('orders', { n: 1 });
    await openMessage(page, /, orders, .*Processed/);
    await hold('r');
    await expect(toast(page, 'Replayed to orders.')).toBeVisible();
    await page.keyboard.press('i');
    await expect(toast(page, 'Pinned.')).toBeVisible();
    await expect(messages(page)).toHaveAttribute('aria-rowcount', '2');
  });
  await test.step('a release from the queue', async () => {
    await product.rpc('holds.add', { at: 'publish', filter: 'topic:held', name: 'some' });
    for (const n of [4, 5, 6]) await product.publish('held', { n });
    await go(page, 'Holds');
    await expect(queue(page).getByRole('row')).toHaveCount(3);
    await queue(page).focus();
    await hold('Enter');
    await expect(queue(page).getByRole('row')).toHaveCount(2);
    await page.getByRole('switch', { name: 'Enable hold "some"' }).click();
    await expect.poll(async () => (await product.rpc('holds.list', {})).items[0]?.enabled).toBe(false);
    expect((await product.rpc('holds.queue', {})).total).toBe(2);
  });
  await test.step('an answer to a call that waits', async () => {
    await product.rpc('mockApp.usePreset', { preset: 'ask' });
    for (const n of [7, 8, 9]) await product.publish('orders', { n });
    await go(page, 'Mock app');
    const waiting = page.getByRole('list', { name: 'Waiting for your answer' }).getByRole('listitem');
    await expect(waiting).toHaveCount(3);
    await waiting.first().getByRole('button', { name: 'SUCCESS' }).focus();
    await hold('1');
    await expect(waiting).toHaveCount(2);
    await expect(waiting.first().getByRole('button', { name: 'SUCCESS' })).toBeFocused();
    await hold('Enter');
    await expect(waiting).toHaveCount(1);
  });
});

test('a form is sent once, whatever is pressed while the host has not answered', async ({
  page,
  product,
}) => {
  const calls = await interceptCalls(page);
  await openFresh(page, '/holds');
  calls.stall.add('holds.add');
  await page.getByRole('button', { name: 'Add hold' }).click();
  const hold = page.getByRole('dialog', { name: 'Add hold' });
  const name = hold.getByRole('textbox', { name: 'Name' });
  await name.fill('once');
  await name.press('Enter');
  // The button is off by now, which Playwright would wait for to end.
  await hold.getByRole('button', { name: 'Save hold' }).click({ force: true });
  await name.press('Enter');
  calls.release();
  await expect(hold).toHaveCount(0);
  expect((await product.rpc('holds.list', {})).items).toHaveLength(1);

  const answer = { kind: 'respond', status: 200 } as const;
  const rule = (ruleId: string) => ({ ruleId, name: ruleId, enabled: true, match: {}, answer });
  await product.rpc('mockApp.setRules', { rules: [rule('a'), rule('b'), rule('c')] });
  await go(page, 'Mock app');
  calls.stall.add('mockApp.setRules');
  await page.getByRole('button', { name: 'Remove "a"' }).click();
  await page.getByRole('button', { name: 'Remove "b"' }).click();
  calls.release();
  const answers = page.getByRole('list', { name: 'Answers' });
  await expect(answers.getByRole('listitem')).toHaveCount(2);
  expect((await product.rpc('mockApp.get', {})).rules.map(({ name }) => name)).toEqual(['c']);

  await page.getByRole('button', { name: 'Save as preset…' }).click();
  const preset = page.getByRole('dialog', { name: 'Save the answers as a preset' });
  await preset.getByRole('textbox', { name: 'Name' }).fill('mine');
  await preset.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(preset).toHaveCount(0);
  const { items } = await product.rpc('mockApp.presets', {});
  expect(items.filter(({ group }) => group === 'own')).toHaveLength(1);
});

test('a list that was sorted leaves the emphasised button to the open message', async ({ page, product }) => {
  for (let n = 1; n <= 40; n += 1) await product.publish('orders', { n });
  await expect(messages(page)).toHaveAttribute('aria-rowcount', '40');
  await messages(page)
    .getByRole('row', { name: /, orders, .*Processed/ })
    .last()
    .click();
  await messages(page).getByRole('columnheader', { name: 'Topic' }).click();
  await expect(page.getByText(/Sorted by Topic as of/)).toBeVisible();
  await product.publish('orders', { n: 41 });
  await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible();
  await expect(page.locator('main [data-primary]')).toHaveCount(1);
  await expect(detail(page).locator('[data-primary]')).toHaveText('Edit and replay');
});
