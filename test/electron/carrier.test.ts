// The carrier between page and host: whose frames are taken, what becomes of the others, and when a pipe ends.
import { setImmediate as turn } from 'node:timers/promises';
import * as electron from 'electron';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_FRAME_BYTES, type TextPipe } from '../../core/contract/rpc.ts';
import { openCarrier } from '../../electron/carrier.ts';
import { type Bridge, emitPreload, runPreload } from './preload.ts';
import { type Contents, forget, Frame, ipcMain, newestWindow } from './stand-in.ts';

const CHANNEL = 'sidelight:text';
const OURS = 'app://sidelight/index.html';

interface Heard {
  readonly pipe: TextPipe;
  readonly texts: string[];
  readonly ends: string[];
}

let preload = '';
let contents: Contents;
let pipes: Heard[];
let refused: string[];
let page: Bridge;
let closeCarrier: () => void;

beforeAll(() => {
  preload = emitPreload();
});
beforeEach(() => {
  forget();
  pipes = [];
  refused = [];
  const window = new electron.BrowserWindow({});
  contents = newestWindow().webContents;
  contents.mainFrame.url = OURS;
  page = runPreload(preload);
  closeCarrier = openCarrier(window, {
    onPipe: (pipe) => {
      const heard: Heard = { pipe, texts: [], ends: [] };
      pipe.onText((text) => heard.texts.push(text));
      pipe.onClose((reason) => heard.ends.push(reason));
      pipes.push(heard);
    },
    onRefused: (reason) => refused.push(reason),
  });
});

const forge = (sender: unknown, senderFrame: unknown, text: unknown = 'forged'): void =>
  void ipcMain.emit(CHANNEL, { sender, senderFrame }, text);
const frameAt = (url: string): Frame => Object.assign(new Frame(), { url });

describe('from the product page', () => {
  test('the first text opens a pipe and is carried, in order with the next', async () => {
    page.send('one');
    page.send('two');
    await turn();
    expect(pipes.map(({ texts }) => texts)).toEqual([['one', 'two']]);
    expect(refused).toEqual([]);
  });

  test('a text of the host reaches the page', async () => {
    const got: string[] = [];
    page.onText((text) => got.push(text));
    page.send('hello');
    await turn();
    pipes[0]?.pipe.send('{"answer":1}');
    await turn();
    expect(got).toEqual(['{"answer":1}']);
  });

  test('a frame of exactly the limit is carried', () => {
    const text = 'x'.repeat(MAX_FRAME_BYTES);
    forge(contents, contents.mainFrame, text);
    expect(pipes[0]?.texts[0]?.length).toBe(MAX_FRAME_BYTES);
  });

  test('one byte more is answered with TOO_LARGE, and the page stays connected', async () => {
    const got: string[] = [];
    page.onText((text) => got.push(text));
    page.send('hello');
    await turn();
    // Two bytes each: the limit counts bytes, not characters.
    page.send(`${'é'.repeat(MAX_FRAME_BYTES / 2)}x`);
    await turn();
    await turn();
    expect(pipes).toHaveLength(1);
    expect(pipes[0]?.texts).toEqual(['hello']);
    expect(pipes[0]?.ends).toEqual([]);
    const answer: unknown = JSON.parse(got[0] ?? '');
    expect(answer).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32013, data: { code: 'TOO_LARGE' } },
    });
  });

  test.each([[{ jsonrpc: '2.0' }], [new Uint8Array(4)], [7], [null], [[]]])(
    '%o is refused, because it is not text',
    (value) => {
      forge(contents, contents.mainFrame, value);
      expect(pipes).toEqual([]);
      expect(refused).toEqual(['a frame that is not text']);
    },
  );
});

describe('a frame is refused', () => {
  test('from another window, even with the product page', () => {
    new electron.BrowserWindow({});
    const other = newestWindow().webContents;
    other.mainFrame.url = OURS;
    forge(other, other.mainFrame);
    expect(refused).toEqual(['a frame from another window']);
  });

  test('from an embedded page, even of the product origin', () => {
    forge(contents, frameAt(OURS));
    expect(refused).toEqual(['a frame from an embedded page']);
  });

  test('from a page that has ended', () => {
    forge(contents, null);
    expect(refused).toEqual(['a frame from a page that is gone']);
  });

  test.each([
    'https://example.org/',
    'app://elsewhere/index.html',
    'app://sidelight.example.org/',
    'app://sidelight:1/',
    'file:///index.html',
    'about:blank',
    'data:text/html,x',
  ])('from our window while it shows %s', (url) => {
    contents.mainFrame.url = url;
    forge(contents, contents.mainFrame);
    expect(refused).toEqual(['a frame from a foreign page']);
  });

  test('without opening or reaching a pipe, and each reason is logged once', () => {
    forge(contents, contents.mainFrame, 'mine');
    for (let n = 0; n < 1000; n += 1) {
      forge({}, contents.mainFrame);
      forge(contents, frameAt(OURS));
      forge(contents, null);
    }
    expect(pipes.map(({ texts }) => texts)).toEqual([['mine']]);
    expect(refused).toHaveLength(3);
  });
});

describe('a pipe ends', () => {
  beforeEach(async () => {
    page.send('hello');
    await turn();
  });

  test('when the page is loaded again: the new page gets a new one', async () => {
    contents.emit('did-navigate', {}, OURS);
    page.send('again');
    await turn();
    expect(pipes.map(({ texts, ends }) => ({ texts, ends }))).toEqual([
      { texts: ['hello'], ends: ['page left'] },
      { texts: ['again'], ends: [] },
    ]);
  });

  test('when the page crashes, and a page loaded after that gets a new one', async () => {
    contents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(pipes[0]?.ends).toEqual(['page gone']);
    page.send('again');
    await turn();
    expect(pipes).toHaveLength(2);
  });

  test('when the window is destroyed, once', () => {
    newestWindow().destroy();
    closeCarrier();
    expect(pipes[0]?.ends).toEqual(['page gone']);
  });

  test('after its end it sends nothing and throws nothing', async () => {
    const got: string[] = [];
    page.onText((text) => got.push(text));
    closeCarrier();
    pipes[0]?.pipe.send('late');
    await turn();
    expect(got).toEqual([]);
  });

  test('a callback registered after the end is called at once', () => {
    closeCarrier();
    const reasons: string[] = [];
    pipes[0]?.pipe.onClose((reason) => reasons.push(reason));
    expect(reasons).toEqual(['window closed']);
  });

  test('a destroyed page is not written to', () => {
    contents.destroyed = true;
    contents.send = () => {
      throw new Error('Object has been destroyed');
    };
    expect(() => pipes[0]?.pipe.send('late')).not.toThrow();
  });
});

test('a listener can be removed', async () => {
  page.send('one');
  await turn();
  const more: string[] = [];
  const stop = pipes[0]?.pipe.onText((text) => more.push(text));
  page.send('two');
  await turn();
  stop?.();
  page.send('three');
  await turn();
  expect(more).toEqual(['two']);
});

test('a closed carrier leaves no listener behind', () => {
  closeCarrier();
  expect(ipcMain.listenerCount(CHANNEL)).toBe(0);
  for (const name of ['did-navigate', 'render-process-gone', 'destroyed']) {
    expect(contents.listenerCount(name)).toBe(0);
  }
});
