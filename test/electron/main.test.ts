// The main process as it is: what it sets up, a word from page to host and back, and the end.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { endShell, QUIET_FLAGS, start } from './one-shell.ts';
import { type Bridge, emitPreload } from './preload.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let preload = '';
beforeAll(() => {
  preload = emitPreload();
});
afterEach(endShell);

/** Calls one method over the bridge, as the renderer does. */
function call(bridge: Bridge, method: string, params: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = bridge.onText((text) => {
      const answer: { id?: unknown; result?: unknown; error?: unknown } = JSON.parse(text);
      if (answer.id !== method) return;
      stop();
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(JSON.stringify(answer.error)));
    });
    bridge.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
  });
}

describe('setup', () => {
  test('sandbox and scheme are set before any wait, and the lock is taken before the window opens', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    const order = electron.asked.map(({ what }) => what);
    const steps = [
      'app.enableSandbox',
      'protocol.registerSchemesAsPrivileged',
      'app.requestSingleInstanceLock',
      'app.whenReady',
      'new BrowserWindow',
      'window.loadURL',
    ];
    expect(order.filter((what) => steps.includes(what))).toEqual(steps);
  });

  test('the window is locked down, not shown before it is painted, and loads our page', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    const { options } = electron.newestWindow();
    expect(options.show).toBe(false);
    expect(options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      spellcheck: false,
    });
    expect(path.basename(String(options.webPreferences?.preload))).toBe('preload.cjs');
    expect(electron.askedFor('window.loadURL')).toEqual([['app://sidelight/index.html']]);
  });

  test('the session denies permissions, and the window denies new ones', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    const { session } = electron.newestWindow().options.webPreferences ?? {};
    expect(session).toBeInstanceOf(electron.Session);
    if (!(session instanceof electron.Session)) return;
    expect(session.permissionRequest).not.toBeNull();
    expect(session.permissionCheck).not.toBeNull();
    expect(session.devicePermission).not.toBeNull();
    expect(electron.newestWindow().webContents.openHandler).toBeDefined();
  });

  test('--ephemeral keeps the page’s own storage in memory and no place of the window', async () => {
    const { electron, line, openPage } = await start(QUIET_FLAGS);
    const bridge = await openPage(preload);
    bridge.send('{}');
    await line('window');
    expect(electron.askedFor('session.fromPartition')).toEqual([['ephemeral']]);
    process.emit('SIGTERM');
    await electron.when('app.quit');
    expect(fs.readdirSync(electron.world.userData)).toEqual([]);
  });

  test('without --ephemeral the place of the window is stored', async () => {
    const history = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-history-'));
    const kept = QUIET_FLAGS.filter((flag) => flag !== '--ephemeral');
    const { electron } = await start([...kept, '--data-dir', history]);
    await electron.when('page committed');
    process.emit('SIGTERM');
    await electron.when('app.quit');
    expect(fs.readdirSync(electron.world.userData)).toEqual(['window.json']);
    fs.rmSync(history, { recursive: true });
  });

  test('the end of its terminal ends everything in order', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    process.emit('SIGHUP');
    await electron.when('app.quit');
    // QUIET_FLAGS say that nothing is kept, so an end in order leaves no file.
    expect(fs.readdirSync(electron.world.userData)).toEqual([]);
  });

  test.each([
    ['darwin', ['appMenu', 'fileMenu', 'editMenu', 'viewMenu', 'windowMenu']],
    ['linux', ['fileMenu', 'editMenu', 'viewMenu', 'windowMenu']],
  ] as const)('the menu has the usual roles on %s', async (platform, roles) => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    const { setMenu } = await import('../../electron/menu.ts');
    setMenu(platform);
    expect(electron.askedFor('Menu.setApplicationMenu').at(-1)).toEqual(roles);
  });
});

describe('page and host', () => {
  test('a call from the page is answered by the host, and the starter gets all addresses', async () => {
    const { line, lines, openPage } = await start(QUIET_FLAGS);
    const bridge = await openPage(preload);
    const described = await call(bridge, 'system.describe');
    expect(described).toMatchObject({ apps: [{ appId: 'app' }], ephemeral: true });
    const { ready, pid } = await line('window');
    expect(pid).toBe(process.pid);
    expect(ready.apps).toEqual([expect.objectContaining({ appId: 'app', mock: true })]);
    expect(lines).toHaveLength(1);
    const answer = await fetch(`${ready.apps[0]?.sidecar}/v1.0/healthz`);
    expect(answer.status).toBe(204);
  });

  test('events of the host reach the page without a request', async () => {
    const { line, openPage } = await start(QUIET_FLAGS);
    const bridge = await openPage(preload);
    const seen = new Promise<string>((resolve) => {
      bridge.onText((text) => {
        if (text.includes('"stream.batch"') && text.includes('order-7')) resolve(text);
      });
    });
    const begun = await call(bridge, 'stream.open', {});
    expect(begun).toHaveProperty('epoch');
    const { ready } = await line('window');
    const published = await fetch(`${ready.apps[0]?.sidecar}/v1.0/publish/pubsub/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/cloudevents+json' },
      body: JSON.stringify({ specversion: '1.0', id: 'order-7', source: 'test', type: 'order', data: {} }),
    });
    expect(published.status).toBe(204);
    expect(await seen).toContain('order-7');
  });

  test('the window is reported only after the first message of its page', async () => {
    const { electron, line, lines, openPage } = await start(QUIET_FLAGS);
    const bridge = await openPage(preload);
    await electron.when('window.show');
    expect(lines).toEqual([]);
    bridge.send('{}');
    await line('window');
  });

  test('a page that is never painted is not reported', async () => {
    const { electron, lines, openPage } = await start(QUIET_FLAGS, {
      prepare: ({ world }) => {
        world.paints = false;
      },
    });
    const bridge = await openPage(preload);
    await call(bridge, 'system.describe');
    expect(lines).toEqual([]);
    expect(electron.askedFor('window.show')).toEqual([]);
  });

  test('a foreign frame reaches nothing', async () => {
    const { electron, complaints } = await start([...QUIET_FLAGS, '--log-level', 'error']);
    await electron.when('page committed');
    const { webContents } = electron.newestWindow();
    const sent: unknown[] = [];
    webContents.send = (...given) => void sent.push(given);
    const text = '{"jsonrpc":"2.0","id":1,"method":"system.describe"}';
    const embedded = Object.assign(new electron.Frame(), { url: 'app://sidelight/index.html' });
    electron.ipcMain.emit('sidelight:text', { sender: webContents, senderFrame: embedded }, text);
    electron.ipcMain.emit('sidelight:text', { sender: webContents, senderFrame: null }, text);
    electron.ipcMain.emit('sidelight:text', { sender: {}, senderFrame: webContents.mainFrame }, text);
    expect(sent).toEqual([]);
    expect(complaints).toHaveLength(3);
  });
});

test('closing the window frees the ports', async () => {
  const { electron, line, openPage } = await start(QUIET_FLAGS);
  const bridge = await openPage(preload);
  bridge.send('{}');
  const { ready } = await line('window');
  electron.newestWindow().close();
  await electron.when('app.quit');
  await expect(fetch(`${ready.apps[0]?.sidecar}/v1.0/healthz`)).rejects.toThrow();
  await expect(fetch(ready.console)).rejects.toThrow();
});

test('main.ts stays under 80 lines', () => {
  const text = fs.readFileSync(path.join(ROOT, 'electron', 'main.ts'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThan(80);
});
