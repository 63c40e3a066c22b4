// Facts that a person sees at a glance: an app that is away.
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
