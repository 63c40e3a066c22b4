// The position of the window: kept over a restart, and not used where no screen is any more.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as electron from 'electron';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepWindowState, readWindowState } from '../../electron/window-state.ts';
import { createWindow } from '../../electron/window.ts';
import { behind, forget, world } from './stand-in.ts';

const FIRST = { width: 1280, height: 800, maximized: false };

let folder = '';
let told: string[] = [];
const tell = (text: string): void => void told.push(text);
let file = '';
beforeEach(() => {
  forget();
  told = [];
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-place-'));
  file = path.join(folder, 'deep', 'window.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const kept = (text: string): ReturnType<typeof readWindowState> => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return readWindowState(file, tell);
};

test('the stored state is restored', () => {
  const window = createWindow(
    { x: 40, y: 60, width: 900, height: 700, maximized: true },
    electron.session.defaultSession,
  );
  keepWindowState(file, window);
  expect(readWindowState(file, tell)).toEqual({ x: 40, y: 60, width: 900, height: 700, maximized: true });
  expect(behind(window).maximized).toBe(true);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['window.json']);
});

test('without a stored state the window has the first place, and nothing is logged', () => {
  expect(readWindowState(file, tell)).toEqual(FIRST);
  expect(told).toEqual([]);
});

test('a state that cannot be read is logged', () => {
  fs.mkdirSync(file, { recursive: true });
  expect(readWindowState(file, tell)).toEqual(FIRST);
  expect(told).toEqual([
    expect.stringContaining('Sidelight cannot read the saved position of the window: EISDIR'),
  ]);
});

test.each([
  '',
  'not JSON',
  'null',
  '[]',
  '{}',
  '{"width":900}',
  '{"width":"900","height":700}',
  '{"width":1e999,"height":700}',
  '{"width":900.5,"height":700}',
  '{"width":639,"height":700}',
  '{"width":900,"height":-700}',
])('the invalid state %s is ignored and logged', (text) => {
  expect(kept(text)).toEqual(FIRST);
  expect(told).toHaveLength(1);
});

test.each([
  ['right of all screens', { x: 1900, y: 10 }],
  ['left of all screens', { x: -850, y: 10 }],
  ['above, where the title bar cannot be reached', { x: 10, y: -5 }],
  ['below', { x: 10, y: 1060 }],
])('from a place %s only the size is restored', (_where, place) => {
  const state = kept(JSON.stringify({ ...place, width: 900, height: 700, maximized: false }));
  expect(state).toEqual({ width: 900, height: 700, maximized: false });
});

test('a place on a second screen is restored', () => {
  world.workArea = { x: 1920, y: -200, width: 1000, height: 900 };
  expect(kept('{"x":2000,"y":-150,"width":900,"height":700}')).toMatchObject({ x: 2000, y: -150 });
});
