// A run in which one app waits for another that has failed: what the first screen says of it, and its name in a narrow log.
import fs from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { go } from './console-page.ts';
import { expect, startProduct, test } from './fixture.ts';
import { openConsole } from './open-console.ts';

// The product ends while its page is open.
test.use({
  opensConsole: false,
  viewport: { width: 700, height: 900 },
  expectedErrors: [/WebSocket connection to .* failed|Failed to load resource/],
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port is free');
  await new Promise<void>((done) => void server.close(() => done()));
  return bound.port;
}

test('an app that waits for a failed one shows that reason, and the log has whole names', async ({
  page,
}) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sidelight-e2e-waiting-'));
  const fails = "console.log('no database'); process.exit(3);";
  await fs.writeFile(
    path.join(folder, 'dapr.yaml'),
    JSON.stringify({
      version: 1,
      apps: [
        {
          appID: 'order-processor',
          appDirPath: '.',
          appPort: await freePort(),
          command: ['node', '-e', fails],
        },
        {
          appID: 'checkout',
          appDirPath: '.',
          appPort: await freePort(),
          command: ['node', '-e', ''],
          dependsOn: ['order-processor'],
        },
        // A run ends when its last process ends, so one process stays.
        { appID: 'idle', appDirPath: '.', command: ['node', '-e', 'setInterval(() => 0, 1000)'] },
      ],
    }),
  );
  const product = await startProduct({ flags: ['run', '-f', folder], env: { HOME: folder } });
  try {
    await openConsole(page, product);
    for (const why of [
      'the address of app order-processor, whose process does not run: it ended with status 3. Messages of all topics wait until it answers, because only it knows what it subscribes to.',
      /the address of app checkout, whose process does not run: it waits for order-processor: .*status 3/,
    ])
      await expect(page.getByText(why).first()).toBeVisible();
    await go(page, 'Logs');
    const line = page.getByRole('row', { name: /no database/ });
    await expect(line).toContainText('order-processor');
    const part = line.getByRole('gridcell').nth(2);
    expect(await part.evaluate((cell) => cell.scrollWidth > cell.clientWidth)).toBe(false);
  } finally {
    await product.stop();
    await fs.rm(folder, { recursive: true, force: true });
  }
});
