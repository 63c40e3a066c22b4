// The publish form says what is wrong with data that is not JSON, and why a publish was refused. journeys/publishing.spec.ts looks at
// what it sends.
import { chooseTab, detail, go, retype } from './console-page.ts';
import { interceptCalls } from './call-interceptor.ts';
import { expect, test } from './fixture.ts';
import { fillForm, form, loadFile, publish, showPublished } from './publish-page.ts';

test.use({ flags: ['--app', 'second=mock'] });

test('data that is not JSON is reported once, and the foot of the form is in sight', async ({ page }) => {
  await fillForm(page, 'orders', '{"orderId":');
  await publish(page);
  await expect(form(page).getByText('The data has a mistake.')).toBeVisible();
  await expect(form(page).getByText(/^Line 1, column \d+: /)).toHaveCount(1);
  await form(page).getByRole('button', { name: 'Publish anyway' }).click();
  await showPublished(page);
  await expect(detail(page).getByText('{"orderId":')).toBeVisible();

  await test.step('the footer of the form is in sight in a window of 800 px, also below a banner', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Hold all' }).click();
    await expect(page.getByText('All deliveries are held', { exact: true })).toBeVisible();
    await go(page, 'Publish');
    const jump = form(page).getByRole('combobox', { name: 'Jump to the message after publishing' });
    await expect(jump).toBeInViewport({ ratio: 1 });
    // The result moves no button that a person may press next.
    const before = await jump.boundingBox();
    await fillForm(page, 'orders', '{}');
    await form(page).getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(form(page).getByRole('button', { name: 'Show message' })).toBeInViewport({ ratio: 1 });
    await expect(jump).toBeInViewport({ ratio: 1 });
    expect((await jump.boundingBox())?.x).toBe(before?.x);
    // The link to the result stands in the row of the button, not below the result.
    const button = await form(page).getByRole('button', { name: 'Publish', exact: true }).boundingBox();
    expect(Math.abs((before?.y ?? Infinity) - (button?.y ?? 0))).toBeLessThan(12);
  });
});

test('the form foresees the event and its routes: one line that opens, in a wide window beside it', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'orders',
        routes: { rules: [{ match: 'event.data.total > 100', path: '/large' }], default: '/orders' },
      },
    ],
  });
  await fillForm(page, 'orders', '{"total": 12345678901234567890}');
  await form(page).getByText('What apps get', { exact: true }).click();
  const receivers = page.getByRole('list', { name: 'Who gets it' });
  await expect(receivers).toContainText(/^app: .*\/large/);
  const event = page.getByLabel('The event', { exact: true });
  await expect(event).toContainText('"total": 12345678901234567890');
  await accessible();

  await page.setViewportSize({ width: 1920, height: 1080 });
  const beside = page.getByRole('region', { name: 'What apps get' });
  await expect(beside).toContainText('/large');
  await retype(form(page).getByRole('textbox', { name: 'Message data' }), '{"total": 1}');
  await expect(receivers).toContainText(/^app: .*\/orders/);
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('unheard');
  await expect(beside).toContainText('No app here subscribes to topic unheard on pubsub');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('');
  await expect(beside).toContainText('Choose a component and name a topic');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);
});

test('of raw bytes that are no text each subscription says what its app gets', async ({ page, product }) => {
  const to = (path: string): { readonly default: string } => ({ default: path });
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: 'bytes', routes: to('/plain') }],
  });
  await product.rpc('mockApp.setSubscriptions', {
    appId: 'second',
    subscriptions: [
      { pubsubname: 'pubsub', topic: 'bytes', routes: to('/raw'), metadata: { rawPayload: 'true' } },
    ],
  });
  await go(page, 'Publish');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('bytes');
  await loadFile(page, 'bytes.bin', Buffer.from([0xff, 0xfe, 0, 1]));
  await form(page).getByRole('radio', { name: 'Raw, no envelope' }).check();
  await form(page).getByText('What apps get', { exact: true }).click();
  const receivers = page.getByRole('list', { name: 'Who gets it' }).getByRole('listitem');
  await expect(receivers.filter({ hasText: /^app: / })).toContainText(
    'cannot be delivered to this subscription',
  );
  await expect(receivers.filter({ hasText: /^second: / })).toContainText(
    'the app gets what is below as data_base64',
  );
  await expect(form(page).getByText('4 B, not text.', { exact: true })).toBeVisible();
});

test.describe('an app that does not answer', () => {
  test.use({ flags: ['--app-url', 'http://127.0.0.1:9'] });

  test('may still get an event that no known subscription takes', async ({ page }) => {
    await fillForm(page, 'orders', '{}');
    await form(page).getByText('What apps get', { exact: true }).click();
    await expect(form(page)).toContainText(
      'No known subscription matches topic orders on pubsub. The app has not reported its subscriptions yet and may still get the event.',
    );
  });
});

test('a refusal is shown with the answer of the sidecar', async ({ page, product, accessible }) => {
  await fillForm(page, 'orders', '{}');
  await form(page).getByRole('textbox', { name: 'TTL in seconds' }).fill('soon');
  await publish(page);
  const ttl = form(page).getByRole('textbox', { name: 'TTL in seconds' });
  await expect(ttl).toHaveAccessibleDescription(/^TTL must be a whole number of seconds from 1\./);
  await expect(ttl).toHaveAttribute('aria-invalid', 'true');
  await ttl.fill('');
  await expect(ttl).not.toHaveAttribute('aria-invalid', 'true');
  await chooseTab(form(page), 'Metadata');
  await form(page).getByRole('button', { name: 'Add metadata' }).click();
  await form(page).getByRole('textbox', { name: 'Key 1' }).fill('rawPayload');
  await form(page).getByRole('textbox', { name: 'Value 1' }).fill('maybe');
  await publish(page);
  const answer = form(page).getByLabel('Answer', { exact: true });
  await expect(answer).toContainText('ERR_PUBSUB_REQUEST_METADATA');
  await accessible();
  expect((await product.rpc('messages.list', {})).total).toBe(0);
});

test('the form says why a CloudEvents library would refuse the event', async ({ page, accessible }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await fillForm(page, 'orders', '{"specversion":"1.0","id":"1","type":"order.created","my-team":"north"}');
  const beside = page.getByRole('region', { name: 'What apps get' });
  await expect(beside).toContainText('/orders');
  const problems = beside.getByRole('list', { name: 'Problems of the event' });
  await expect(problems).toBeHidden();
  await form(page).getByRole('combobox', { name: 'Content type' }).fill('application/cloudevents+json');
  await expect(problems.getByRole('listitem')).toHaveText([
    'The name "my-team" may only have a to z and 0 to 9.',
  ]);
  await accessible();
});

test('the answer for one topic does not speak of the next one', async ({ page }) => {
  const calls = await interceptCalls(page);
  await page.reload();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await fillForm(page, 'unheard', '{}');
  const beside = page.getByRole('region', { name: 'What apps get' });
  await expect(beside).toContainText('topic unheard on pubsub');
  calls.stall.add('messages.preview');
  await form(page).getByRole('combobox', { name: 'Topic' }).fill('orders');
  await expect(beside).toContainText('topic unheard on pubsub');
  calls.release();
  await expect(beside).toContainText('/orders');
});

test('a publish by keys without a topic leads to the field of the topic', async ({ page }) => {
  await go(page, 'Publish');
  const data = form(page).getByRole('textbox', { name: 'Data' });
  const topic = form(page).getByRole('combobox', { name: 'Topic' });
  await retype(data, '{"n":1}');
  for (const _try of [1, 2]) {
    await data.focus();
    await data.press('ControlOrMeta+Enter');
    await expect(topic).toBeFocused();
  }
  await topic.fill('orders');
  await data.press('ControlOrMeta+Enter');
  await expect(form(page).getByRole('button', { name: 'Show message' })).toBeVisible();
});

test('a topic that is missing is asked for beside its field, until it is there', async ({
  page,
  accessible,
}) => {
  await fillForm(page, '', '{}');
  await publish(page);
  const topic = form(page).getByRole('combobox', { name: 'Topic' });
  await expect(topic).toHaveAccessibleDescription('Name a topic.');
  await expect(topic).toBeFocused();
  await accessible();
  await topic.fill('orders');
  await expect(topic).not.toHaveAttribute('aria-invalid', 'true');
  await publish(page);
  await expect(form(page).getByText('Message delivered.')).toBeVisible();
});
