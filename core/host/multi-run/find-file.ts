/** Finds the multi-app file that `-f` names, and reads it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorText } from '../../contract/error-text.ts';
import { sizeLimit } from '../../contract/size-text.ts';
import { YAML_LIMITS } from '../../adapters/component-files/yaml-limits.ts';
import { nearest } from '../../contract/nearest.ts';
import { boundedText, NotText } from '../bounded-text.ts';
import { lookedAt } from '../looked-at.ts';
import { FILE_NAME } from './fields.ts';
import { mistakeAt } from './file-mistake.ts';

export interface RunFile {
  /** Path for messages: the given one, or the file in the given folder. */
  readonly file: string;
  /** Absolute folder to which paths in the file are relative. */
  readonly base: string;
  readonly text: string;
}

/**
 * Reads the file.
 * @param given FILE, DIR or `-` for standard input. Throws UsageError.
 */
export function readRunFile(given: string): RunFile {
  if (given === '') throw mistakeAt('-f', undefined, 'the name of the file is empty');
  if (given === '-') return { file: '-', base: process.cwd(), text: textOf('-', 0) };
  const file = fileOf(given);
  const path = resolve(file);
  return { file, base: dirname(path), text: textOf(file, path) };
}

/** The given file, or that of the given folder. Throws UsageError if the system does not let it be looked up. */
function fileOf(given: string): string {
  try {
    return isFolder(given) ? fileIn(given) : given;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw mistakeAt(given, undefined, errorText(error), error);
  }
}

function textOf(file: string, path: string | 0): string {
  try {
    const text = boundedText(path, YAML_LIMITS.bytes);
    if (text === undefined)
      throw mistakeAt(file, undefined, `the file is larger than ${sizeLimit(YAML_LIMITS.bytes)}`);
    return text;
  } catch (error) {
    if (error instanceof NotText) throw mistakeAt(file, undefined, error.message, error);
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (isNameTooLong(error))
      throw mistakeAt('-f', undefined, 'the system takes no name as long as this', error);
    const reason =
      error.code === 'ENOENT'
        ? `there is no such file or folder${lookedAt(file)}${nameBeside(file)}`
        : errorText(error);
    throw mistakeAt(file, undefined, reason, error);
  }
}

/** The file of a folder; for a folder without one the error names similar files. */
function fileIn(folder: string): string {
  const exact = join(folder, FILE_NAME);
  const names = namesIn(folder, exact);
  if (names.includes(FILE_NAME)) return exact;
  const stem = FILE_NAME.replace(/\.yaml$/, '');
  const alike = names.filter((name) => /\.ya?ml$/i.test(name) && name.toLowerCase().startsWith(stem));
  const hint = alike.length === 0 ? '' : `; there is ${alike.join(', ')}: name the file itself`;
  throw mistakeAt(folder, undefined, `the folder has no file ${FILE_NAME}${lookedAt(folder)}${hint}`);
}

/** Names of a folder. One that may be entered but not listed has the file, if the file is there. Throws what the system says. */
function namesIn(folder: string, exact: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (isHidden && existsSync(exact)) return [FILE_NAME];
    throw error;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // Nothing can have such a name.
    if (isNameTooLong(error)) return false;
    throw error;
  }
}

function isNameTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENAMETOOLONG';
}

/** The path beside a missing one that may have been meant, as the end of a sentence; "": there is none. */
export function nameBeside(path: string): string {
  const meant = nearest(basename(path), namesBeside(path));
  return meant === undefined ? '' : `; did you mean ${join(dirname(path), meant)}?`;
}

/** Names beside a missing path that may have been meant. */
export function namesBeside(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => name !== basename(path));
  } catch (error) {
    // A folder that is not there, or not readable, gives no hint.
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return [];
  }
}
