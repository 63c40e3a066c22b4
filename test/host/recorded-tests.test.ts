// Tests made of recorded messages pass against the product that made them, and fail when something else comes of a message.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ToTestResult } from '../../core/contract/recording.ts';
import { startApp, startProduct } from '../faults/kill-product.ts';
import type { CountingApp, Running } from '../faults/kill-product.ts';

const ENTRY = fileURLToPath(new URL('../../core/host/cli.ts', import.meta.url));

let folder: string;
let app: CountingApp;
let product: Running | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sidelight-made-'));
  app = await startApp();
});
afterEach(async () => {
  await product?.kill();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Exit status and output of a script that a person would run. */
async function run(script: string): Promise<{ status: number | null; said: string }> {
  const child = spawn('sh', [script], {
    env: { ...process.env, SIDELIGHT: `${process.execPath} ${ENTRY}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { status, said };
}

// A shell script needs a shell.
test.skipIf(process.platform === 'win32')(
  'a shell script: what came of each message comes again; a wish that does not come true is a failure',
  async () => {
    const running = await startProduct(folder, app.url, ['--log-level', 'error']);
    product = running;
    // The app answers every seventh call with RETRY, so one of them takes two attempts.
    for (let n = 1; n <= 8; n++)
      await running.call('messages.publish', {
        pubsubname: 'pubsub',
        topic: 'orders',
        data: { id: `m${n}` },
      });
    await running.call('messages.publish', { pubsubname: 'pubsub', topic: 'nobody', data: 'text' });
    await expect
      .poll(() => running.call('messages.list', { filter: 'state:processed' }), { timeout: 20_000 })
      .toMatchObject({ total: 8 });
    const { files, skipped } = (await running.call('recordings.toTest', {
      target: 'shell',
      name: 'Orders!',
    })) as ToTestResult;
    expect(skipped).toEqual([]);
    expect(files.map(({ name }) => name)).toEqual(['orders.sidelight.jsonl', 'orders.sh']);
    for (const { name, text } of files) await writeFile(join(folder, name), text);
    const good = await run(join(folder, 'orders.sh'));
    expect(good.said.match(/^ok {4}/gm)).toHaveLength(9);
    expect(good.status).toBe(0);

    const script = files.find(({ name }) => name === 'orders.sh')?.text ?? '';
    await writeFile(join(folder, 'bad.sh'), script.replace('"state": "processed"', '"state": "dropped"'));
    const bad = await run(join(folder, 'bad.sh'));
    expect(bad.said.match(/^FAIL /gm)).toHaveLength(1);
    expect(bad.status).toBe(1);
  },
  120_000,
);
