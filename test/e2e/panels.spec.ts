// Graph, charts, changes of health, files of components, keys of one's own, notifications.
import fs from 'node:fs/promises';
import path from 'node:path';
import { chooseTab, go, messages, retype, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the graph: walked by keys, explained beside it, and the same as a table', async ({
  page,
  product,
  accessible,
}) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [
      {
        pubsubname: 'pubsub',
        topic: 'orders',
        routes: { rules: [{ match: 'event.type == "a"', path: '/a' }], default: '/orders' },
        deadLetterTopic: 'orders-dlq',
      },
    ],
  });
  await product.publish('orders', { orderId: 1 });
  await product.publish('audit', { orderId: 2 });
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const graph = page.getByRole('group', { name: 'Topology' });
  await expect(graph.getByRole('button', { name: 'Topic audit: pubsub, No subscription' })).toBeVisible();
  const part = graph.getByRole('button', { name: /^Subscription orders/ });
  await part.focus();
  await page.keyboard.press('Enter');
  const about = page.getByRole('region', { name: 'About orders' });
  await expect(about).toContainText('event.type == "a" → POST /a');
  await expect(about).toContainText('Topic: orders-dlq');
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('0');
  await expect(part).toBeInViewport();
  for (const name of ['Smaller', 'Larger', 'Whole graph'])
    await graph.getByRole('button', { name, exact: true }).press('Enter');
  await expect(part).toBeInViewport();
  await accessible();
  await page.getByRole('button', { name: 'Show as table' }).press('Enter');
  const table = page.getByRole('table', { name: 'Topology as a table' });
  await expect(
    table.getByRole('row', { name: /Subscription: orders dead letter Topic: orders-dlq/ }),
  ).toBeVisible();
  await accessible();
});

test('charts: a figure each, the same in figures, lines that can be left out', async ({
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

test('a probe that changes its answer is listed with the reason; a chart without anything to draw says so', async ({
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

  test('a component file: mistakes at their place, changes before saving, loaded after it', async ({
    page,
    folder,
    accessible,
  }) => {
    await go(page, 'Components');
    await page.getByRole('button', { name: 'Edit pubsub.yaml' }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit pubsub.yaml' });
    const editor = dialog.getByRole('textbox', { name: 'Text of pubsub.yaml' });
    await expect(dialog.getByText('No problems.')).toBeVisible();
    await retype(editor, GOOD.replace('kind: Component', 'kind: [Component'));
    await expect(dialog.getByText('No problems.')).toHaveCount(0);
    await expect(dialog.getByRole('button', { name: /^Go to line/ }).first()).toBeVisible();
    await expect(dialog.locator('.cm-lint-marker-error').first()).toBeVisible();
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await expect(save).toHaveAttribute('aria-disabled', 'true');
    await accessible();
    await retype(editor, GOOD.replace('version: v1', 'version: v1\n  ignoreErrors: true'));
    await expect(dialog.getByText('No problems.')).toBeVisible();
    await chooseTab(dialog, 'Changes');
    await expect(dialog.getByText('+   ignoreErrors: true')).toBeVisible();
    await save.press('Enter');
    await expect(toast(page, 'pubsub.yaml was saved and the folder was loaded.')).toBeVisible();
    expect(await fs.readFile(path.join(folder, 'pubsub.yaml'), 'utf8')).toContain('ignoreErrors: true');
    await expect(page.getByText('Errors are ignored for this component.')).toBeVisible();
  });

  test('what another hand changed meanwhile is not overwritten without a question', async ({
    page,
    folder,
    accessible,
  }) => {
    const file = path.join(folder, 'pubsub.yaml');
    await go(page, 'Components');
    await page.getByRole('button', { name: 'Edit pubsub.yaml' }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit pubsub.yaml' });
    const mine = GOOD.replace('version: v1', 'version: v1\n  ignoreErrors: true');
    await retype(dialog.getByRole('textbox', { name: 'Text of pubsub.yaml' }), mine);
    await expect(dialog.getByText('No problems.')).toBeVisible();
    const theirs = `# from another hand\n${GOOD}`;
    await fs.writeFile(file, theirs);
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await save.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Overwrite pubsub.yaml?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await accessible();
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    expect(await fs.readFile(file, 'utf8')).toBe(theirs);
    await save.press('Enter');
    await question.getByRole('button', { name: 'Overwrite' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(await fs.readFile(file, 'utf8')).toContain('ignoreErrors: true');
  });

  test('a new file from a template', async ({ page, folder }) => {
    await go(page, 'Components');
    await page.getByRole('button', { name: 'New', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New file' });
    await dialog.getByRole('textbox', { name: 'File name' }).fill('second.yaml');
    await expect(dialog.getByText('No problems.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByRole('listbox', { name: 'Components' }).getByText('my-pubsub')).toBeVisible();
    expect(await fs.readdir(folder)).toContain('second.yaml');
  });

  test('a file that is there is not written over by a new one, and what was typed is not lost by one key', async ({
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
    await expect(dialog).toHaveCount(0);

    await page.getByRole('button', { name: 'Edit pubsub.yaml' }).first().press('Enter');
    const editor = page.getByRole('dialog', { name: 'Edit pubsub.yaml' });
    await retype(
      editor.getByRole('textbox', { name: 'Text of pubsub.yaml' }),
      GOOD.replace('name: p', 'name: q'),
    );
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await accessible();
    await page.keyboard.press('Enter');
    await expect(question).toHaveCount(0);
    await expect(editor.getByRole('textbox', { name: 'Text of pubsub.yaml' })).toContainText('name: qubsub');
    await editor.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.getByRole('button', { name: 'Leave' }).press('Enter');
    await expect(editor).toHaveCount(0);
    expect(await fs.readFile(path.join(folder, 'pubsub.yaml'), 'utf8')).toBe(GOOD);
  });

  test('one column: what was chosen stands right under the list', async ({ page, folder }) => {
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

  test('an event router of its own begins with the template for one', async ({ page }) => {
    await go(page, 'Event router');
    await page.getByRole('button', { name: 'Create one' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New file' });
    await expect(dialog.getByRole('combobox', { name: 'Template' })).toHaveText('Event router binding');
    await expect(dialog.getByRole('textbox', { name: 'Text of my-component.yaml' })).toContainText(
      'handshakePort',
    );
  });
});

test('a command gets another key, another one is refused, and all go back', async ({ page, product }) => {
  await product.publish('orders', { orderId: 1 });
  await go(page, 'Settings');
  await chooseTab(page, 'Keyboard');
  await page.getByRole('button', { name: 'Change the keys of Pin' }).press('Enter');
  await page.keyboard.press('r');
  await expect(page.getByText('These keys already run "Replay".')).toBeVisible();
  await page.keyboard.press('g');
  await expect(page.getByText(/^These keys begin those of/)).toBeVisible();
  await page.keyboard.press('y');
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await messages(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.press('i');
  await page.keyboard.press('y');
  await expect(toast(page, 'Pinned.')).toBeVisible();
  await expect(toast(page, 'Unpinned.')).toHaveCount(0);
  await page.reload();
  await expect(rows(page, /Processed/)).toHaveCount(1);
  await go(page, 'Settings');
  await chooseTab(page, 'Keyboard');
  await page.getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveAttribute('aria-disabled', 'true');
});

test('what was asked for is told and stays in the list; the rest is not', async ({ page, product }) => {
  await go(page, 'Settings');
  await page.getByRole('checkbox', { name: 'something is held' }).check();
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
  await product.publish('orders', { orderId: 1 });
  await expect(toast(page, '1 held')).toBeVisible();
  await page.getByRole('button', { name: 'Notifications', exact: true }).press('Enter');
  await expect(page.getByRole('list', { name: 'Notifications' }).getByText('1 held')).toBeVisible();
});
