// Restrictions of all pages: no leaving, opening windows, embedding, devices or permissions.
import { app, dialog, shell, type Session, type WebContents } from 'electron';
import { errorText } from '../core/contract/error-text.ts';
import { PAGE_ORIGIN } from './page.ts';

/** Longest address that is shown and opened outside. */
const MAX_ADDRESS = 2048;

/** The only granted permission: copying text, which every "copy as" of the console needs. */
const GRANTED = 'clipboard-sanitized-write';

/** Watches every web contents that is created. Call it before the first window. */
export function guardAllContents(): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/**
 * Denies navigation, redirects, embedded pages and new windows; an `https:` address can be opened in the
 * browser instead.
 */
function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    event.preventDefault();
    offerOutside(event.url);
  });
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    offerOutside(url);
    return { action: 'deny' };
  });
}

/** Denies permissions, devices and screen capture in a session. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(permission === GRANTED && isOwn(contents.mainFrame.origin)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === GRANTED && isOwn(origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
}

/** Whether an origin is the product's own. Chromium writes it with or without the closing slash. */
const isOwn = (origin: string): boolean => origin.replace(/\/$/, '') === PAGE_ORIGIN;

/** Whether an address may be opened outside: `https:`, without a name and password in it. */
function isOpenable(address: string): boolean {
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === 'https:' && url.username === '' && url.password === '';
}

let isAsking = false;

/**
 * Asks, then opens the address. It asks one question at a time, so that a page cannot fill the screen with
 * them.
 */
function offerOutside(address: string): void {
  if (isAsking || !isOpenable(address)) return;
  isAsking = true;
  void askAndOpen(new URL(address).href).finally(() => {
    isAsking = false;
  });
}

async function askAndOpen(address: string): Promise<void> {
  try {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: 'Open this address in your browser?',
      detail: address,
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    });
    if (response === 0) await shell.openExternal(address);
  } catch (error) {
    dialog.showErrorBox('The address was not opened', errorText(error));
  }
}
