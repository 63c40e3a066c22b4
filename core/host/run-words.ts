/** Checks the words behind `sidelight run` that are neither flags nor behind `--`. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FILE_NAME } from './multi-run/fields.ts';
import { isFolder } from './multi-run/find-file.ts';
import { UsageError } from '../domain/usage-error.ts';

/**
 * The words are a command. One word that names a file of several apps, or its folder as a path, is that file without its flag: no program
 * has such a name. A folder's name alone may be a program of PATH, such as `node`. Throws UsageError with the flag.
 * @param folder to which the word is relative
 */
export function checkRunWords(words: readonly string[], folder = process.cwd()): void {
  const [word = ''] = words;
  if (words.length !== 1 || !isRunFile(word, resolve(folder, word))) return;
  throw new UsageError(`${word} is not a program; to start the apps of a file: sidelight run -f ${word}`);
}

function isRunFile(word: string, path: string): boolean {
  if (isFolder(path)) return /[./\\]/.test(word) && existsSync(join(path, FILE_NAME));
  return /\.ya?ml$/i.test(word) && existsSync(path);
}
