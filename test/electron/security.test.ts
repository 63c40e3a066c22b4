// Acts that pages must not do: each way out is tried, and only copying text and a confirmed https address get through.
import * as electron from 'electron';
import { beforeEach, describe, expect, test } from 'vitest';
import { denyPermissions, guardAllContents } from '../../electron/security.ts';
import { askedFor, Contents, forget, newestWindow, type Session, session, world } from './stand-in.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};

/** An event of Electron's kind, which remembers whether it was stopped. */
const stoppable = (url = 'https://example.org/') => {
  const event = { url, prevented: false, preventDefault: () => void (event.prevented = true) };
  return event;
};

let contents: Contents;
beforeEach(() => {
  forget();
  guardAllContents();
  new electron.BrowserWindow({});
  contents = newestWindow().webContents;
});

describe('a navigation away from the page', () => {
  test.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    '%s is prevented',
    (name) => {
      const event = stoppable('app://sidelight/index.html');
      contents.emit(name, event);
      expect(event.prevented).toBe(true);
    },
  );

  test('is prevented in web contents of other windows too', () => {
    const foreign = new Contents();
    electron.app.emit('web-contents-created', {}, foreign);
    const event = stoppable();
    foreign.emit('will-navigate', event);
    expect(event.prevented).toBe(true);
  });
});

describe('a new window', () => {
  const open = (url: string): unknown =>
    contents.openHandler?.({
      url,
      frameName: '',
      features: '',
      disposition: 'new-window',
      referrer: { url: '', policy: 'no-referrer' },
    });

  test.each(['https://example.org/', 'http://example.org/', 'app://sidelight/', 'about:blank', 'file:///x'])(
    'is denied for %s',
    (url) => expect(open(url)).toEqual({ action: 'deny' }),
  );

  test('an https address is opened outside after a yes', async () => {
    world.answers = [0];
    open('https://example.org/a?b=c');
    await turns();
    expect(askedFor('dialog.showMessageBox')[0]?.[0]).toMatchObject({
      detail: 'https://example.org/a?b=c',
      defaultId: 1,
    });
    expect(askedFor('shell.openExternal')).toEqual([['https://example.org/a?b=c']]);
  });

  test('a link is not opened after a no', async () => {
    open('https://example.org/');
    await turns();
    expect(askedFor('dialog.showMessageBox')).toHaveLength(1);
    expect(askedFor('shell.openExternal')).toEqual([]);
  });

  test.each([
    'http://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:someone@example.org',
    'vbscript:x',
    'https://name@example.org/',
    'https://:password@example.org/',
    'https://',
    `https://example.org/${'a'.repeat(2048)}`,
    'nonsense',
  ])('%s is neither opened nor asked about', async (url) => {
    world.answers = [0];
    open(url);
    await turns();
    expect(askedFor('dialog.showMessageBox')).toEqual([]);
    expect(askedFor('shell.openExternal')).toEqual([]);
  });

  test('many links at once ask one question, and later ones may ask again', async () => {
    for (let n = 0; n < 20; n += 1) open(`https://example.org/${n}`);
    await turns();
    expect(askedFor('dialog.showMessageBox')).toHaveLength(1);
    open('https://example.org/later');
    await turns();
    expect(askedFor('dialog.showMessageBox')).toHaveLength(2);
  });
});

describe('permissions', () => {
  let permissions: Session;
  beforeEach(() => {
    denyPermissions(electron.session.defaultSession);
    permissions = session.defaultSession;
  });
  const request = (
    name: 'media' | 'geolocation' | 'notifications' | 'clipboard-sanitized-write',
    url: string,
  ) => {
    contents.mainFrame.url = url;
    const answers: boolean[] = [];
    // The handlers read nothing of the contents but its top frame.
    Reflect.apply(permissions.permissionRequest ?? (() => undefined), undefined, [
      contents,
      name,
      answers.push.bind(answers),
      {},
    ]);
    return answers;
  };
  const check = (name: string, origin: string): unknown =>
    Reflect.apply(permissions.permissionCheck ?? (() => undefined), undefined, [null, name, origin, {}]);

  const PAGE = 'app://sidelight/index.html';

  test.each(['media', 'geolocation', 'notifications'] as const)('%s is denied', (name) => {
    expect(request(name, PAGE)).toEqual([false]);
    expect(check(name, 'app://sidelight/')).toBe(false);
  });

  test('copying text is granted to the page only', () => {
    expect(request('clipboard-sanitized-write', PAGE)).toEqual([true]);
    expect(check('clipboard-sanitized-write', 'app://sidelight/')).toBe(true);
    expect(check('clipboard-sanitized-write', 'app://sidelight')).toBe(true);
    expect(request('clipboard-sanitized-write', 'https://example.org/')).toEqual([false]);
    expect(check('clipboard-sanitized-write', 'https://example.org/')).toBe(false);
    expect(check('clipboard-sanitized-write', 'app://sidelight.example.org/')).toBe(false);
  });

  test('devices and the screen are denied', () => {
    expect(Reflect.apply(permissions.devicePermission ?? (() => undefined), undefined, [{}])).toBe(false);
    const streams: unknown[] = [];
    Reflect.apply(permissions.displayMedia ?? (() => undefined), undefined, [
      {},
      (given: unknown) => streams.push(given),
    ]);
    expect(streams).toEqual([null]);
  });

  test.each([
    ['select-hid-device', [{}], [null]],
    ['select-serial-port', [[], {}], ['']],
    ['select-usb-device', [{}], []],
  ])('%s is prevented, and no device is chosen', (name, middle, chosen) => {
    const event = stoppable();
    const choices: unknown[][] = [];
    permissions.emit(name, event, ...middle, (...given: unknown[]) => choices.push(given));
    expect(event.prevented).toBe(true);
    expect(choices).toEqual([chosen]);
  });
});
