// Which words are the product's flags, however the process was started.
import { expect, test } from 'vitest';
import { ownArguments } from '../../electron/arguments.ts';

test.each([
  ['packaged', ['sidelight', '--ephemeral'], true, ['--ephemeral']],
  ['packaged, without flags', ['sidelight'], true, []],
  [
    'by the binary and the program',
    ['electron', 'dist/electron/main.js', '--set', 'a=b'],
    false,
    ['--set', 'a=b'],
  ],
  [
    'with switches before the program',
    ['electron', '--inspect=0', 'main.js', '--app-id', 'x'],
    false,
    ['--app-id', 'x'],
  ],
  ['without a program', ['electron', '--version'], false, []],
  [
    'with switches of Chromium among the flags',
    ['sidelight', '--no-sandbox', '--ozone-platform=x11', '--disable-gpu', '--ephemeral'],
    true,
    ['--ephemeral'],
  ],
  ['with a flag that only begins alike', ['sidelight', '--no-sandboxes'], true, ['--no-sandboxes']],
])('own arguments of a start: %s', (_how, argv, isPackaged, flags) =>
  expect(ownArguments(argv, isPackaged)).toEqual(flags),
);
