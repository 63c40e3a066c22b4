/** Why a program was not found: where it was looked for, or what it lacks. */
import { expect, test } from 'vitest';
import { missingProgram, programNameTooLong } from '../../core/host/missing-program.ts';
import { folderWith } from './multi-run/plan-of.ts';

test.each([
  ['tool', 'the program tool was not found in PATH: correct its name, install it, or give its full path'],
  ['./none.sh', 'there is no program ./none.sh in FOLDER'],
  ['./moved.sh', 'the first line of ./moved.sh names /no/such/python, which is not there'],
  [
    './windows.sh',
    String.raw`the lines of ./windows.sh end with CRLF, so the system looks for "/bin/sh\r": save the file with LF`,
  ],
  // The carriage return is in the argument, and the program is looked for by its own name.
  ['./both.sh', 'the first line of ./both.sh names /no/such/python, which is not there'],
  ['./other', './other is there, but the program that runs it is not'],
  ['./folder', 'there is no program ./folder in FOLDER'],
])('the reason why the program %s cannot start is found', (program, says) => {
  const folder = folderWith({
    'moved.sh': '#! /no/such/python -u\nprint(1)\n',
    'windows.sh': '#!/bin/sh\r\necho x\r\n',
    'both.sh': '#!/no/such/python -u\r\nprint(1)\r\n',
    other: '\u007fELF',
    'folder/': '',
  });
  expect(missingProgram(program, folder, '/bin').replace(folder, 'FOLDER')).toBe(says);
});

test('a program name that is too long is shown in part', () => {
  expect(programNameTooLong('x'.repeat(300))).toBe(
    `the system takes no program with a name of 300 characters: ${'x'.repeat(60)}…`,
  );
});

test('a program without a PATH is said to be missing because of it', () => {
  expect(missingProgram('tool', '/', undefined)).toBe(
    'the program tool was not found, because PATH is not set: give its full path, or set PATH',
  );
});
