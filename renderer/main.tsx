/** Starts the console in the page: picks the carrier and draws the app. */
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { openElectronPipe } from './client/pipes/electron.ts';
import { openWebSocketPipe, streamAddress } from './client/pipes/websocket.ts';
import { createConsole } from './state/console.ts';
import './theme/tokens.css';
import './theme/fonts.css';
import './theme/base.css';

const bridge = window.sidelight;
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');

const console = createConsole({
  open: () =>
    bridge === undefined ? openWebSocketPipe(streamAddress(window.location.href)) : openElectronPipe(bridge),
  bar: window,
  keep: window.localStorage,
  opensWindows: bridge === undefined,
});
createRoot(root).render(<App console={console} />);
