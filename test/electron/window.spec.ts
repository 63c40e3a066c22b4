// The real window, wherever an Electron binary and a display are; nowhere else does this file run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, expect, type Page, test as base } from '@playwright/test';
import { SHELL_LINES } from '../../core/contract/shell.ts';
import { SCREENS } from '../../renderer/copy/names.ts';
import { findElectronBinary } from '../../scripts/electron-binary.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const MAIN = path.join(ROOT, 'dist', 'electron', 'main.js');
const FLAGS = ['--ephemeral', '--sidecar-port', '0', '--app-port', '0', '--console-port', '0'];

interface Shell {
  readonly app: ElectronApplication;
  readonly window: Page;
  readonly mishaps: string[];
  /**
   * Starts it once more with the same profile.
   * @returns its exit code and what it said
   */
  startAgain(): Promise<{ readonly code: number | null; readonly said: string }>;
}

const test = base.extend<{ shell: Shell }>({
  // Playwright reads the fixtures from the first argument's pattern; this one needs none.
  // eslint-disable-next-line no-empty-pattern
  shell: async ({}, provide) => {
    const binary = findElectronBinary(path.join(ROOT, 'node_modules', 'electron'));
    if (binary === undefined) throw new Error('the electron project needs a binary');
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-window-'));
    const args = [`--user-data-dir=${profile}`, MAIN, ...FLAGS];
    const app = await _electron.launch({ executablePath: binary, args });
    const window = await app.firstWindow();
    const mishaps: string[] = [];
    window.on('pageerror', (error) => void mishaps.push(error.message));
    window.on('console', (message) => {
      if (message.type() === 'error') mishaps.push(message.text());
    });
    await provide({
      app,
      window,
      mishaps,
      async startAgain() {
        // Playwright starts the first one like this too: a hosted Linux may not allow the sandbox.
        const more = process.platform === 'linux' ? ['--no-sandbox'] : [];
        const second = spawn(binary, [...more, ...args], {
          env: { ...process.env, [SHELL_LINES]: '1' },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const said: Buffer[] = [];
        second.stdout.on('data', (piece: Buffer) => said.push(piece));
        await once(second, 'close');
        return { code: second.exitCode, said: Buffer.concat(said).toString() };
      },
    });
    await app.close();
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  },
});

/** Address of the first app's sidecar, asked for by the page as the console does it. */
function sidecarOf(window: Page): Promise<string> {
  return window.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const bridge = Reflect.get(window, 'sidelight');
        const stop = bridge.onText((text: string) => {
          const answer = JSON.parse(text);
          if (answer.id !== 'test') return;
          stop();
          resolve(answer.result.apps[0].sidecar);
        });
        bridge.send(JSON.stringify({ jsonrpc: '2.0', id: 'test', method: 'system.describe', params: {} }));
      }),
  );
}

test('shows the console', async ({ shell }) => {
  expect(shell.window.url()).toMatch(/^app:\/\/sidelight\/index\.html/);
  const links = shell.window.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveCount(SCREENS.length);
  for (let index = 0; index < SCREENS.length; index += 1) {
    await links.nth(index).click();
    await expect(shell.window.getByRole('main')).toBeVisible();
  }
  expect(shell.mishaps).toEqual([]);
});

test('gives the page two functions and nothing of Node', async ({ shell }) => {
  await expect(shell.window.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const seen = await shell.window.evaluate(() => ({
    bridge: Object.keys(Reflect.get(window, 'sidelight') ?? {}).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
  }));
  expect(seen).toEqual({ bridge: ['onText', 'send'], node: [] });
});

test('a published message appears', async ({ shell }) => {
  const sidecar = await sidecarOf(shell.window);
  const answer = await fetch(`${sidecar}/v1.0/publish/pubsub/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      specversion: '1.0',
      id: 'order-7',
      source: 'shop',
      type: 'order.placed',
      data: {},
    }),
  });
  expect(answer.status).toBe(204);
  await expect(shell.window.getByRole('row').filter({ hasText: 'order.placed' })).toContainText('Processed');
});

test('the page cannot leave, open windows, or run foreign script', async ({ shell }) => {
  await expect(shell.window.getByRole('navigation', { name: 'Main' })).toBeVisible();
  const tried = await shell.window.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    document.body.append(script);
    const opened = window.open('http://127.0.0.1:9/');
    const fetched = await fetch('http://127.0.0.1:9/').then(
      () => true,
      () => false,
    );
    const permission = await navigator.permissions.query({ name: 'geolocation' });
    return { injected: 'injected' in window, opened: opened !== null, fetched, permission: permission.state };
  });
  expect(tried).toEqual({ injected: false, opened: false, fetched: false, permission: 'denied' });
  await shell.window.evaluate(() => void (window.location.href = 'http://127.0.0.1:9/'));
  await expect(shell.window.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(shell.window.url()).toMatch(/^app:/);
  expect(shell.app.windows()).toHaveLength(1);
});

test('a second start ends with 0 and leaves one window', async ({ shell }) => {
  await expect(shell.window.getByRole('navigation', { name: 'Main' })).toBeVisible();
  expect(await shell.startAgain()).toEqual({ code: 0, said: expect.stringContaining('{"event":"running"}') });
  expect(shell.app.windows()).toHaveLength(1);
});

test('closing the window ends the product', async ({ shell }) => {
  const sidecar = await sidecarOf(shell.window);
  const over = once(shell.app.process(), 'exit');
  await shell.window.close();
  await over;
  expect(shell.app.process().exitCode).toBe(0);
  await expect(fetch(`${sidecar}/v1.0/healthz`)).rejects.toThrow();
});
