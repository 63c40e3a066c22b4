// Carries the console contract over Electron IPC: text frames on one channel, from the product's own page only.
import { ipcMain, type BrowserWindow, type IpcMainEvent } from 'electron';
import { MAX_FRAME_BYTES, type TextPipe } from '../core/contract/rpc.ts';
import { sizeLimit } from '../core/contract/size-text.ts';
import { PAGE_ORIGIN } from './page.ts';

const CHANNEL = 'sidelight:text';

/** Answer to a frame that is not parsed, so it cannot name the request. */
const TOO_LARGE = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32013,
    message: `a frame may have at most ${sizeLimit(MAX_FRAME_BYTES)}`,
    data: { code: 'TOO_LARGE', expected: `at most ${sizeLimit(MAX_FRAME_BYTES)}` },
  },
});

export interface CarrierEvents {
  /** Called when a page has begun to speak. The pipe closes when the page is left, reloaded, or gone. */
  readonly onPipe: (pipe: TextPipe) => void;
  /** Called with the reason when a frame was refused; each reason is reported once. */
  readonly onRefused: (reason: string) => void;
}

type Contents = BrowserWindow['webContents'];

interface OpenPipe extends TextPipe {
  take(text: string): void;
  close(reason: string): void;
}

/**
 * Listens to this window's page until the returned function is called. Each page has one pipe: a reload
 * closes the old one, and the first text of the new page opens another.
 */
export function openCarrier(window: BrowserWindow, events: CarrierEvents): () => void {
  const contents = window.webContents;
  const told = new Set<string>();
  let pipe: OpenPipe | undefined;

  const refuse = (reason: string): void => {
    if (told.has(reason)) return;
    told.add(reason);
    events.onRefused(reason);
  };
  const close = (reason: string): void => {
    const closing = pipe;
    pipe = undefined;
    closing?.close(reason);
  };
  const onText = (event: IpcMainEvent, text: unknown): void => {
    const mistrust = whyNot(event, contents);
    if (mistrust !== undefined) return refuse(mistrust);
    if (typeof text !== 'string') return refuse('a frame that is not text');
    if (Buffer.byteLength(text) > MAX_FRAME_BYTES) {
      refuse('a frame over the size limit');
      return sendTo(contents, TOO_LARGE);
    }
    if (pipe === undefined) {
      pipe = createPipe(contents);
      events.onPipe(pipe);
    }
    pipe.take(text);
  };
  const onNavigate = (): void => close('page left');
  const onGone = (): void => close('page gone');

  ipcMain.on(CHANNEL, onText);
  contents.on('did-navigate', onNavigate);
  contents.on('render-process-gone', onGone);
  contents.once('destroyed', onGone);
  return () => {
    ipcMain.off(CHANNEL, onText);
    contents.off('did-navigate', onNavigate);
    contents.off('render-process-gone', onGone);
    contents.off('destroyed', onGone);
    close('window closed');
  };
}

/** Why a frame is not trusted; undefined: it comes from the top page of the product's window. */
function whyNot(event: IpcMainEvent, contents: Contents): string | undefined {
  if (event.sender !== contents) return 'a frame from another window';
  // Null: the frame is gone already.
  if (event.senderFrame === null) return 'a frame from a page that is gone';
  if (event.senderFrame !== contents.mainFrame) return 'a frame from an embedded page';
  if (event.senderFrame.origin !== PAGE_ORIGIN) return 'a frame from a foreign page';
  return undefined;
}

function sendTo(contents: Contents, text: string): void {
  if (!contents.isDestroyed()) contents.send(CHANNEL, text);
}

function createPipe(contents: Contents): OpenPipe {
  const takers = new Set<(text: string) => void>();
  const closers = new Set<(reason: string) => void>();
  let closed: string | undefined;
  return {
    send(text) {
      if (closed === undefined) sendTo(contents, text);
    },
    onText(take) {
      takers.add(take);
      return () => takers.delete(take);
    },
    onClose(done) {
      if (closed !== undefined) done(closed);
      closers.add(done);
      return () => closers.delete(done);
    },
    take(text) {
      for (const take of takers) take(text);
    },
    close(reason) {
      if (closed !== undefined) return;
      closed = reason;
      for (const done of closers) done(reason);
      takers.clear();
      closers.clear();
    },
  };
}
