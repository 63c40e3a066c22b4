// The event router: one click gives a working component, mistakes are named.
import { DISK_FULL, interceptCalls, openFresh } from './call-interceptor.ts';
import { chooseTab, go, rows } from './console-page.ts';
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
  calls.refuse.add('eventRouter.create').add('eventRouter.breakpoints');
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
  await test.step('a fault', async () => {
    const requests = region(page, 'Faults').getByRole('textbox', { name: 'Requests' }).first();
    await requests.fill('x');
    await expect(requests).toHaveAccessibleDescription(/^Use a whole number/);
  });
  await expect(notices.getByText(DISK_FULL)).toHaveCount(0);
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
