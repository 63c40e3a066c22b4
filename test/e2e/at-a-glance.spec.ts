// Facts that a person sees at a glance: an app that is away, and which hold has a message.
import { go, toast } from './console-page.ts';
import { isLong } from './extent.ts';
import { expect, test } from './fixture.ts';

test.describe('an app that was not started', () => {
  test.use({ flags: ['--app-url', 'http://127.0.0.1:9'] });

  test('is what is wrong, and the sidecar that waits for it is not', async ({ page }) => {
    const app = page.getByRole('button', { name: /^App does not answer yet/ });
    await expect(app).toHaveAttribute('data-state', 'bad');
    await expect(page.getByRole('button', { name: /^Sidecar waits for app/ })).toHaveAttribute(
      'data-state',
      'waits',
    );
    const why =
      'The sidecar works. Its health check answers 500 until the app has answered once. Press for more.';
    await expect(page.getByTitle(why)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Health, waits for the app' })).toBeVisible();
  });
});

for (const at of isLong ? (['publish', 'delivery'] as const) : (['delivery'] as const)) {
  test(`two holds at ${at}: the second one is noted, and Enter adds no hold`, async ({ page, product }) => {
    const queue = page.getByRole('grid', { name: 'Held messages' });
    await go(page, 'Holds');
    // The button was used before: the focus must not fall back to it.
    await page.getByRole('button', { name: 'Add hold' }).click();
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await product.rpc('holds.add', { at, filter: 'topic:orders', name: 'first' });
    await product.rpc('holds.add', { at, filter: 'topic:orders', name: 'second' });
    await product.publish('orders', { n: 1 });
    await expect(queue.getByRole('row')).toContainText('by first');
    await queue.getByRole('row').click({ position: { x: 4, y: 4 } });
    await queue.getByRole('button', { name: 'Edit and release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await expect(toast(page, 'Hold second caught it next: it is held again.')).toBeVisible();
    await expect(queue.getByRole('row')).toContainText('by second');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(queue).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Nothing is held.')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const { items } = await product.rpc('messages.list', {});
    expect(items[0]?.deliveries.map(({ state }) => state)).toEqual(['processed']);
  });
}
