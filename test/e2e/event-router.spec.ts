// The event router: one click gives a working component, mistakes are named.
import { DISK_FULL, interceptCalls, openFresh } from './call-interceptor.ts';
import { choose, chooseTab, go, retype, rows } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { region, withExample, create } from './router-page.ts';

test.use({ looksAlways: true });

// Examples that are added at the same moment would find the same handshake port free.
test.describe.configure({ mode: 'default' });

test('one click creates a working component, each step is shown, and a secret only after a click', async ({
  page,
  accessible,
}) => {
  test.setTimeout(120_000);
  await withExample(page);
  const handshakes = page.getByRole('table', { name: 'Handshakes' });
  await expect(handshakes.getByRole('row', { name: /router/ }).first()).toContainText('200 Healthy');
  await expect(region(page, 'Configuration')).toContainText('accessKey');
  await expect(page.getByText(/^issuer .*, 1 key$/)).toBeVisible();
  await expect(region(page, 'Subscription').getByText('Succeeded', { exact: true })).toBeVisible();
  await expect(region(page, 'Subscription').getByText('The same as in the component.')).toBeVisible();
  await accessible();

  const key = region(page, 'Configuration').getByRole('row', { name: /accessKey/ });
  await expect(key).toContainText('***');
  await key.getByRole('button', { name: 'Show accessKey' }).click();
  await expect(key).not.toContainText('***');
  await key.getByRole('button', { name: 'Hide accessKey' }).click();
  await expect(key).toContainText('***');

  await create(page, 'com.example.first');
  await accessible();
  await chooseTab(page, 'Input');
  await expect(region(page, /^Received [1-9]/)).toBeVisible();
  await expect(
    region(page, 'Token')
      .getByText(/verified$/)
      .first(),
  ).toBeVisible();
  await page.getByRole('table', { name: 'Requests to the webhook' }).getByRole('button').first().click();
  await expect(rows(page, /Processed, 1 attempt/)).toHaveCount(1);
  await expect(page.getByText('The app accepted the event.').first()).toBeVisible();
  await go(page, 'Logs');
  await expect(page.getByText(/accessKey/).first()).toBeVisible();
});

test('what the host refuses stands in its form, until something is edited', async ({ page }) => {
  test.setTimeout(120_000);
  const calls = await interceptCalls(page);
  await openFresh(page, '/event-router');
  await withExample(page);
  await chooseTab(page, 'Emulator');
  const points = region(page, 'Breakpoints');
  await expect(points.getByText('No breakpoint: every event goes out at once.')).toBeVisible();
  for (const method of ['create', 'breakpoints', 'emulate', 'simulate'])
    calls.refuse.add(`eventRouter.${method}`);
  const notices = page.getByRole('region', { name: 'Notifications' });
  await test.step('an event', async () => {
    await chooseTab(page, 'Output');
    const form = region(page, 'Create event');
    await form.getByRole('button', { name: 'Create event' }).click();
    await expect(form.getByRole('alert')).toHaveText(DISK_FULL);
    await form.getByRole('textbox', { name: 'Type' }).fill('com.example.other');
    await expect(form.getByRole('alert')).toHaveCount(0);
  });
  await test.step('a breakpoint', async () => {
    await chooseTab(page, 'Emulator');
    await points.getByRole('button', { name: 'Add breakpoint' }).click();
    await expect(points.getByRole('alert')).toHaveText(DISK_FULL);
    await points.getByRole('textbox', { name: 'Subject begins with' }).fill('/blue');
    await expect(points.getByRole('alert')).toHaveCount(0);
  });
  await test.step('events for the webhook', async () => {
    const emulator = region(page, 'Send to the webhook');
    await emulator.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(emulator.getByRole('alert')).toHaveText(DISK_FULL);
    await choose(emulator, 'Token', 'expired');
    await expect(emulator.getByRole('alert')).toHaveCount(0);
  });
  await test.step('a schedule', async () => {
    const simulator = region(page, 'Policy simulator');
    await simulator.getByRole('button', { name: 'Simulate' }).click();
    await expect(simulator.getByRole('alert')).toHaveText(DISK_FULL);
    await simulator.getByRole('textbox', { name: 'Max attempts' }).fill('3');
    await expect(simulator.getByRole('alert')).toHaveCount(0);
  });
  await test.step('a minute to live that the router does not take', async () => {
    await chooseTab(page, 'Input');
    const stored = region(page, 'Subscription');
    await stored.getByText('Change policy and filter').click();
    calls.refuse.add('eventRouter.subscriptions');
    calls.fields.set('eventRouter.subscriptions', 'properties.retryPolicy.eventTimeToLiveInMinutes');
    await stored.getByRole('button', { name: 'Save' }).click();
    await expect(stored.getByRole('textbox', { name: 'Time to live, minutes' })).toHaveAccessibleDescription(
      DISK_FULL,
    );
    await expect(stored.getByRole('textbox', { name: 'Max attempts' })).not.toHaveAccessibleDescription(
      DISK_FULL,
    );
    calls.refuse.delete('eventRouter.subscriptions');
    await chooseTab(page, 'Emulator');
  });
  await test.step('a fault', async () => {
    const requests = region(page, 'Faults').getByRole('textbox', { name: 'Requests' }).first();
    await requests.fill('x');
    await expect(requests).toHaveAccessibleDescription(/^Use a whole number/);
  });
  await expect(notices.getByText(DISK_FULL)).toHaveCount(0);
});

test('what was typed for a component stays, and is there for no other one', async ({ page, product }) => {
  test.setTimeout(120_000);
  await withExample(page);
  await product.rpc('eventRouter.create', {});
  const components = page.getByRole('combobox', { name: 'Component', exact: true });
  await components.click();
  // The page hears of the new component a moment after its creator does.
  await expect(page.getByRole('option')).toHaveCount(2);
  const [, second = ''] = await page.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  const elsewhere = async (): Promise<void> => {
    await go(page, 'Topics');
    await go(page, 'Event router');
  };
  const field = (panel: string, name: string) =>
    region(page, panel).getByRole('textbox', { name, exact: true });
  await test.step('the policy of a subscription', async () => {
    const summary = region(page, 'Subscription').getByText('Change policy and filter');
    await summary.click();
    await field('Subscription', 'Max attempts').fill('3');
    await elsewhere();
    await expect(field('Subscription', 'Max attempts')).toHaveValue('3');
  });
  await test.step('the event that is tried on its filter', async () => {
    const event = field('Subscription', 'Event as JSON');
    await region(page, 'Subscription').getByText('Try an event on the filter').click();
    await retype(event, '{"tried":1}');
    await elsewhere();
    await expect(event).toHaveText('{"tried":1}');
  });
  await test.step('a created event', async () => {
    await chooseTab(page, 'Output');
    await field('Create event', 'Type').fill('com.example.typed');
    await elsewhere();
    await chooseTab(page, 'Output');
    await expect(field('Create event', 'Type')).toHaveValue('com.example.typed');
  });
  await test.step('faults, a schedule and events for the webhook', async () => {
    await chooseTab(page, 'Emulator');
    const faults = region(page, 'Faults').getByRole('textbox', { name: /^(Requests|Times)$/ });
    await faults.first().fill('4');
    await faults.last().fill('5');
    await field('Faults', 'Time scale').fill('0.5');
    await field('Policy simulator', 'Max attempts').fill('6');
    await field('Policy simulator', 'Answers').fill('503, 200');
    await retype(field('Send to the webhook', 'Events as JSON'), '{"typed":1}');
    await elsewhere();
    await chooseTab(page, 'Emulator');
    await expect(faults.first()).toHaveValue('4');
    await expect(faults.last()).toHaveValue('5');
    await expect(field('Faults', 'Time scale')).toHaveValue('0.5');
    await expect(field('Policy simulator', 'Max attempts')).toHaveValue('6');
    await expect(field('Policy simulator', 'Answers')).toHaveValue('503, 200');
    await expect(field('Send to the webhook', 'Events as JSON')).toHaveText('{"typed":1}');
  });
  await test.step('the edited event of a delivery', async () => {
    await create(page, 'com.example.sent');
    await field('Create event', 'Type').fill('com.example.typed');
    await chooseTab(page, 'Emulator');
    const row = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row', { name: /com\.example\.sent/ });
    await row.getByRole('button', { name: /^Show delivery/ }).click();
    const one = region(page, /^Delivery /);
    const edit = one.getByRole('button', { name: 'Edit and resend', exact: true });
    await edit.click();
    const editor = one.getByRole('textbox', { name: 'New event', exact: true });
    await retype(editor, '{"typed":2}');
    await edit.click();
    await expect(editor).toHaveCount(0);
    await edit.click();
    await expect(editor).toHaveText('{"typed":2}');
  });
  await test.step('another component', async () => {
    await choose(page, 'Component', second);
    await expect(field('Send to the webhook', 'Events as JSON')).not.toHaveText('{"typed":1}');
    await chooseTab(page, 'Output');
    await expect(field('Create event', 'Type')).toHaveValue('com.example.created');
    await chooseTab(page, 'Input');
    await region(page, 'Subscription').getByText('Change policy and filter').click();
    await expect(field('Subscription', 'Max attempts')).toHaveValue('30');
  });
});

test.describe('a component that is not valid', () => {
  test.use({
    files: {
      'router.yaml': `apiVersion: sidelight.dev/v1alpha1
kind: Component
metadata:
  name: orders
spec:
  type: bindings.cloud.eventrouter
  version: v1
  metadata:
    - name: direction
      value: input
    - name: handshakePort
      value: 9000
`,
    },
  });

  test('every mistake is named with its code', async ({ page, accessible }) => {
    await go(page, 'Event router');
    await expect(page.getByText(/EVR-CFG-44/).first()).toBeVisible();
    await expect(page.getByText(/EVR-CFG-30/).first()).toBeVisible();
    await accessible();
  });
});
