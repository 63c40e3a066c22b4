// The bridge that a page gets: two functions, text both ways, nothing of Electron.
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { emitPreload, runPreload } from './preload.ts';
import { exposed, forget, ipcMain, ipcRenderer } from './stand-in.ts';

let text = '';
beforeAll(() => {
  text = emitPreload();
});
beforeEach(forget);

test('the preload script is one file that requires only electron', () => {
  expect(text.match(/\brequire\(([^)]*)\)/g)).toEqual(['require("electron")']);
});

test('the preload script exposes exactly two functions under one name', () => {
  const bridge = runPreload(text);
  expect([...exposed.keys()]).toEqual(['sidelight']);
  expect(Object.keys(bridge).sort()).toEqual(['onText', 'send']);
});

test('the preload script sends text on its one channel', async () => {
  const bridge = runPreload(text);
  const got: unknown[] = [];
  ipcMain.on('sidelight:text', (_event, value) => got.push(value));
  expect(bridge.send('{"a":1}')).toBeUndefined();
  await turn();
  expect(got).toEqual(['{"a":1}']);
});

test('a value that cannot be cloned fails as in Electron', () => {
  expect(() => runPreload(text).send(() => 1)).toThrow(/could not be cloned/);
});

test('the preload script passes only texts, and no events, until it is stopped', () => {
  const got: unknown[][] = [];
  const stop = runPreload(text).onText((...values: unknown[]) => got.push(values));
  ipcRenderer.emit('sidelight:text', { sender: ipcRenderer }, 'one');
  expect(stop()).toBeUndefined();
  ipcRenderer.emit('sidelight:text', { sender: ipcRenderer }, 'two');
  expect(got).toEqual([['one']]);
  expect(ipcRenderer.listenerCount('sidelight:text')).toBe(0);
});
