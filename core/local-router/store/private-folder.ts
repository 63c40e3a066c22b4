/** The router's folder: created for its owner only; key files that others can read are refused. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hasCode } from '../../contract/error-text.ts';
import { RouterError } from '../../ports/local-router.ts';

/** Creates the folder with mode 0700 if it is missing. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOpen(folder);
}

/**
 * Text of a private file; undefined: it does not exist. Throws RouterError EVR-SEC-01 if group or others may
 * read it.
 */
export function readPrivate(file: string): string | undefined {
  try {
    refuseOpen(file);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes a private file (0600) completely or not at all. */
export function writePrivate(file: string, text: string): void {
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.new`);
  writeFileSync(beside, text, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}

function refuseOpen(file: string): void {
  if (process.platform === 'win32') return;
  const { mode } = statSync(file);
  if ((mode & 0o077) === 0) return;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  throw new RouterError(
    'EVR-SEC-01',
    `${file} can be read by others (mode ${shown}); take their rights away (chmod go= ${file}) and start again`,
  );
}
