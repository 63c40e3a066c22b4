// A made test of Vitest compiles under strict rules and passes; one of Playwright compiles.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ToTestResult } from '../../core/contract/recording.ts';
import { startApp, startProduct } from '../faults/kill-product.ts';
import type { CountingApp, Running } from '../faults/kill-product.ts';
import { toolFile } from '../../scripts/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = join(ROOT, 'core', 'host', 'cli.ts');
const STRICT = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: true,
    noUncheckedIndexedAccess: true,
  },
  include: ['*.ts'],
};

let folder: string;
let app: CountingApp;
let product: Running | undefined;

beforeEach(async () => {
  // Inside the project, where the packages that a test imports are found.
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.cache', 'made-'));
  app = await startApp();
});
afterEach(async () => {
  await product?.kill();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

test('files for Vitest and Playwright compile, and what came of each message comes again', async () => {
  const running = await startProduct(join(folder, 'data'), app.url, ['--log-level', 'error']);
  product = running;
  for (let n = 1; n <= 8; n++)
    await running.call('messages.publish', { pubsubname: 'pubsub', topic: 'orders', data: { id: `m${n}` } });
  await expect
    .poll(() => running.call('messages.list', { filter: 'state:processed' }), { timeout: 120_000 })
    .toMatchObject({ total: 8 });
  for (const target of ['vitest', 'playwright']) {
    const made = (await running.call('recordings.toTest', { target, name: target })) as ToTestResult;
    expect(made.skipped).toEqual([]);
    for (const { name, text } of made.files) writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
  const compiled = spawnSync(process.execPath, [toolFile('typescript', 'tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect(compiled.stdout).toBe('');
  const ran = spawnSync(process.execPath, [toolFile('vitest'), 'run', '--root', folder, 'vitest.test.ts'], {
    encoding: 'utf8',
    env: { ...process.env, SIDELIGHT: `${process.execPath} ${ENTRY}` },
  });
  expect(ran.stdout).toContain('8 passed');
  expect(ran.status).toBe(0);
});
