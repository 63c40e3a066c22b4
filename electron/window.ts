// Creates the sandboxed window, shows it once the page is painted, and waits for the page's first message.
import path from 'node:path';
import { BrowserWindow, dialog, nativeTheme, type Session } from 'electron';
import { duration } from '../core/contract/duration-text.ts';
import { PAGE } from './page.ts';
import { MIN_SIZE, type WindowState } from './window-state.ts';

/** Background of the page, light and dark, so that nothing flashes before the first paint. */
const CANVAS = { light: '#f6f7f9', dark: '#0e1217' } as const;

const PRELOAD = path.join(import.meta.dirname, 'preload', 'preload.cjs');
const ICON = path.join(import.meta.dirname, '..', '..', 'build', 'icon.png');

/** Makes the window, hidden and without a page. */
export function createWindow(state: WindowState, session: Session): BrowserWindow {
  const { maximized, ...place } = state;
  const window = new BrowserWindow({
    ...place,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    title: 'Sidelight',
    icon: ICON,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? CANVAS.dark : CANVAS.light,
    webPreferences: {
      session,
      preload: PRELOAD,
      // These are the defaults. They are written for readers, and a test checks them.
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      navigateOnDragDrop: false,
      // The spelling checker would download its dictionaries.
      spellcheck: false,
    },
  });
  if (maximized) window.maximize();
  return window;
}

/**
 * Loads the page, shows the window once it is painted, and waits for the page's first message: a painted page may still be blank.
 * @throws Error with the reason, if the page does not load or sends nothing
 */
export async function showPage(
  window: BrowserWindow,
  firstMessage: Promise<void>,
  limitMs: number,
): Promise<void> {
  const painted = new Promise<void>((resolve) => window.once('ready-to-show', resolve));
  const shown = painted.then(() => window.show());
  await window.loadURL(PAGE);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it loaded and stayed blank for ${duration(limitMs)}`)),
      limitMs,
    );
  });
  await Promise.race([Promise.all([shown, firstMessage]), limit]).finally(() => clearTimeout(timer));
}

/** Brings a window to the front, wherever it is. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Offers to reload a crashed page; the runtime keeps running. */
export function offerReload(window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    void askReload(window, reason);
  });
}

async function askReload(window: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The console page ended unexpectedly.',
    detail: `Reason: ${reason}. The sidecar still runs, and no message it accepted is lost.`,
    buttons: ['Load the page again', 'Leave it'],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0 && !window.isDestroyed()) window.webContents.reload();
}
