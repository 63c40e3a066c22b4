/**
 * The files of docs/testing.md run with the product as it is built, and go red when the app is broken. packed.long.test.ts: with the
 * package.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn, sidelightIn, writeBrokenApp, writeFilesOfPage } from '../support/testing-page.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const LIMIT_MS = 120_000;

let folder: string;
let files: ReadonlyMap<string, string>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sidelight-testing-page-'));
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(ROOT, path.join(folder, 'node_modules', 'sidelight'), 'junction');
  files = writeFilesOfPage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(
  'the command of the page passes',
  async () => {
    expect(await sidelightIn(folder, 'test', 'orders.scenario.yaml')).toEqual({
      status: 0,
      said: 'ok   orders are processed at the first attempt (orders.scenario.yaml)\n1 file: 1 passed, 0 failed\n',
    });
  },
  LIMIT_MS,
);

test(
  'the command of the page fails with a broken app, and the story names the cause',
  async () => {
    const { status, said } = await sidelightIn(folder, 'test', writeBrokenApp(folder, files));
    expect(status).toBe(1);
    expect(said).toContain(
      'it asked to drop the message. A warning was logged. (dropped by single.2xx.drop)',
    );
  },
  LIMIT_MS,
);

test(
  'the test of the page passes with node:test',
  async () => {
    const { status, said } = await runIn(folder, process.execPath, ['--test', 'orders.test.mjs']);
    expect(said).toMatch(/pass 1\b/);
    expect(status).toBe(0);
  },
  LIMIT_MS,
);
