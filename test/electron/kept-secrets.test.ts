// The desktop stores an example component's secrets in the system's key store, or not at all, and then it says so.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Method, Params, Result } from '../../core/contract/console.ts';
import { endShell, start } from './one-shell.ts';
import { emitPreload } from './preload.ts';

let preload = '';
beforeAll(() => {
  preload = emitPreload();
});
afterEach(endShell);

const ANY_PORT = ['--sidecar-port', '0', '--app-port', '0', '--console-port', '0', '--log-level', 'error'];
const ROUTER = ['router', 'ingress'].flatMap((one) => ['--set', `eventRouter.listen.${one}=localhost:0`]);

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-kept-'));
  onTestFinished(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

/** One life of the window over the same folders. */
async function life(home: string, backend: 'gnome_libsecret' | 'basic_text') {
  const flags = [...ANY_PORT, ...ROUTER, '--data-dir', path.join(home, 'data')];
  const shell = await start(flags, {
    prepare: ({ world }) => {
      world.userData = path.join(home, 'user');
      world.keyStore.backend = backend;
    },
  });
  const bridge = await shell.openPage(preload);
  return <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> =>
    new Promise((resolve, reject) => {
      const stop = bridge.onText((text) => {
        const answer: { id?: unknown; result: Result<M>; error?: unknown } = JSON.parse(text);
        if (answer.id !== method) return;
        stop();
        if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(JSON.stringify(answer.error)));
      });
      bridge.send(JSON.stringify({ jsonrpc: '2.0', id: method, method, params }));
    });
}

test.runIf(process.platform === 'linux')(
  'an example exists after a restart, sealed by the key store, until it is removed',
  async () => {
    const home = folder();
    const file = path.join(home, 'user', 'secrets.json');
    const first = await life(home, 'gnome_libsecret');
    const made = await first('eventRouter.create', {});
    expect(made.notKept).toBeUndefined();
    const { value } = await first('eventRouter.reveal', { component: made.component, field: 'accessKey' });
    const kept = fs.readFileSync(file, 'utf8');
    expect(Object.keys(JSON.parse(kept))).toEqual(['added components']);
    expect(kept).not.toContain(value);
    // The data folder has the router's own keys, for its owner alone; the component's file is not there.
    expect(fs.readdirSync(path.join(home, 'data')).some((name) => name.endsWith('.yaml'))).toBe(false);
    await endShell();

    const second = await life(home, 'gnome_libsecret');
    const { components } = await second('eventRouter.status', {});
    expect(components).toMatchObject([{ name: made.component, added: {} }]);
    expect(components[0]?.added).toEqual({});
    const again = await second('eventRouter.reveal', { component: made.component, field: 'accessKey' });
    expect(again.value).toBe(value);
    await second('eventRouter.create', { component: made.component, remove: true });
    expect((await second('eventRouter.status', {})).components).toEqual([]);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual({});
  },
);

test.runIf(process.platform === 'linux')(
  'without a real key store nothing is stored, and the result says so',
  async () => {
    const home = folder();
    const first = await life(home, 'basic_text');
    const made = await first('eventRouter.create', {});
    expect(made.notKept).toContain('the desktop offers no key store (basic_text)');
    const { components } = await first('eventRouter.status', {});
    expect(components[0]?.added?.notKept).toBe(made.notKept);
    expect(fs.existsSync(path.join(home, 'user', 'secrets.json'))).toBe(false);
    await endShell();
    const second = await life(home, 'basic_text');
    expect((await second('eventRouter.status', {})).components).toEqual([]);
  },
);
