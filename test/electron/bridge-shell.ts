// The built desktop shell in a process of its own, with the stand-in for Electron and a test for the window's page.
import fs from 'node:fs';
import path from 'node:path';
import type { FromShell, ToShell } from './bridge-words.ts';
import { runPreload } from './preload.ts';
import * as electron from './stand-in.ts';

const BUILT = path.resolve(import.meta.dirname, '..', '..', 'dist', 'electron');
const MAIN = path.join(BUILT, 'main.js');
const PRELOAD = fs.readFileSync(path.join(BUILT, 'preload', 'preload.cjs'), 'utf8');

const [userData = '', ...flags] = process.argv.slice(2);
electron.world.userData = userData;
process.argv = ['electron', MAIN, ...flags];

/** The test may disconnect during a message: then it is lost, as with a closed window. */
const say = (words: FromShell): void =>
  void process.send?.(words, (error: NodeJS.ErrnoException | null) => {
    if (error !== null && error.code !== 'ERR_IPC_CHANNEL_CLOSED' && error.code !== 'EPIPE') throw error;
  });

await import(MAIN);
await electron.when('page committed');
const { webContents, options } = electron.newestWindow();
const session = options.webPreferences?.session;
if (!(session instanceof electron.Session)) throw new Error('the window has no session');
const serve = session.schemes.get('app');
if (serve === undefined) throw new Error('nobody serves the page');

let bridge = enterPage();
process.on('message', (words: ToShell) => void answer(words));
// The test's process has ended.
process.once('disconnect', () => process.emit('SIGTERM'));
void electron.when('app.quit').then(() => process.exit(0));
void electron.when('app.exit').then(() => process.exit(Number(electron.askedFor('app.exit')[0]?.[0])));
say({ kind: 'window', url: webContents.mainFrame.url });

/** A loaded page gets its own preload; that of the last page ends with it. */
function enterPage(): ReturnType<typeof runPreload> {
  electron.ipcRenderer.removeAllListeners();
  const entered = runPreload(PRELOAD);
  entered.onText((text) => say({ kind: 'text', text }));
  return entered;
}

async function answer(words: ToShell): Promise<void> {
  switch (words.kind) {
    case 'text':
      bridge.send(words.text);
      return;
    case 'loaded':
      webContents.emit('did-navigate', {}, webContents.mainFrame.url);
      bridge = enterPage();
      return;
    case 'end':
      process.emit('SIGTERM');
      return;
    case 'page': {
      const { id, url, method } = words;
      const response = await serve?.(new Request(url, { method }));
      if (response === undefined) return;
      const body = Buffer.from(await response.arrayBuffer()).toString('base64');
      say({ kind: 'page', id, status: response.status, headers: Object.fromEntries(response.headers), body });
    }
  }
}
