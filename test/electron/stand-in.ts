// Stands in for the electron package: records what it is told, gives events, and copies what crosses the process border.
import { EventEmitter } from 'node:events';
import { asked, note, world } from './stand-in-world.ts';

export * from './stand-in-world.ts';

type Real = typeof import('electron');
type RealWindow = import('electron').BrowserWindow;
type RealContents = import('electron').WebContents;
type RealSession = import('electron').Session;
type Options = import('electron').BrowserWindowConstructorOptions;
type Rectangle = import('electron').Rectangle;

/** Back to the state before anything was asked. */
export function forget(): void {
  asked.length = 0;
  BrowserWindow.all.length = 0;
  exposed.clear();
  for (const emitter of [app, ipcMain, ipcRenderer, session.defaultSession]) emitter.removeAllListeners();
  session.defaultSession.schemes.clear();
  Object.assign(world, { hasLock: true, userData: '', answers: [], paints: true });
  world.workArea = { x: 0, y: 0, width: 1920, height: 1080 };
  world.keyStore = { available: true, backend: 'gnome_libsecret' };
}

/** The stand-in behind a window that the code under test holds. */
export function behind(window: unknown): BrowserWindow {
  if (!(window instanceof BrowserWindow)) throw new Error('not a window of the stand-in');
  return window;
}

/** The newest window. */
export const newestWindow = (): BrowserWindow => behind(BrowserWindow.all.at(-1));

export class Frame {
  url = 'about:blank';
  get origin(): string {
    const { protocol, host } = new URL(this.url);
    return host === '' ? 'null' : `${protocol}//${host}`;
  }
}

type OpenHandler = Parameters<RealContents['setWindowOpenHandler']>[0];

export class Contents
  extends EventEmitter
  implements Pick<RealContents, 'send' | 'isDestroyed' | 'reload' | 'setWindowOpenHandler'>
{
  readonly mainFrame = new Frame();
  destroyed = false;
  openHandler: OpenHandler | undefined;
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  reload(): void {
    note('contents.reload');
  }
  /** Electron hands over a copy, later; what cannot be copied throws at once. */
  send(channel: string, ...values: unknown[]): void {
    const copies = structuredClone(values);
    setImmediate(() => ipcRenderer.emit(channel, { sender: ipcRenderer }, ...copies));
  }
}

export class Session
  extends EventEmitter
  implements
    Pick<
      RealSession,
      | 'setPermissionRequestHandler'
      | 'setPermissionCheckHandler'
      | 'setDevicePermissionHandler'
      | 'setDisplayMediaRequestHandler'
    >
{
  readonly partition: string;
  readonly schemes = new Map<string, Parameters<Real['protocol']['handle']>[1]>();
  permissionRequest: Parameters<RealSession['setPermissionRequestHandler']>[0] = null;
  permissionCheck: Parameters<RealSession['setPermissionCheckHandler']>[0] = null;
  devicePermission: Parameters<RealSession['setDevicePermissionHandler']>[0] = null;
  displayMedia: Parameters<RealSession['setDisplayMediaRequestHandler']>[0] = null;
  readonly protocol: Pick<Real['protocol'], 'handle'> = {
    handle: (scheme, answer) => void this.schemes.set(scheme, answer),
  };

  constructor(partition: string) {
    super();
    this.partition = partition;
  }
  setPermissionRequestHandler(handler: typeof this.permissionRequest): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: typeof this.permissionCheck): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: typeof this.devicePermission): void {
    this.devicePermission = handler;
  }
  setDisplayMediaRequestHandler(handler: typeof this.displayMedia): void {
    this.displayMedia = handler;
  }
}

class Sessions {
  readonly defaultSession = new Session('default');
  fromPartition(partition: string): Session {
    note('session.fromPartition', partition);
    return new Session(partition);
  }
}
export const session = new Sessions();

class App
  extends EventEmitter
  implements Pick<Real['app'], 'enableSandbox' | 'whenReady' | 'quit' | 'exit' | 'requestSingleInstanceLock'>
{
  isPackaged = false;
  enableSandbox(): void {
    note('app.enableSandbox');
  }
  whenReady(): Promise<void> {
    note('app.whenReady');
    return Promise.resolve();
  }
  requestSingleInstanceLock(data?: Record<string, unknown>): boolean {
    note('app.requestSingleInstanceLock', structuredClone(data));
    return world.hasLock;
  }
  getPath(name: string): string {
    if (name !== 'userData') throw new Error(`the stand-in has no path ${name}`);
    return world.userData;
  }
  /** Electron asks the windows first, then goes. */
  quit(): void {
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) };
    this.emit('before-quit', event);
    note(event.prevented ? 'app.quit prevented' : 'app.quit');
  }
  exit(code?: number): void {
    note('app.exit', code ?? 0);
  }
}
export const app = new App();

export const protocol: Pick<Real['protocol'], 'registerSchemesAsPrivileged'> = {
  registerSchemesAsPrivileged: (schemes) => note('protocol.registerSchemesAsPrivileged', ...schemes),
};

type WindowMethods =
  | 'isMinimized'
  | 'restore'
  | 'show'
  | 'hide'
  | 'focus'
  | 'destroy'
  | 'isDestroyed'
  | 'maximize'
  | 'isMaximized'
  | 'getNormalBounds'
  | 'loadURL';

export class BrowserWindow extends EventEmitter implements Pick<RealWindow, WindowMethods> {
  static readonly all: BrowserWindow[] = [];
  readonly options: Options;
  readonly webContents = new Contents();
  minimized = false;
  maximized = false;
  shown = false;

  constructor(options: Options = {}) {
    super();
    this.options = options;
    BrowserWindow.all.push(this);
    note('new BrowserWindow', options);
    app.emit('web-contents-created', {}, this.webContents);
  }
  /** Asks the session's scheme handler, as Chromium would, and commits the answer. */
  async loadURL(url: string): Promise<void> {
    note('window.loadURL', url);
    const handled = this.options.webPreferences?.session;
    const schemes = handled instanceof Session ? handled.schemes : new Map();
    const answer: Response | undefined = await schemes.get(new URL(url).protocol.slice(0, -1))?.(
      new Request(url),
    );
    if (answer?.ok !== true) throw new Error(`ERR_FAILED (-2) loading '${url}'`);
    this.webContents.mainFrame.url = url;
    this.webContents.emit('did-navigate', {}, url);
    note('page committed');
    if (world.paints) this.emit('ready-to-show');
  }
  /** A person closes it: asks first, then goes. */
  close(): void {
    const event = { prevented: false, preventDefault: () => void (event.prevented = true) };
    this.emit('close', event);
    if (!event.prevented) this.destroy();
  }
  destroy(): void {
    note('window.destroy');
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
  isDestroyed(): boolean {
    return this.webContents.destroyed;
  }
  show(): void {
    this.shown = true;
    note('window.show');
  }
  hide(): void {
    this.shown = false;
    note('window.hide');
  }
  focus(): void {
    note('window.focus');
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  restore(): void {
    this.minimized = false;
    note('window.restore');
  }
  maximize(): void {
    this.maximized = true;
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  getNormalBounds(): Rectangle {
    const { x = 0, y = 0, width = 0, height = 0 } = this.options;
    return { x, y, width, height };
  }
}

export const ipcMain = new EventEmitter();

class IpcRenderer extends EventEmitter implements Pick<Real['ipcRenderer'], 'send'> {
  /** From the newest window's page. */
  send(channel: string, ...values: unknown[]): void {
    const copies = structuredClone(values);
    const sender = BrowserWindow.all.at(-1)?.webContents;
    setImmediate(() => ipcMain.emit(channel, { sender, senderFrame: sender?.mainFrame ?? null }, ...copies));
  }
}
export const ipcRenderer = new IpcRenderer();

/** Values that the preload has exposed on the page's window, by name. */
export const exposed = new Map<string, unknown>();
export const contextBridge: Pick<Real['contextBridge'], 'exposeInMainWorld'> = {
  exposeInMainWorld: (name, api) => void exposed.set(name, api),
};

const messageBox = (...given: readonly unknown[]): Promise<import('electron').MessageBoxReturnValue> => {
  const options = given.at(-1);
  note('dialog.showMessageBox', options);
  const cancel =
    typeof options === 'object' && options !== null && 'cancelId' in options ? options.cancelId : 0;
  const response = world.answers.shift() ?? Number(cancel);
  return Promise.resolve({ response, checkboxChecked: false });
};
export const dialog: Pick<Real['dialog'], 'showMessageBox' | 'showErrorBox'> = {
  showMessageBox: messageBox,
  showErrorBox: (title, content) => note('dialog.showErrorBox', title, content),
};

export const shell: Pick<Real['shell'], 'openExternal'> = {
  openExternal: async (url) => note('shell.openExternal', url),
};

export const nativeTheme: Pick<Real['nativeTheme'], 'shouldUseDarkColors'> = { shouldUseDarkColors: false };

export const Menu = {
  buildFromTemplate: (template: readonly { readonly role?: string }[]) => template.map(({ role }) => role),
  setApplicationMenu: (menu: readonly unknown[]): void => note('Menu.setApplicationMenu', ...menu),
};

export const screen = { getAllDisplays: () => [{ workArea: world.workArea }] };

const SEAL = 'sealed:';
export const safeStorage: Pick<
  Real['safeStorage'],
  'isAsyncEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptStringAsync' | 'decryptStringAsync'
> = {
  isAsyncEncryptionAvailable: async () => world.keyStore.available,
  getSelectedStorageBackend: () => world.keyStore.backend,
  encryptStringAsync: async (text) => Buffer.from(SEAL + text.split('').toReversed().join('')),
  decryptStringAsync: async (bytes) => {
    const text = bytes.toString();
    if (!text.startsWith(SEAL)) throw new Error('the key has changed');
    return { result: text.slice(SEAL.length).split('').toReversed().join(''), shouldReEncrypt: false };
  },
};
