// The program as it is built: few files for each start, and the licence texts of what is inside them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const FOLDER = path.join(ROOT, 'dist', 'program');

/** Files and packages that are loaded before the first line of the entry runs. */
function loadedFrom(entry: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = fs.readFileSync(path.join(FOLDER, 'host', file), 'utf8');
    for (const { moduleRequest } of parseSync(file, text, { sourceType: 'module' }).module.staticImports) {
      const name = moduleRequest.value;
      if (name.startsWith('./')) files.add(name.slice(2));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return { files, packages };
}

test.each(['cli.js', 'library.js'])('%s loads few files, and no package beside them', (entry) => {
  const { files, packages } = loadedFrom(entry);
  expect([...packages]).toEqual([]);
  expect(files.size).toBeLessThanOrEqual(60);
});

test('no file has a character that makes each of its characters take two bytes of memory', () => {
  const folder = path.join(FOLDER, 'host');
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.js'));
  const wide = files.filter((name) =>
    /[^\u0000-\u007f]/.test(fs.readFileSync(path.join(folder, name), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(wide).toEqual([]);
});

test('a start does not load TLS, HTTP/2 and the client for fetch', async () => {
  const report = 'process.on("exit", () => console.error(`${process.moduleLoadList.join("\\n")}\\n`));';
  const ports = ['--sidecar-port', '0', '--console-port', '0', '--app-port', '0', '--grpc-port', '0'];
  const child = spawn(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(report)}`,
    path.join(FOLDER, 'host', 'cli.js'),
    '--headless',
    '--ephemeral',
    ...ports,
  ]);
  let loaded = '';
  child.stderr.on('data', (chunk: Buffer) => (loaded += chunk.toString()));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  await once(child, 'close');
  const names = loaded.split('\n').map((line) => line.replace(/^NativeModule /, ''));
  expect(names).toContain('http');
  expect(
    names.filter((name) => ['tls', 'https', 'http2', 'internal/deps/undici/undici'].includes(name)),
  ).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'the script of docs/automation.md starts an instance, publishes to it and ends it',
  async () => {
    const doc = fs.readFileSync(path.join(ROOT, 'docs', 'automation.md'), 'utf8');
    const script = /^```sh\n(sidelight --headless --ephemeral [^]*?)^```$/m.exec(doc)?.[1] ?? '';
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-script-'));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const programs = path.join(folder, 'programs');
    fs.mkdirSync(programs);
    fs.symlinkSync(path.join(ROOT, 'bin', 'sidelight.mjs'), path.join(programs, 'sidelight'));
    fs.symlinkSync(process.execPath, path.join(programs, 'node'));
    // Says the status of the answer, which the script does not look at. There is no jq for those who have only Node.
    const curl = '#!/bin/bash\nPATH=${PATH#*:} exec curl -sS -w "%{http_code}" "$@"\n';
    fs.writeFileSync(path.join(programs, 'curl'), curl, { mode: 0o755 });
    fs.writeFileSync(path.join(programs, 'jq'), '#!/bin/bash\nexit 127\n', { mode: 0o755 });
    const env = {
      ...process.env,
      PATH: `${programs}:${process.env['PATH'] ?? ''}`,
      NO_PROXY: '*',
      XDG_DATA_HOME: folder,
    };
    const whole = `trap 'kill $!' ERR\n${script}wait`;
    const shell = spawn('bash', ['-euc', whole], { cwd: folder, env, detached: true });
    onTestFinished(() => {
      try {
        process.kill(-(shell.pid ?? Number.NaN), 'SIGKILL');
      } catch {
        // All that the script started has ended.
      }
    });
    const said = { out: '', err: '' };
    shell.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const [status] = await once(shell, 'close');
    expect({ status, ...said }).toMatchObject({ status: 0, out: '204' });
  },
);

test('the licence texts of the packages inside come along', () => {
  const texts = fs.readFileSync(path.join(FOLDER, 'licenses.md'), 'utf8');
  const named = [...texts.matchAll(/^## (\S+) - /gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(['chevrotain', 'fastify', 'semver', 'ws']));
});

test('files named in package.json are built, and are in the package', () => {
  const { bin, exports, files }: Manifest = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  );
  const offered = [...Object.values(bin), ...Object.values(exports).flatMap((target) => pathsOf(target))];
  expect(offered.filter((file) => !fs.existsSync(path.join(ROOT, file)))).toEqual([]);
  // npm packs the manifest by itself.
  const packed = (file: string): boolean =>
    file === 'package.json' ||
    (files.some((name) => isIn(name, file)) &&
      !files.some((name) => name.startsWith('!') && isIn(name.slice(1), file)));
  expect(offered.map((file) => path.posix.normalize(file)).filter((file) => !packed(file))).toEqual([]);
});

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly files: readonly string[];
}

const pathsOf = (target: string | Readonly<Record<string, string>>): readonly string[] =>
  typeof target === 'string' ? [target] : Object.values(target);
const isIn = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);
