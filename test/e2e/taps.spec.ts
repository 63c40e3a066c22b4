// The console taps a sidecar that runs already, shows, holds and answers its deliveries, and replays here what was recorded.
import { detail, go, openMessage, rows, toast } from './console-page.ts';
import { expect, test } from './fixture.ts';
import { startApp, SIDECARS } from './tapped-sidecars.ts';

test.use({ looksAlways: true });

for (const sidecar of SIDECARS) {
  test.describe(() => {
    // The options must be set before the fixture starts a product.
    test.skip(sidecar.why !== undefined, sidecar.why);

    test(`tap ${sidecar.name}: watch, hold and answer, other calls, replay, record and replay here`, async ({
      page,
      product,
      accessible,
    }) => {
      test.setTimeout(120_000);
      const app = await startApp();
      const sidecarPort = await sidecar.port();
      await go(page, 'Settings');
      await page.getByRole('tab', { name: 'Apps' }).click();
      await page.getByRole('button', { name: 'Tap a running sidecar…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Tap a running sidecar' });
      await dialog.getByRole('textbox', { name: 'App id (required)' }).fill('shop');
      await dialog.getByRole('textbox', { name: 'App address (required)' }).fill('tcp://nowhere');
      await dialog.getByRole('textbox', { name: 'Sidecar address' }).fill(`http://127.0.0.1:${sidecarPort}`);
      await dialog.getByRole('button', { name: 'Tap', exact: true }).click();
      await expect(dialog.getByText(/"tcp:\/\/nowhere" is not an address/)).toBeVisible();
      await dialog.getByRole('textbox', { name: 'App address (required)' }).fill(app.url);
      await accessible();
      await dialog.getByRole('button', { name: 'Tap', exact: true }).click();
      const lines = dialog.getByRole('list', { name: 'Lines to change' });
      await expect(lines).toContainText(/--app-port \d+/);
      await expect(lines).toContainText(`instead of ${sidecarPort}`);
      // A mistyped port is seen where it was typed.
      await expect(dialog.getByRole('list', { name: 'Problems of the tap of shop' })).toContainText(
        `Nothing answers at http://127.0.0.1:${sidecarPort}, the sidecar`,
      );
      await accessible();
      const tap = (await product.rpc('taps.list', {})).items[0];
      if (tap === undefined) throw new Error('there is no tap');
      await expect(lines).toContainText(`--app-port ${tap.appPort}`);
      await expect(lines).toContainText(`_HTTP_PORT=${tap.sidecarPort}`);
      // The entered address is in use, so no question is asked.
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();

      const real = await sidecar.start(sidecarPort, tap.appPort);
      try {
        await product.when('the subscription is known', async () => {
          const { items } = await product.rpc('taps.list', {});
          return items[0]?.subscriptions[0];
        });
        const through = (path: string, body?: object) =>
          fetch(`http://127.0.0.1:${tap.sidecarPort}${path}`, {
            method: body === undefined ? 'GET' : 'POST',
            headers: { 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
        expect((await through('/v1.0/publish/pubsub/orders', { n: 1 })).status).toBe(204);
        await go(page, 'Messages');
        await expect(rows(page, /, orders, .*Processed, 1 attempt.*Observed/)).toHaveCount(1);
        await openMessage(page, /, orders, .*Processed/, 'Attempts');
        await expect(detail(page).getByText('Observed', { exact: true }).first()).toBeVisible();
        await accessible();

        // A delivery is held and answered in the place of the app.
        const { holdId } = await product.rpc('holds.add', { at: 'delivery', filter: 'topic:orders' });
        await through('/v1.0/publish/pubsub/orders', { n: 2 });
        await go(page, 'Holds');
        const queue = page.getByRole('grid', { name: 'Held messages' });
        await expect(queue.getByRole('row')).toHaveCount(1);
        await queue.getByRole('button', { name: 'Answer' }).click();
        await page.getByRole('menuitem', { name: 'RETRY' }).click();
        await expect(toast(page, 'Released.')).toBeVisible();
        await product.rpc('holds.remove', { holdId });
        await product.when('the sidecar has sent it again', async () => {
          const { total } = await product.rpc('messages.list', { filter: 'is:tapped state:processed' });
          return total === 2 ? true : undefined;
        });
        const [, second] = (await product.rpc('messages.list', { filter: 'is:tapped', order: 'oldest' }))
          .items;
        const { deliveries } = await product.rpc('messages.get', { messageId: second?.messageId ?? '' });
        expect(deliveries[0]?.attempts).toMatchObject([
          { word: 'RETRY', answeredBy: { ruleId: 'by-hand' } },
          { word: 'SUCCESS' },
        ]);

        // Replay goes through the real sidecar.
        await go(page, 'Messages');
        await rows(page, /, orders, /)
          .first()
          .click();
        await detail(page).getByRole('button', { name: 'Replay', exact: true }).click();
        await expect(rows(page, /, orders, .*Processed/)).toHaveCount(3);
        // The words of the strip stand in one line, though it has a button.
        const replayed = await toast(page, 'Replayed to orders.').boundingBox();
        expect(replayed?.height).toBeLessThan(120);
        expect(app.got).toHaveLength(3);

        await through('/v1.0/state/store/key');
        await go(page, 'Settings');
        await page.getByRole('tab', { name: 'Apps' }).click();
        await page.getByText('Other calls', { exact: true }).click();
        await expect(page.getByRole('table', { name: 'Other calls of shop' })).toContainText(
          'GET /v1.0/state/store/key',
        );
        await accessible();
      } finally {
        await real.stop();
      }

      // The sidecar has ended: our own runtime replays the recording.
      const { jobId } = await product.rpc('recordings.export', { filter: 'is:tapped' });
      const { text } = await product.rpc('recordings.read', { jobId, part: 1 });
      const { recordingId } = await product.rpc('recordings.import', {
        name: 'tapped.sidelight.jsonl',
        text,
      });
      await product.rpc('recordings.replay', { recordingId });
      await product.when('they are processed here', async () => {
        const { total } = await product.rpc('messages.list', { filter: 'state:processed' });
        return total === 6 ? true : undefined;
      });
      await page.getByRole('button', { name: 'Remove the tap of shop…' }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await expect(toast(page, /The tap of shop is removed\./)).toBeVisible();
      app.close();
    });
  });
}
