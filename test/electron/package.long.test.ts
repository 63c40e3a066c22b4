// Packs the built product with a stub in place of Electron and looks at what would ship; needs a build.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { extractAll, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const PACK_LIMIT_MS = 240_000;

/** Stands before the fuses in every Electron binary. Then follow version and number, each one byte, and one character per fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** In the order of the wire. */
const FUSES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
] as const;

let scratch = '';
let out = '';
let listed: string[] = [];
let output = '';

/** The least that the packer takes for an unpacked Electron; every fuse as it comes from the factory. */
function makeStub(folder: string): void {
  const { version }: { version: string } = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'node_modules', 'electron', 'package.json'), 'utf8'),
  );
  fs.mkdirSync(path.join(folder, 'locales'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'resources'));
  const factory = `${SENTINEL}\u0001${String.fromCharCode(FUSES.length)}10110101`;
  fs.writeFileSync(path.join(folder, 'electron'), `#!/bin/sh\nexit 1\n${factory}`, { mode: 0o755 });
  fs.writeFileSync(path.join(folder, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak']) {
    fs.writeFileSync(path.join(folder, name), '');
  }
}

// The stub is a Linux one; other platforms' packers want a real binary.
describe.skipIf(process.platform !== 'linux')('the packed application', () => {
  beforeAll(() => {
    scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-pack-'));
    const stub = path.join(scratch, 'electron');
    makeStub(stub);
    // The caches of the packer and its tools are removed with this folder.
    const temporary = path.join(scratch, 'tmp');
    fs.mkdirSync(temporary);
    const packer = path.join(ROOT, 'node_modules', 'electron-builder', 'cli.js');
    const settings = [`-c.electronDist=${stub}`, `-c.directories.output=${path.join(scratch, 'out')}`];
    const packed = spawnSync(process.execPath, [packer, '--dir', '--linux', '--x64', ...settings], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: PACK_LIMIT_MS,
      env: { ...process.env, TMPDIR: temporary, NODE_COMPILE_CACHE: path.join(temporary, 'compiled') },
    });
    output = `${packed.stdout}${packed.stderr}`;
    out = path.join(scratch, 'out', 'linux-unpacked');
    if (packed.status !== 0) throw new Error(`the packer ended with ${packed.status}:\n${output}`);
    listed = listPackage(path.join(out, 'resources', 'app.asar'), { isPack: false }).map((name) =>
      name.replaceAll(path.sep, '/'),
    );
  }, PACK_LIMIT_MS);
  afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

  test.each([
    '/package.json',
    '/LICENSE',
    '/build/icon.png',
    '/dist/electron/main.js',
    '/dist/electron/preload/preload.cjs',
    '/dist/renderer/index.html',
    '/dist/core/host/compose.js',
    '/node_modules/fastify/package.json',
  ])('holds %s', (file) => expect(listed).toContain(file));

  const own = (): string[] => listed.filter((file) => !file.startsWith('/node_modules'));

  test('holds of ours only what is built, and what names it', () => {
    const top = new Set(own().map((file) => file.split('/')[1]));
    expect([...top].sort()).toEqual(['LICENSE', 'build', 'dist', 'package.json']);
    const built = new Set(own().flatMap((file) => /^\/dist\/([^/]+)/.exec(file)?.[1] ?? []));
    expect([...built].sort()).toEqual(['core', 'electron', 'renderer']);
  });

  test('holds no source, no type, no map, no test and no build record', () => {
    expect(listed.filter((file) => /\.(ts|tsx|cts|mts|map|tsbuildinfo)$/.test(file))).toEqual([]);
    expect(own().filter((file) => /(^|\/)(test|tests|scripts|\.build|\.types)(\/|$)/.test(file))).toEqual([]);
    expect(listed.filter((file) => /\/node_modules\/(.*\/)?(test|tests)$/.test(file))).toEqual([]);
  });

  test('holds no tool, and nothing that the renderer has bundled', () => {
    const tools = ['electron', 'electron-builder', 'vite', 'vitest', 'typescript', 'react', 'lucide-react'];
    expect(tools.filter((name) => listed.includes(`/node_modules/${name}/package.json`))).toEqual([]);
  });

  test('has each fuse as configured', () => {
    const binary = fs.readFileSync(path.join(out, 'sidelight')).toString('latin1');
    const at = binary.indexOf(SENTINEL) + SENTINEL.length + 2;
    const wire = Object.fromEntries(FUSES.map((name, index) => [name, binary[at + index]]));
    expect(wire).toEqual({
      runAsNode: '0',
      enableCookieEncryption: '1',
      enableNodeOptionsEnvironmentVariable: '0',
      enableNodeCliInspectArguments: '0',
      enableEmbeddedAsarIntegrityValidation: '1',
      onlyLoadAppFromAsar: '1',
      loadBrowserProcessSpecificV8Snapshot: '0',
      grantFileProtocolExtraPrivileges: '0',
    });
  });

  test('finds everything it needs inside: the product starts from it and serves its page', async () => {
    const app = path.join(scratch, 'app');
    extractAll(path.join(out, 'resources', 'app.asar'), app);
    const flags = [
      '--headless',
      '--ephemeral',
      '--sidecar-port',
      '0',
      '--app-port',
      '0',
      '--console-port',
      '0',
    ];
    const program = path.join(app, 'dist', 'core', 'host', 'cli.js');
    const child = spawn(process.execPath, [program, ...flags], {
      cwd: scratch,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const complaints: Buffer[] = [];
    child.stderr.on('data', (piece: Buffer) => complaints.push(piece));
    const ended = once(child, 'exit');
    try {
      const lines = createInterface({ input: child.stdout });
      const first: unknown = await Promise.race([
        once(lines, 'line').then(([line]: string[]) => line),
        ended.then(() => `it ended: ${Buffer.concat(complaints).toString()}`),
      ]);
      const ready: { console: string; token: string } = JSON.parse(String(first));
      const page = await fetch(ready.console, { headers: { authorization: `Bearer ${ready.token}` } });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<div id="root">');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0);
  });
});
