// A message that is released from a hold at publish, and is caught by one at delivery in the same moment.
import { go, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the next hold that stops a released message is named, wherever it stops it', async ({
  page,
  product,
}) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'first' });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'second' });
  await product.publish('orders', { n: 1 });
  await go(page, 'Holds');
  const queue = page.getByRole('grid', { name: 'Held messages' });
  await expect(queue.getByRole('row')).toContainText('by first');
  await queue.getByRole('button', { name: 'Release', exact: true }).click();
  await expect(toast(page, 'Hold second caught it next: it is held again.')).toBeVisible();
  await expect(queue.getByRole('row')).toContainText('by second');
});

test('a hold that is removed with a release says what the next one caught', async ({ page, product }) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'first' });
  await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders', name: 'second' });
  await product.publish('orders', { n: 1 });
  await product.publish('orders', { n: 2 });
  await go(page, 'Holds');
  const queue = page.getByRole('grid', { name: 'Held messages' });
  await expect(queue.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove hold "first"' }).click();
  await page.getByRole('button', { name: 'Remove and release' }).click();
  await expect(toast(page, /Another hold caught 2 of them: they are held again/)).toBeVisible();
  await expect(queue.getByRole('row').first()).toContainText('by second');
});

for (const { how, says, after } of [
  { how: 'Remove, keep held', says: 'Hold restored.', after: 1 },
  { how: 'Remove and release', says: 'Hold restored. What was released is not held again.', after: 0 },
]) {
  test(`a removed hold comes back with what it caught: ${how}`, async ({ page, product }) => {
    await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'p1' });
    await product.publish('orders', { n: 1 });
    await product.publish('orders', { n: 2 });
    await go(page, 'Holds');
    const queue = page.getByRole('grid', { name: 'Held messages' });
    await expect(queue.getByRole('row').first()).toContainText('by p1');
    await page.getByRole('button', { name: 'Remove hold "p1"' }).click();
    await page.getByRole('button', { name: how }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page, says)).toBeVisible();
    await expect(page.getByRole('list', { name: 'All holds' })).toContainText('2 caught');
    // The row with the keyboard names its hold.
    await expect(queue.getByRole('row').filter({ hasText: 'by p1' })).toHaveCount(after);
  });
}

test('what was dropped at its publish can be published again from the report', async ({ page, product }) => {
  await product.rpc('holds.add', { at: 'publish', filter: 'topic:orders', name: 'p1' });
  await product.publish('orders', { n: 1 });
  await go(page, 'Holds');
  const queue = page.getByRole('grid', { name: 'Held messages' });
  await queue.getByRole('button', { name: 'Drop', exact: true }).click();
  const report = toast(page, 'Dropped. Replay it to publish it again.');
  await expect(report).toBeVisible();
  await expect(queue.getByRole('row')).toHaveCount(0);
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Replay' }).click();
  await expect(queue.getByRole('row')).toContainText('by p1');
});
