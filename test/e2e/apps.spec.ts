// A run of several apps: their processes on the Apps screen, one that is started again while its messages wait, and its output beside them.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { go, rows, toast } from './console-page.ts';
import { expect, startProduct, test } from './fixture.ts';
import { openConsole } from './open-console.ts';

// The product ends while its page is open.
test.use({
  opensConsole: false,
  expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/],
});

/** The subscriber opens its port when there is a file of this name in its folder. */
const MAY_OPEN = 'may-open';
/** Subscribes to `orders`, says which event it gets, and answers. */
const SUBSCRIBER = `
const server = require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.setHeader('content-type', 'application/json');
  if (request.url === '/dapr/subscribe')
    return response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }]));
  const { id, data } = JSON.parse(body);
  console.log('order ' + data.orderId + ' is event ' + id);
  response.end('{}');
});
const look = setInterval(() => {
  if (!require('node:fs').existsSync('${MAY_OPEN}')) return;
  clearInterval(look);
  server.listen(process.env.APP_PORT, '127.0.0.1', () => console.log('open'));
}, 50);
process.on('SIGTERM', () => process.exit(0));
`;
const WORKER = "console.log('works'); console.error('no paper'); setInterval(() => 0, 1000);";

async function folderOfTwo(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-run-'));
  for (const [name, text] of [
    ['shop', SUBSCRIBER],
    ['worker', WORKER],
  ] as const) {
    await fs.mkdir(path.join(folder, name));
    await fs.writeFile(path.join(folder, name, 'app.js'), text);
  }
  await fs.writeFile(
    path.join(folder, 'dapr.yaml'),
    `version: 1
apps:
  - {appDirPath: shop, appPort: ${await freePort()}, command: [node, app.js]}
  - {appDirPath: worker, command: [node, app.js]}
`,
  );
  return folder;
}

test('two apps of one file: one restarts while its messages wait, and its log lines link to them', async ({
  page,
  accessible,
}) => {
  const folder = await folderOfTwo();
  const mayOpen = path.join(folder, 'shop', MAY_OPEN);
  await fs.writeFile(mayOpen, '');
  const product = await startProduct({ flags: ['run', '-f', folder], env: { HOME: folder } });
  try {
    await openConsole(page, product);
    await go(page, 'Apps');
    const shop = page.getByRole('region', { name: 'shop' });
    const worker = page.getByRole('region', { name: 'worker' });
    await expect(shop).toContainText('running · pid');
    await expect(shop).toContainText('done, 1 subscription');
    await expect(worker).toContainText('no address: the app only publishes, or opens a stream');
    await expect(worker.getByRole('list', { name: 'Last lines of worker' })).toContainText('works');
    await expect(worker.getByRole('listitem').filter({ hasText: 'stderr no paper' })).toHaveCount(1);
    await accessible();

    await fs.rm(mayOpen);
    await shop.getByRole('button', { name: 'Restart shop' }).click();
    await expect(shop).toContainText('starting · pid');
    await product.publish('orders', { orderId: 7 });
    await go(page, 'Messages');
    await expect(rows(page, /orders/)).toHaveCount(1);
    await expect(rows(page, /Processed/)).toHaveCount(0);
    await fs.writeFile(mayOpen, '');
    await expect(rows(page, /Processed, 1 attempt/)).toHaveCount(1);

    await go(page, 'Apps');
    await expect(shop).toContainText('1 restart');
    await expect(shop.getByRole('listitem').filter({ hasText: 'orders of pubsub' })).toContainText(
      /orders of pubsub · up to date · [\d.]+\/s in, [\d.]+\/s out/,
    );
    await expect(shop.getByRole('list', { name: 'Last lines of shop' })).toContainText('order 7 is event');
    await shop.getByRole('link', { name: 'All lines in Logs' }).click();
    const line = page.getByRole('row', { name: /order 7 is event/ });
    await line.getByRole('link', { name: 'Open message' }).click();
    await expect(rows(page, /Processed/)).toHaveCount(1);

    await go(page, 'Apps');
    await worker.getByRole('button', { name: 'Stop worker' }).press('Enter');
    await expect(toast(page, 'App worker was stopped. Its messages wait.')).toBeVisible();
    await expect(worker).toContainText(
      /ended · last started at \d.* · it ended with signal SIGTERM, because a person stopped it/,
    );
    // No other button comes under a key that is pressed again.
    await expect(worker).toBeFocused();
    await worker.getByRole('button', { name: 'Start worker' }).press('Enter');
    await expect(worker).toContainText('running · pid');
    await expect(worker).toBeFocused();
  } finally {
    expect(await product.stop()).toBe(0);
    await fs.rm(folder, { recursive: true, force: true });
  }
});
