// Where the desktop binary is looked for, and when it is wanted at all.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findElectronBinary, hasDisplay, type Machine, wantsWindow } from '../../scripts/electron-binary.ts';

const FOLDER = path.join('modules', 'electron');

const machine = (
  platform: NodeJS.Platform,
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Machine => ({ platform, env, exists: (file) => files.includes(file) });

const complete = path.join(FOLDER, 'path.txt');

describe('the binary', () => {
  test.each([
    ['linux', 'electron'],
    ['win32', 'electron.exe'],
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
  ] as const)('on %s is %s', (platform, name) => {
    const binary = path.join(FOLDER, 'dist', name);
    expect(findElectronBinary(FOLDER, machine(platform, [binary, complete]))).toBe(binary);
  });

  test('is missing before it was downloaded', () => {
    expect(findElectronBinary(FOLDER, machine('linux', []))).toBeUndefined();
  });

  test('does not count when its installation was cut short', () => {
    const binary = path.join(FOLDER, 'dist', 'electron');
    expect(findElectronBinary(FOLDER, machine('linux', [binary]))).toBeUndefined();
  });

  test('may lie elsewhere by ELECTRON_OVERRIDE_DIST_PATH, which must hold it', () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: 'elsewhere' };
    const binary = path.join('elsewhere', 'electron');
    expect(findElectronBinary(FOLDER, machine('linux', [binary], env))).toBe(binary);
    expect(findElectronBinary(FOLDER, machine('linux', [complete], env))).toBeUndefined();
  });
});

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['linux', { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
] as const)('a display on %s with %o: %s', (platform, env, expected) => {
  expect(hasDisplay(machine(platform, [], env))).toBe(expected);
});

test.each([
  [[], true],
  [['--app-port', '0'], true],
  [['--headless'], false],
  [['--app-id', 'a', '--headless'], false],
  [['--help'], false],
  [['--version'], false],
  [['run', '--app-url', 'http://127.0.0.1:1', '--', 'node', 'app.js'], false],
  [['--', '--headless'], true],
] as const)('a window for %j: %s', (args, expected) => {
  expect(wantsWindow(args)).toBe(expected);
});
