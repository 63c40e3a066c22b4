/**
 * Keeps the console's key over restarts: with a data folder an open page reconnects by itself after the host
 * restarted.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { errorText, hasCode } from '../contract/error-text.ts';
import { FileWatch } from '../adapters/sqlite-journal/file-watch.ts';
import { writeWholeSync } from '../adapters/whole-file.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Log, Notice } from '../ports/log.ts';

const FILE = 'console-key';
/**
 * Mark of a key file. Earlier files have none: their key was in a cookie, which a browser sends to every
 * port, so it is no longer accepted.
 */
const MARK = 'v2 ';
/** Size above which a file is no key file. */
const MAX_BYTES = 1000;
const KEY = /^v2 ([\w-]{43})$/;

/**
 * The key of the folder, which is created if it is missing; only its owner may read the file. Undefined
 * without a folder, and if the file can be neither read nor written; then each start makes a new key.
 */
export function consoleKey(folder: string | undefined, log: Log): string | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, FILE);
  const warn = (text: string): void => log.write('warn', 'console', text);
  const { key, unreadable } = readKey(file);
  if (key !== undefined) return key;
  const made = randomBytes(32).toString('base64url');
  try {
    writeKey(folder, made);
  } catch (error) {
    const reason = unreadable ?? errorText(error);
    warn(`Sidelight could not save the console's key in ${file}, so each start makes a new one: ${reason}`);
    return undefined;
  }
  if (unreadable !== undefined)
    warn(`Sidelight could not read the console's key in ${file} and has put a new one there: ${unreadable}`);
  return made;
}

/**
 * Writes the key file again within seconds after it was removed or lost its key, so that open pages still reconnect after the next start. A
 * file with another key is left alone, and the next start uses that key.
 * @param folder undefined: nothing is kept
 * @param key key that the file should have
 * @param notice told what happened to the file
 * @param everyMs ms between two checks
 * @returns ends the watch
 */
export function watchConsoleKey(
  folder: string | undefined,
  key: () => string,
  notice: Notice,
  everyMs?: number,
): () => Promise<void> {
  if (folder === undefined) return async () => undefined;
  const file = join(folder, FILE);
  let lastReported = '';
  const report = (level: 'warn' | 'error', text: string): void => {
    if (text !== lastReported) notice(level, text);
    lastReported = text;
  };
  const watch = new FileWatch(
    file,
    async () => {
      try {
        const text = textAt(file);
        const found = text === undefined ? undefined : keyIn(text);
        if (found === key()) {
          if (lastReported !== '') report('warn', `${FILE} holds its key again. You need not do anything.`);
          lastReported = '';
          return true;
        }
        if (found !== undefined) {
          report(
            'warn',
            `${FILE} holds another key now. Sidelight uses it from the next start on. Open pages then need the address that the start shows.`,
          );
          return true;
        }
        writeKey(folder, key());
        const what = text !== undefined ? 'no longer held a key' : 'was removed from the data folder';
        report(
          'warn',
          `${FILE} ${what} while Sidelight was using it. Sidelight has written it again. You need not do anything.`,
        );
        lastReported = '';
        return true;
      } catch (error) {
        report(
          'error',
          `${FILE} was removed or changed while Sidelight was using it. Sidelight could not write it again: ${errorText(error)}. Remove what is in its place, or make the folder writable. Sidelight keeps trying.`,
        );
        return false;
      }
    },
    { isContentWatched: true, everyMs },
  );
  watch.start();
  return () => watch.stop();
}

/**
 * Makes a function that writes a new key into the folder, for the next start. It throws Refusal if that fails; then the old key stays.
 * @param onKept called with the key that the file has from now on
 */
export function keeperOf(folder: string, onKept: (key: string) => void): (key: string) => void {
  return (key) => {
    try {
      writeKey(folder, key);
      onKept(key);
    } catch (error) {
      const reason = `Nothing was revoked: Sidelight could not save the new key in ${join(folder, FILE)}: ${errorText(error)}`;
      throw new Refusal('INTERNAL', { reason }, { cause: error });
    }
  };
}

/** Writes the key completely or not at all, and to the disk. Throws the system's error. */
function writeKey(folder: string, key: string): void {
  writeWholeSync(join(folder, FILE), `${MARK}${key}\n`, 0o600);
}

/** The key in the text of the file; undefined: the text has another form. */
function keyIn(text: string): string | undefined {
  return KEY.exec(text.trim())?.[1];
}

function readKey(file: string): { readonly key?: string | undefined; readonly unreadable?: string } {
  try {
    const text = textAt(file);
    return { key: text === undefined ? undefined : keyIn(text) };
  } catch (error) {
    return { unreadable: errorText(error) };
  }
}

/**
 * Text of the key file, "" if it is too long to be a key; undefined: there is none. Throws the system's error, and if something else is
 * there: opening a named pipe would wait until another program writes to it.
 */
function textAt(file: string): string | undefined {
  const found = lookAt(file);
  if (found === undefined) return undefined;
  if (found.isDirectory()) throw new Error('it is a folder');
  if (!found.isFile()) throw new Error('it is not a file');
  return found.size > MAX_BYTES ? '' : readFileSync(file, 'utf8');
}

function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, 'ELOOP')) throw new Error('it is a link that leads back to itself', { cause: error });
    throw error;
  }
}
