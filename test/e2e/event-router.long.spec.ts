// The event router in full: a broken ingress, tokens, breakpoints, deliveries by hand, policy and filter.
import https from 'node:https';
import { choose, chooseTab, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { region, withExample, create } from './router-page.ts';

// Examples that are added at the same moment would find the same handshake port free.
test.describe.configure({ mode: 'default' });

test('a broken ingress is named, and fixing it delivers at once what waited', async ({
  page,
  accessible,
}) => {
  test.setTimeout(120_000);
  await withExample(page);
  await chooseTab(page, 'Emulator');
  await choose(page, 'The ingress', 'answers 503');
  await expect(page.getByText(/The ingress is broken on purpose: answers 503/)).toBeVisible();
  await chooseTab(page, 'Input');
  await page.getByRole('button', { name: 'Send handshake' }).click();
  await expect(
    region(page, 'Handshake').getByText('A 503 here means the ingress does not work.').first(),
  ).toBeVisible();
  await create(page, 'com.example.waits');
  await chooseTab(page, 'Emulator');
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  const row = deliveries.getByRole('row', { name: /com\.example\.waits/ });
  await expect(row).toContainText('Retrying');
  await expect(row).toContainText('Busy 503');
  // The last column of the table is in sight, though ten stand beside each other.
  const frame = page.getByRole('group', { name: 'Deliveries', exact: true }).first();
  expect(await frame.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await row.getByRole('button', { name: /^Show delivery/ }).click();
  const one = region(page, /^Delivery /);
  await expect(one.getByText('Planned, if every one fails')).toBeVisible();
  await accessible();

  const simulator = region(page, 'Policy simulator');
  await simulator.getByRole('button', { name: 'Simulate' }).click();
  await expect(simulator.getByRole('status')).toContainText('Processed (router.processed)');

  // The next attempt by the schedule would be an hour away.
  await region(page, 'Faults').getByRole('textbox', { name: 'Time scale' }).fill('1');
  await page.getByRole('button', { name: 'Set time scale' }).click();
  await expect(toast(page, 'The time scale is 1.')).toBeVisible();
  await page.getByRole('button', { name: 'Fix the ingress' }).click();
  await expect(row).toContainText('Processed');
  await expect(one.getByText(/^Attempt \d+/).first()).toBeVisible();

  await chooseTab(page, 'Input');
  await page.getByRole('button', { name: 'Send handshake' }).click();
  await expect(toast(page, 'Handshake sent: 200 Healthy.')).toBeVisible();
  // At 200 % too, no table scrolls sideways.
  await page.setViewportSize({ width: 640, height: 400 });
  for (const name of ['Handshakes', 'Requests to the webhook']) {
    const table = page.getByRole('group', { name, exact: true });
    expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  }
});

test('wrong tokens are refused with the reason, and rotation keeps working', async ({ page, accessible }) => {
  await withExample(page);
  await chooseTab(page, 'Emulator');
  const send = region(page, 'Send to the webhook');
  for (const [token, reason] of [
    ['expired', 'token expired'],
    ['no token', 'no token'],
    ['wrong audience', 'audience'],
  ] as const) {
    await choose(send, 'Token', token);
    await send.getByRole('button', { name: 'Send' }).click();
    await expect(send.getByRole('status')).toContainText('401');
    await chooseTab(page, 'Input');
    await expect(
      page.getByRole('table', { name: 'Requests to the webhook' }).getByRole('row').nth(1),
    ).toContainText(reason);
    await chooseTab(page, 'Emulator');
  }
  await chooseTab(page, 'Input');
  await region(page, 'Token').getByRole('button', { name: 'Rotate signing key' }).click();
  await expect(toast(page, 'The signing key was rotated.')).toBeVisible();
  await accessible();
  await create(page, 'com.example.rotated');
  await chooseTab(page, 'Emulator');
  await expect(
    page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /com\.example\.rotated/ }),
  ).toContainText('Processed');
});

test('deliveries can be held, released and dropped by hand', async ({ page }) => {
  await withExample(page);
  await chooseTab(page, 'Emulator');
  await choose(page, 'The ingress', 'answers 503');
  await expect(page.getByRole('button', { name: 'Fix the ingress' })).toBeVisible();
  await create(page, 'com.example.held');
  await chooseTab(page, 'Emulator');
  const row = page
    .getByRole('table', { name: 'Deliveries' })
    .getByRole('row', { name: /com\.example\.held/ });
  await row.getByRole('button', { name: /^Show delivery/ }).click();
  const one = region(page, /^Delivery /);
  for (const [act, word] of [
    ['Hold', 'Held'],
    ['Release', 'Retrying'],
    ['Drop', 'Dropped'],
  ] as const) {
    await one.getByRole('button', { name: act, exact: true }).click();
    await expect(row).toContainText(word);
  }
});

test('policy and filter are changed on the screen, and a refusal is shown with its reason', async ({
  page,
  product,
  accessible,
}) => {
  await withExample(page);
  const stored = region(page, 'Subscription');
  await stored.getByText('Change policy and filter').click();
  await stored.getByRole('textbox', { name: 'Max attempts' }).fill('3');
  await stored.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'The subscription was changed.')).toBeVisible();
  await expect(stored.getByText('3 attempts, 1440 min to live')).toBeVisible();
  await accessible();
  await chooseTab(page, 'Emulator');
  const samples = region(page, 'Send to the webhook');
  await samples.getByRole('textbox', { name: 'Name of the sample' }).fill('mine');
  await samples.getByRole('button', { name: 'Save sample' }).click();
  await expect(samples.getByRole('button', { name: 'Remove sample mine' })).toBeVisible();
  await samples.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(samples.getByRole('status')).toContainText('200 after');
  // The ingress has no rule for this address: a refusal that no other panel would show.
  const { router } = await product.rpc('eventRouter.status', {});
  const { pem = '' } = await product.rpc('eventRouter.certificate', {});
  await new Promise<void>((resolve, reject) => {
    const call = https.get(
      `${router?.addresses.ingress ?? ''}/nowhere?token=hidden`,
      { ca: pem },
      (answer) => {
        answer.resume();
        answer.on('end', resolve);
      },
    );
    call.on('error', reject);
  });
  const refused = page.getByRole('table', { name: 'Refused requests' });
  await expect(refused.getByRole('row', { name: /GET \/nowhere 404/ })).toContainText('no rule');
  await expect(refused).not.toContainText('hidden');
  await accessible();
});

test('a breakpoint holds events in the queue; one is edited and sent, then all are released', async ({
  page,
  accessible,
}) => {
  await withExample(page);
  await chooseTab(page, 'Emulator');
  const breakpoints = region(page, 'Breakpoints');
  await breakpoints.getByRole('textbox', { name: 'Event types' }).fill('com.example.stop');
  await breakpoints.getByRole('button', { name: 'Add breakpoint' }).click();
  await expect(breakpoints.getByRole('listitem')).toHaveText(/type com\.example\.stop/);
  await create(page, 'com.example.stop');
  await create(page, 'com.example.stop');
  await chooseTab(page, 'Emulator');
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await expect(deliveries.getByRole('row', { name: /Held/ })).toHaveCount(2);
  await deliveries
    .getByRole('button', { name: /^Show delivery/ })
    .first()
    .click();
  const one = region(page, /^Delivery /);
  await expect(one.getByRole('button', { name: 'Hold', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await one.getByRole('button', { name: 'Edit and resend' }).click();
  await accessible();
  await one.getByRole('button', { name: 'Send as a new event' }).click();
  await expect(toast(page, 'Sent again with a new id.')).toBeVisible();
  await expect(deliveries.getByRole('row', { name: /Processed/ })).toHaveCount(1);
  await page
    .getByRole('group', { name: 'Deliveries by state' })
    .getByRole('button', { name: /Held/ })
    .click();
  await page.getByRole('button', { name: 'Release: all 2' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release: all 2' }).click();
  await expect(toast(page, 'Release: done for 2.')).toBeVisible();
  await choose(page, 'State', 'any state');
  await expect(deliveries.getByRole('row', { name: /Processed/ })).toHaveCount(3);
});
