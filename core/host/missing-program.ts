/** Texts for programs that cannot be started. */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../contract/count-text.ts';
import { shortened } from '../contract/cut-place.ts';

/** Maximum number of characters of the first line of a script that are read. */
const MAX_FIRST_LINE_LENGTH = 200;
/** Characters that are shown of a name that is too long. */
const SHOWN_OF_NAME = 60;

/**
 * Text for a program that the system does not find: what to do, or what it lacks. PATH is often longer than a screen, so its folders are
 * not listed.
 */
export function missingProgram(program: string, folder: string, searched: string | undefined): string {
  if (!/[\\/]/.test(program))
    return searched === undefined
      ? `the program ${program} was not found, because PATH is not set: give its full path, or set PATH`
      : `the program ${program} was not found in PATH: correct its name, install it, or give its full path`;
  const first = firstLineOf(resolve(folder, program));
  if (first === undefined) return `there is no program ${program} in ${folder}`;
  const [, needed] = /^#!\s*(\S+)/.exec(first) ?? [];
  if (needed === undefined) return `${program} is there, but the program that runs it is not`;
  // The system takes the end of the line for a part of the name only where no argument is between them.
  return /^#!\s*\S+\r$/.test(first)
    ? `the lines of ${program} end with CRLF, so the system looks for "${needed}\\r": save the file with LF`
    : `the first line of ${program} names ${needed}, which is not there`;
}

/** Codes of the system for too many open files, of this process and of all. */
export const TOO_MANY_FILES = ['EMFILE', 'ENFILE'] as const;
export const OPEN_FILES_ADVICE = 'too many files are open: raise ulimit -n, or start fewer apps';

/** A program that the system was asked to start. */
export interface WantedProgram {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders in which the program is looked for; undefined: the variable is not set. */
  readonly searched: string | undefined;
}

/**
 * Text for a program that was not started.
 * @param code of the system's error
 * @returns undefined: nothing is known about this code
 */
export function whyNotStarted(code: unknown, wanted: WantedProgram): string | undefined {
  const { command, folder, searched } = wanted;
  const [program = ''] = command;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES':
      return folderTrouble(folder) ?? startTrouble(code, program, folder, searched);
    case 'ENAMETOOLONG':
      return programNameTooLong(program);
    case 'E2BIG':
      return tooMuchToPass(wanted);
    case 'EMFILE':
    case 'ENFILE':
      return OPEN_FILES_ADVICE;
    case 'EAGAIN':
      return 'the system starts no further process for this user: raise ulimit -u, or end others';
    case 'ENOMEM':
      return 'the system has no memory left for a further process';
    default:
      return undefined;
  }
}

function startTrouble(code: string, program: string, folder: string, searched: string | undefined): string {
  return code === 'EACCES' ? notStartable(program) : missingProgram(program, folder, searched);
}

/** Why no program can run in the folder; undefined: one can. */
function folderTrouble(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder`;
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return error.code === 'EACCES'
      ? `this user may not enter the folder ${folder}`
      : `the folder ${folder} is gone`;
  }
}

/** Text for arguments and variables that are larger than the system takes; the largest one is named. */
function tooMuchToPass({ command, env }: WantedProgram): string {
  const variables = Object.entries(env).map(
    ([name, value = '']) => [`the variable ${name}`, value.length] as const,
  );
  const all = [
    ...command.map((text, i) => [`argument ${i} of the command`, text.length] as const),
    ...variables,
  ];
  const [what, length] = all.toSorted((a, b) => b[1] - a[1])[0] ?? ['the command', 0];
  return `the system takes no command with this much text: ${what} has ${counted(length, 'character')}`;
}

/** Text for a program whose name the system does not take. */
export function programNameTooLong(program: string): string {
  return `the system takes no program with a name of ${program.length} characters: ${shortened(program, SHOWN_OF_NAME)}`;
}

/** Text for a program that exists, and that the system does not start. */
function notStartable(program: string): string {
  return `${program} is not a program that may be started`;
}

/** The first line of a file, as far as it is read; undefined: it cannot be read. */
function firstLineOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(MAX_FIRST_LINE_LENGTH);
      return bytes.toString('latin1', 0, readSync(file, bytes)).split('\n')[0];
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // A file that is not there or not readable has no first line.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
