/** The console's key across restarts: with a data folder an open page comes back by itself after the host was restarted. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';

const FILE = 'console-key';
/** Earlier files have no mark: their key was in a cookie, which a browser sends to every port, so it is good no more. */
const MARK = 'v2 ';
const KEY = /^v2 ([\w-]{43})$/;

/**
 * The key of the folder, made when there is none; only its owner may read the file. Undefined without a folder, and where the
 * file can be neither read nor written: then each start has a key of its own.
 */
export function consoleKey(folder: string | undefined, log: Log): string | undefined {
  if (folder === undefined) return undefined;
  const kept = readKey(join(folder, FILE), log);
  if (kept !== undefined) return kept;
  const made = randomBytes(32).toString('base64url');
  try {
    writeKey(folder, made);
    return made;
  } catch (error) {
    log.write(
      'warn',
      'console',
      `The console's key could not be kept in ${join(folder, FILE)}: ${said(error)}`,
    );
    return undefined;
  }
}

/** What puts another key into the folder, for the next start. It throws Refusal when that cannot be; then the old one is there. */
export function keeperOf(folder: string): (key: string) => void {
  return (key) => {
    try {
      writeKey(folder, key);
    } catch (error) {
      const reason = `Nothing was revoked: the new key could not be kept in ${join(folder, FILE)}: ${said(error)}`;
      throw new Refusal('INTERNAL', { reason }, { cause: error });
    }
  };
}

/** Whole or not at all, and on disk. */
function writeKey(folder: string, key: string): void {
  const made = join(folder, `${FILE}.new`);
  const file = openSync(made, 'w', 0o600);
  try {
    writeSync(file, `${MARK}${key}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(made, join(folder, FILE));
}

function readKey(file: string, log: Log): string | undefined {
  try {
    return KEY.exec(readFileSync(file, 'utf8').trim())?.[1];
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing)
      log.write('warn', 'console', `The console's key in ${file} could not be read: ${said(error)}`);
    return undefined;
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
