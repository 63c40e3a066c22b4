// Starts that open nothing: a second one, one with bad flags, one whose port is taken, one whose page does not load.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { migrate, STEPS } from '../../core/adapters/sqlite-journal/schema.ts';
import { needSqlite } from '../../core/adapters/sqlite-journal/sqlite.ts';
import { startShell } from './shell.ts';
import { endShell, QUIET_FLAGS, start } from './one-shell.ts';
import { emitPreload } from './preload.ts';

let preload = '';
beforeAll(() => {
  preload = emitPreload();
});
afterEach(endShell);

describe('a second start', () => {
  test('gives its flags to the first and ends; nothing is opened', async () => {
    const { electron, line } = await start(QUIET_FLAGS, {
      prepare: ({ world }) => {
        world.hasLock = false;
      },
    });
    await line('running');
    await electron.when('app.exit');
    expect(electron.askedFor('app.requestSingleInstanceLock')).toEqual([[{ args: QUIET_FLAGS }]]);
    expect(electron.askedFor('app.exit')).toEqual([[0]]);
    expect(electron.BrowserWindow.all).toEqual([]);
  });

  test('the first comes to front, even when it was minimised', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    electron.newestWindow().minimized = true;
    electron.app.emit('second-instance', {}, [], '', { args: QUIET_FLAGS });
    expect(electron.askedFor('window.restore')).toHaveLength(1);
    expect(electron.askedFor('window.focus')).toHaveLength(1);
    expect(electron.askedFor('dialog.showMessageBox')).toEqual([]);
  });

  test('a second start names the flags that it ignores', async () => {
    const { electron } = await start(QUIET_FLAGS);
    await electron.when('page committed');
    electron.app.emit('second-instance', {}, [], '', { args: ['--app-id', 'other'] });
    expect(electron.askedFor('dialog.showMessageBox')[0]?.[0]).toMatchObject({
      detail: expect.stringContaining('--app-id other'),
    });
  });

  test.each([[undefined], [null], ['text'], [{}], [{ args: 'text' }], [{ args: [7] }]])(
    'data that is no list of words (%o) only brings it to front',
    async (data) => {
      const { electron } = await start(QUIET_FLAGS);
      await electron.when('page committed');
      electron.app.emit('second-instance', {}, [], '', data);
      expect(electron.askedFor('window.focus')).toHaveLength(1);
      expect(electron.askedFor('dialog.showMessageBox')).toEqual([]);
    },
  );
});

describe('a start that fails', () => {
  test.each([
    ['a bad flag', ['--sidecar-prot', '0'], 2, '--sidecar-prot'],
    ['a bad value', ['--sidecar-port', 'x'], 2, '--sidecar-port'],
    ['what belongs to the command', ['--headless'], 2, '--headless'],
  ])(
    'because of %s is reported to the starter and ends with its code, and nothing is opened',
    async (_what, flags, code, word) => {
      const { electron, line } = await start(flags);
      const refused = await line('refused');
      await electron.when('app.exit');
      expect(refused).toMatchObject({ code, text: expect.stringContaining(word) });
      expect(electron.askedFor('app.exit')).toEqual([[code]]);
      expect(electron.askedFor('dialog.showErrorBox')).toEqual([]);
      expect(electron.BrowserWindow.all).toEqual([]);
    },
  );

  test('because of a taken port ends with 1', async () => {
    const first = await start(QUIET_FLAGS);
    const bridge = await first.openPage(preload);
    bridge.send('{}');
    const { ready } = await first.line('window');
    const port = new URL(ready.apps[0]?.sidecar ?? '').port;
    first.putBack();
    const second = await startShell([
      '--ephemeral',
      '--sidecar-port',
      port,
      '--app-port',
      '0',
      '--console-port',
      '0',
    ]);
    try {
      expect(await second.line('refused')).toMatchObject({ code: 1, text: expect.stringContaining(port) });
      await second.electron.when('app.exit');
    } finally {
      second.putBack();
    }
    first.electron.app.quit();
    await first.electron.when('app.quit');
  });

  test('without a starter is reported in a dialog, and nothing is written', async () => {
    const { electron, lines } = await start(['--sidecar-port', 'x'], { starter: false });
    await electron.when('app.exit');
    expect(electron.askedFor('dialog.showErrorBox')).toEqual([
      ['Sidelight did not start', expect.stringContaining('--sidecar-port')],
    ]);
    expect(lines).toEqual([]);
  });

  test('because the page does not load is reported as failed, and everything ends', async () => {
    const { electron, line } = await start(QUIET_FLAGS, {
      prepare: ({ BrowserWindow }) => {
        BrowserWindow.prototype.loadURL = () => Promise.reject(new Error('ERR_FAILED'));
      },
    });
    expect(await line('failed')).toEqual({ event: 'failed', reason: 'the page did not load: ERR_FAILED' });
    await electron.when('app.quit');
  });
});

test('a start with an older history reports to the starter that it is busy, and then the window', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-older-'));
  const file = path.join(folder, 'sidelight.db');
  const older = new (needSqlite().DatabaseSync)(file);
  migrate(older, file, () => undefined, STEPS.slice(0, 1));
  older.close();
  try {
    const flags = QUIET_FLAGS.filter((flag) => flag !== '--ephemeral');
    const { line, lines, openPage } = await start(['--data-dir', folder, ...flags]);
    (await openPage(preload)).send('{}');
    await line('window');
    expect(lines).toEqual([
      { event: 'busy', text: expect.stringContaining('to format 6') },
      { event: 'busy', text: expect.stringContaining('Sidelight converted the history to format 6') },
      expect.objectContaining({ event: 'window' }),
    ]);
    await endShell();
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
