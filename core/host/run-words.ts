/** Checks the words behind `sidelight run` that are neither flags nor behind `--`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_NAME } from './multi-run/fields.ts';
import { isFolder } from './multi-run/find-file.ts';
import { UsageError } from '../domain/usage-error.ts';

/**
 * The words are a command. One word that names a file of several apps, or its folder, is that file without its
 * flag: no program has such a name. Throws UsageError with the flag.
 */
export function checkRunWords(words: readonly string[]): void {
  const [word = ''] = words;
  if (words.length !== 1 || !isRunFile(word)) return;
  throw new UsageError(`${word} is no program; to start the apps of a file: sidelight run -f ${word}`);
}

function isRunFile(word: string): boolean {
  return isFolder(word) ? existsSync(join(word, FILE_NAME)) : /\.ya?ml$/i.test(word) && existsSync(word);
}
