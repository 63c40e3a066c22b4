// Charts, changes of health, files of components and notifications, each in full.
import fs from 'node:fs/promises';
import path from 'node:path';
import { chooseTab, go, retype, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('each chart has its figure and a table, and its lines can be hidden', async ({
  page,
  product,
  accessible,
}) => {
  for (let orderId = 1; orderId <= 5; orderId += 1) await product.publish('orders', { orderId });
  await go(page, 'Health');
  await chooseTab(page, 'Metrics');
  for (const title of [
    'Messages and attempts',
    'Deliveries by state',
    'Duration of calls to the app',
    'Queue depth',
  ]) {
    const figure = page.getByRole('figure', { name: title });
    await expect(figure.getByRole('table')).toBeHidden();
    await figure.getByText('In figures').click();
    await expect(page.getByRole('table', { name: `${title} in figures` })).toBeVisible();
  }
  const legend = page.getByRole('group', { name: 'Lines of Deliveries by state' });
  const line = legend.getByRole('button', { name: 'Processed' });
  await line.press('Enter');
  await expect(line).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('radio', { name: '1 hour' }).check();
  await expect(page.getByRole('figure', { name: 'Queue depth' })).toBeVisible();
  await accessible();
  await expect(
    page.getByRole('table', { name: 'Traffic per topic' }).getByRole('row', { name: /orders.*ms/ }),
  ).toBeVisible();
});

test('a changed probe is listed with the reason, and an empty chart says that it is empty', async ({
  page,
  product,
}) => {
  await go(page, 'Health');
  await product.rpc('health.simulate', { healthy: false });
  const changes = page.getByRole('table', { name: 'Changes' });
  await expect(changes.getByRole('row', { name: /healthz Not healthy simulated/ }).first()).toBeVisible();
  await product.rpc('health.simulate', { healthy: null });
  await expect(changes.getByRole('row').nth(1)).toContainText('Healthy');

  await product.publish('unheard', { orderId: 1 });
  await chooseTab(page, 'Metrics');
  await expect(
    page.getByRole('figure', { name: 'Messages and attempts' }).getByText('In figures'),
  ).toBeVisible();
  const calls = page.getByRole('figure', { name: 'Duration of calls to the app' });
  await expect(calls).toContainText('No traffic in this range.');
  await expect(calls.getByRole('table')).toHaveCount(0);
});

test.describe('files', () => {
  const GOOD = `apiVersion: sidecar.io/v1alpha1
kind: Component
metadata:
  name: pubsub
spec:
  type: pubsub.in-memory
  version: v1
`;
  test.use({ files: { 'pubsub.yaml': GOOD } });

  test('a new file does not overwrite an existing one, and Escape does not lose what was typed', async ({
    page,
    folder,
    accessible,
  }) => {
    await go(page, 'Components');
    await page.getByRole('button', { name: 'New', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New file' });
    await dialog.getByRole('textbox', { name: 'File name' }).fill('pubsub.yaml');
    const why = 'pubsub.yaml exists already: edit it, or use another name.';
    await expect(dialog.getByText(why)).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Save/ })).toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
    await expect(dialog).toHaveCount(0);

    await page.getByRole('button', { name: 'Edit pubsub.yaml' }).first().press('Enter');
    const editor = page.getByRole('dialog', { name: 'Edit pubsub.yaml' });
    await retype(
      editor.getByRole('textbox', { name: 'Text of pubsub.yaml' }),
      GOOD.replace('name: p', 'name: q'),
    );
    await page.keyboard.press('Escape');
    const question = editor.getByRole('group', { name: 'Discard what you entered?' });
    await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await accessible();
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    await expect(editor.getByRole('textbox', { name: 'Text of pubsub.yaml' })).toContainText('name: qubsub');
    await editor.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.getByRole('button', { name: 'Discard' }).press('Enter');
    await expect(editor).toHaveCount(0);
    expect(await fs.readFile(path.join(folder, 'pubsub.yaml'), 'utf8')).toBe(GOOD);
  });

  test('in one column the details of the selected row are right under the list', async ({ page, folder }) => {
    const many = Array.from(
      { length: 12 },
      (_, n) => `# ${n}\n${GOOD.replace('name: pubsub', `name: c${n}`)}`,
    );
    for (const [n, text] of many.entries()) await fs.writeFile(path.join(folder, `c${n}.yaml`), text);
    await page.setViewportSize({ width: 700, height: 900 });
    await go(page, 'Components');
    await page.getByRole('option', { name: /^c3/ }).click();
    const about = page.getByRole('region', { name: 'Component c3' });
    await expect(about.getByRole('heading', { name: 'c3', exact: true })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Edit c3.yaml' })).toHaveCount(2);
  });

  test('a new file for an event router begins with its template', async ({ page }) => {
    await go(page, 'Event router');
    await page.getByRole('button', { name: 'Create one' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New file' });
    await expect(dialog.getByRole('combobox', { name: 'Template' })).toHaveText('Event router binding');
    await expect(dialog.getByRole('textbox', { name: 'Text of my-component.yaml' })).toContainText(
      'handshakePort',
    );
  });
});

test('news that were asked for are shown and stay in the list; others are not', async ({ page, product }) => {
  await go(page, 'Settings');
  await page.getByRole('checkbox', { name: 'something is held' }).check();
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { orderId: 1 });
  await expect(toast(page, '1 held')).toBeVisible();
  await page.getByRole('button', { name: 'Notifications', exact: true }).press('Enter');
  await expect(page.getByRole('list', { name: 'Notifications' }).getByText('1 held')).toBeVisible();
});
