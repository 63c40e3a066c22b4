// The graph, files of components, keys of one's own.
import fs from 'node:fs/promises';
import path from 'node:path';
import { chooseTab, go, messages, retype, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the graph can be used by keys, is explained beside it, and is also a table', async ({
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
  // Every word can be read: at least 12 px high as it is drawn, whatever the size of the graph.
  const smallest = await graph.evaluate((element) =>
    Math.min(
      ...[...element.querySelectorAll<HTMLElement>('button bdi, button span, span[aria-hidden] span')]
        .filter(({ offsetHeight, textContent }) => offsetHeight > 0 && textContent !== '')
        .map(
          (each) =>
            (Number.parseFloat(getComputedStyle(each).fontSize) * each.getBoundingClientRect().height) /
            each.offsetHeight,
        ),
    ),
  );
  expect(smallest).toBeGreaterThanOrEqual(11.5);
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
  for (const name of ['Zoom out', 'Zoom in', 'Whole graph'])
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

  test('a component file shows mistakes at their place and its changes, is loaded after saving, and can begin with a template', async ({
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
    await expect(dialog.getByRole('button', { name: /^Go to \d+:\d+$/ }).first()).toBeVisible();
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
    await expect(page.getByText('Sidelight ignores errors of this component (ignoreErrors).')).toBeVisible();

    await test.step('a new file is made from a template, under a new name', async () => {
      await go(page, 'Components');
      await page.getByRole('button', { name: 'New', exact: true }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New file' });
      await dialog.getByRole('textbox', { name: 'File name' }).fill('pubsub.yaml');
      await expect(
        dialog.getByText('pubsub.yaml exists already: edit it, or use another name.'),
      ).toBeVisible();
      await expect(dialog.getByRole('button', { name: /^Save/ })).toHaveAttribute('aria-disabled', 'true');
      await dialog.getByRole('textbox', { name: 'File name' }).fill('second.yaml');
      await expect(dialog.getByText('No problems.')).toBeVisible();
      await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
      await expect(page.getByRole('listbox', { name: 'Components' }).getByText('my-pubsub')).toBeVisible();
      expect(await fs.readdir(folder)).toContain('second.yaml');
    });
  });

  test('a file changed by another program meanwhile is not overwritten without a question', async ({
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
});

test('a command gets another key, a taken key is refused, and all are reset', async ({ page, product }) => {
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
