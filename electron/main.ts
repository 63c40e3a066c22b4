// Main process of the desktop shell: takes the lock, starts the product, shows the window, ends cleanly.
import path from 'node:path';
import { app, session as sessions, shell, type BrowserWindow } from 'electron';
import { SHELL_WINDOW_MS } from '../core/contract/shell.ts';
import { startProduct, type Product } from '../core/host/compose.ts';
import { SIGNALS } from '../core/host/signals.ts';
import { announce, complain, outliveStarter } from './announce.ts';
import { ownArguments, readWindowOptions } from './arguments.ts';
import { openCarrier } from './carrier.ts';
import { endInOrder } from './ending.ts';
import { keptSecrets } from './kept-secrets.ts';
import { setMenu } from './menu.ts';
import { registerPageScheme, servePage } from './page.ts';
import { announceFailure, orRefuse } from './refusal.ts';
import { takeLock, welcomeSecondStart } from './second-start.ts';
import { denyPermissions, guardAllContents } from './security.ts';
import { createWindow, offerReload, showPage } from './window.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

const RENDERER = path.join(import.meta.dirname, '..', 'renderer');
const args = ownArguments(process.argv, app.isPackaged);

outliveStarter();
// Sandbox and scheme must be set before the app is ready, so before anything is awaited.
app.enableSandbox();
registerPageScheme();
guardAllContents();
void run();

async function run(): Promise<void> {
  const options = await orRefuse(() => readWindowOptions(args, process.env));
  if (options === undefined) return;
  if (!takeLock(args)) {
    await announce({ event: 'running' });
    return app.exit(0);
  }
  const ready = app.whenReady();
  const secrets = keptSecrets(ready, complain);
  const reveal = (file: string): void => shell.showItemInFolder(path.normalize(file));
  const onBusy = (text: string): void => void announce({ event: 'busy', text });
  const start = (): Promise<Product> => startProduct({ ...options, reveal, onBusy }, secrets);
  const [product] = await Promise.all([orRefuse(start), ready]);
  if (product === undefined) return;

  const session = options.ephemeral ? sessions.fromPartition('ephemeral') : sessions.defaultSession;
  denyPermissions(session);
  servePage(session, RENDERER);
  setMenu(process.platform);

  const stateFile = path.join(app.getPath('userData'), 'window.json');
  const window = createWindow(readWindowState(stateFile, complain), session);
  const leave = (): void => (options.ephemeral ? undefined : keepWindowState(stateFile, window));
  const end = endInOrder({ product, window, leave, complain });
  for (const signal of SIGNALS) process.on(signal, end);
  product.onShutdown(end);
  welcomeSecondStart(window, args);
  offerReload(window);
  const spoken = firstWord(window, product);
  try {
    await showPage(window, spoken, SHELL_WINDOW_MS);
  } catch (error) {
    await announceFailure(error);
    return end();
  }
  await announce({ event: 'window', pid: process.pid, ready: product.ready, notes: product.unsaid });
}

/** Connects page and product; resolves when the page has sent something, which proves that it is not blank. */
function firstWord(window: BrowserWindow, product: Product): Promise<void> {
  return new Promise((resolve) => {
    openCarrier(window, {
      onPipe: (pipe) => {
        product.attach(pipe);
        resolve();
      },
      onRefused: (reason) => complain(`not taken: ${reason}`),
    });
  });
}
