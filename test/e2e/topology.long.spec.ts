// The graph in a frame whose height shrinks.
import { chooseTab, go } from './console-page.ts';
import { expect, test } from './fixture.ts';

test('the graph stays whole in a lower frame, until a person moves it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.getByRole('button', { name: 'Send sample traffic' }).click();
  await go(page, 'Topics');
  await chooseTab(page, 'Graph');
  const graph = page.getByRole('group', { name: 'Topology' });
  const lowest = graph.getByRole('button', { name: /shipments/ }).last();
  await expect(lowest).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  const isWhole = async (): Promise<boolean> => {
    const [frame, part] = [await graph.boundingBox(), await lowest.boundingBox()];
    if (frame === null || part === null) return false;
    return part.y + part.height <= frame.y + frame.height;
  };
  await expect.poll(isWhole).toBe(true);
});
