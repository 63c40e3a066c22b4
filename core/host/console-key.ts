/** The console's key across restarts: with a data folder an open page comes back by itself after the host was restarted. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ports/log.ts';

const FILE = 'console-key';
const KEY = /^[\w-]{43}$/;

/**
 * The key of the folder, made when there is none; only its owner may read the file. Undefined without a folder, and where the
 * file can be neither read nor written: then each start has a key of its own.
 */
export function consoleKey(folder: string | undefined, log: Log): string | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, FILE);
  const kept = readKey(file, log);
  if (kept !== undefined) return kept;
  const made = randomBytes(32).toString('base64url');
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600 });
    return made;
  } catch (error) {
    log.write('warn', 'console', `The console's key could not be kept in ${file}: ${said(error)}`);
    return undefined;
  }
}

function readKey(file: string, log: Log): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return KEY.test(text) ? text : undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing)
      log.write('warn', 'console', `The console's key in ${file} could not be read: ${said(error)}`);
    return undefined;
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
