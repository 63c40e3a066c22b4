/** A full disk and one that cannot be written, against the whole product: the publisher hears it, a person sees it, it recovers. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';

import { startApp, startProduct } from './kill-product.ts';
import type { CountingApp, Running } from './kill-product.ts';
import { mountTmpfs } from '../support/small-disk.ts';

const QUIET = ['--log-level', 'error'];
const tmpfs = mountTmpfs(48);
afterAll(() => tmpfs?.unmount());

let app: CountingApp;
let product: Running | undefined;

beforeEach(async () => {
  app = await startApp();
});
afterEach(async () => {
  await product?.kill();
  await app.close();
  if (tmpfs === undefined) return;
  for (const name of readdirSync(tmpfs.folder)) rmSync(join(tmpfs.folder, name), { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function publish(running: Running, id: string, size = 20_000): Promise<Answer> {
  const response = await fetch(`${running.sidecar}/v1.0/publish/pubsub/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, filler: 'x'.repeat(size) }),
  });
  return { status: response.status, text: await response.text() };
}

async function banners(running: Running): Promise<readonly string[]> {
  const described = await running.call('system.describe', {});
  if (typeof described !== 'object' || described === null || !('banners' in described)) return [];
  const { banners: shown } = described as { banners: readonly { readonly text: string }[] };
  return shown.map(({ text }) => text);
}

// Where nothing can be mounted, these are skipped and counted.
describe.skipIf(tmpfs === undefined)('on a disk of 48 MB', { timeout: 90_000 }, () => {
  const disk = tmpfs?.folder ?? '';

  test('that is full refuses publishes with the code and a banner until it has room, and acknowledged messages arrive', async () => {
    const filler = join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(20_000_000));
    const folder = join(disk, 'data');
    mkdirSync(folder);
    const running = await startProduct(folder, app.url, QUIET);
    product = running;
    const acknowledged: string[] = [];
    let refused: Answer | undefined;
    for (let n = 1; refused === undefined && n < 3000; n++) {
      const answer = await publish(running, `e${n}`);
      if (answer.status === 204) acknowledged.push(`e${n}`);
      else refused = answer;
    }
    expect(refused?.status).toBe(500);
    expect(JSON.parse(refused?.text ?? '{}')).toMatchObject({
      errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      message: expect.stringContaining('the disk is full'),
    });
    expect(acknowledged.length).toBeGreaterThan(50);
    expect((await banners(running)).join()).toContain('the disk is full');
    await expect
      .poll(() => acknowledged.filter((id) => !app.got.has(id)), { timeout: 30_000, interval: 200 })
      .toEqual([]);

    rmSync(filler);
    await expect
      .poll(async () => (await publish(running, 'after')).status, { timeout: 20_000, interval: 300 })
      .toBe(204);
    expect((await banners(running)).join()).not.toContain('the disk is full');
    await expect.poll(() => app.got.has('after'), { timeout: 20_000 }).toBe(true);
    expect(await running.end()).toBe(0);
  });

  test('that is read-only lets the product start, show its history, and refuse publishes with what to do', async () => {
    const folder = join(disk, 'data');
    mkdirSync(folder);
    const first = await startProduct(folder, app.url, QUIET);
    product = first;
    expect((await publish(first, 'before', 10)).status).toBe(204);
    await expect.poll(() => app.got.has('before'), { timeout: 20_000 }).toBe(true);
    await first.end();
    expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
    try {
      const second = await startProduct(folder, app.url, QUIET);
      product = second;
      expect(await second.call('messages.list', {})).toMatchObject({ total: 1 });
      const { status, text } = await publish(second, 'never');
      expect(status).toBe(500);
      expect(text).toMatch(/ERR_PUBSUB_PUBLISH_MESSAGE.*--data-dir.*--ephemeral/);
      expect((await banners(second)).join()).toMatch(/cannot write to.*--data-dir.*--ephemeral/);
      await second.end();
    } finally {
      spawnSync('mount', ['-o', 'remount,rw', disk]);
    }
  });
});
