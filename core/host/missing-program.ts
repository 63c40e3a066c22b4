/** Texts for programs that cannot be started. */
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { shortened } from '../contract/cut-place.ts';

/** Maximum number of characters of the first line of a script that are read. */
const MAX_FIRST_LINE_LENGTH = 200;
/** Characters that are shown of a name that is too long. */
const SHOWN_OF_NAME = 60;

/** Text for a program that the system does not find: with the folders that were searched, or what it lacks. */
export function missingProgram(program: string, folder: string, searched: string | undefined): string {
  if (!/[\\/]/.test(program))
    return `the program ${program} was not found in PATH (${searched ?? 'which is not set'})`;
  const first = firstLineOf(resolve(folder, program));
  if (first === undefined) return `there is no program ${program} in ${folder}`;
  const [, needed] = /^#!\s*(\S+)/.exec(first) ?? [];
  if (needed === undefined) return `${program} is there, but the program that runs it is not`;
  // The system takes the end of the line for a part of the name only where no argument is between them.
  return /^#!\s*\S+\r$/.test(first)
    ? `the lines of ${program} end with CRLF, so the system looks for "${needed}\\r": save the file with LF`
    : `the first line of ${program} names ${needed}, which is not there`;
}

/** Text for a program whose name the system does not take. */
export function programNameTooLong(program: string): string {
  return `the system takes no program with a name of ${program.length} characters: ${shortened(program, SHOWN_OF_NAME)}`;
}

/** Text for a program that exists, and that the system does not start. */
export function notStartable(program: string): string {
  return `${program} is no program that may be started`;
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
