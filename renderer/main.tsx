/** Starts the console in the page: chooses the carrier and draws the app. */
import { createRoot } from 'react-dom/client';
import type { TextPipe } from '../core/contract/rpc.ts';
import { App } from './app.tsx';
import { openElectronPipe } from './client/pipes/electron.ts';
import { openWebSocketPipe, streamAddress } from './client/pipes/websocket.ts';
import { createKeyShelf } from './client/key-shelf.ts';
import { createPageKey, takeEntry } from './client/page-key.ts';
import { createConsole } from './state/console.ts';
import { keepOf } from './state/ui.ts';
import { noticeCopyOfPage } from './state/window-copy.ts';
import { keepOfWindow } from './state/window-keep.ts';
import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';

const bridge = window.sidelight;
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');

/** Time after which a host without an answer counts as away. */
const ANSWER_MS = 10_000;

/** Opens pipes from a browser. */
function overWebSocket(): () => Promise<TextPipe> {
  const address = streamAddress(window.location.href);
  const protocols = createPageKey({
    ...takeEntry(window),
    shelf: createKeyShelf(window),
    post: (path, body) => fetch(path, { method: 'POST', body, signal: AbortSignal.timeout(ANSWER_MS) }),
  });
  return async () => openWebSocketPipe(address, await protocols());
}

const console = createConsole({
  open: bridge === undefined ? overWebSocket() : () => openElectronPipe(bridge),
  bar: window,
  keep: keepOf(window),
  // The desktop has one window, whose drafts are there again after a crash too.
  ...(bridge === undefined && {
    windowKeep: keepOfWindow(window),
    noticeCopy: (onCopy) => noticeCopyOfPage(window, onCopy),
  }),
  opensWindows: bridge === undefined,
});
// No menu, dialog or tab is animated here. The flag keeps their library from looking for running animations: that look makes the browser
// lay out the whole page.
Reflect.set(globalThis, 'BASE_UI_ANIMATIONS_DISABLED', true);
createRoot(root).render(<App console={console} />);
