// Names that read from right to left, in two parts of which one may be cut: the first part stands at the right.
import type { Locator } from '@playwright/test';
import { chooseTab, go, rows } from './console-page.ts';
import { openFresh } from './call-interceptor.ts';
import { expect, test } from './fixture.ts';

const TOPIC = 'הזמנות-חדשות-של-לקוחות-גדולים';

async function readsFromTheRight(name: Locator): Promise<void> {
  const parts = name.locator('bdi').filter({ hasText: TOPIC }).locator('span');
  await expect(parts).toHaveCount(2);
  expect((await parts.allTextContents()).join('')).toBe(TOPIC);
  const [start, end] = await Promise.all([parts.first().boundingBox(), parts.last().boundingBox()]);
  expect(start?.x).toBeGreaterThan(end?.x ?? Infinity);
}

test('a topic that reads from right to left is whole in the list, as a group and in the graph', async ({
  page,
  product,
}) => {
  await product.rpc('mockApp.setSubscriptions', {
    subscriptions: [{ pubsubname: 'pubsub', topic: TOPIC, route: '/new' }],
  });
  await product.publish(encodeURIComponent(TOPIC), { n: 1 });
  await openFresh(page, '/messages');
  // Beside an open message the list is narrow, and cuts names.
  await rows(page, /Processed/).click();
  await readsFromTheRight(rows(page, /Processed/).locator('[data-col="topic"]'));
  await openFresh(page, '/messages?g=topic');
  await readsFromTheRight(page.locator('[data-group-line]'));
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const part = page.getByRole('group', { name: 'Topology' }).getByRole('button', { name: /^Topic/ });
  await readsFromTheRight(part);
});
