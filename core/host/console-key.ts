/** The console's key across restarts: with a data folder an open page comes back by itself after the host was restarted. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileWatch } from '../adapters/sqlite-journal/file-watch.ts';
import { writeWholeSync } from '../adapters/whole-file.ts';
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
    writeWholeSync(file, `${made}\n`, 0o600);
    return made;
  } catch (error) {
    log.write('warn', 'console', `The console's key could not be kept in ${file}: ${reasonOf(error)}`);
    return undefined;
  }
}

/**
 * Says within seconds that the file was removed, and writes it again: pages that are open come back after the next start all the
 * same. A file with another key is left alone: the next start takes that one.
 * @param folder undefined: nothing is kept
 * @param key the one that counts at present
 * @param everyMs ms between two looks
 * @returns ends the watch
 */
export function watchConsoleKey(
  folder: string | undefined,
  key: () => string,
  log: Log,
  everyMs?: number,
): () => Promise<void> {
  if (folder === undefined) return async () => undefined;
  const file = join(folder, FILE);
  let said = '';
  const tell = (level: 'warn' | 'error', text: string): void => {
    if (text !== said) log.write(level, 'console', text);
    said = text;
  };
  const watch = new FileWatch(
    file,
    async () => {
      try {
        if (existsSync(file)) {
          const isSame = readFileSync(file, 'utf8').trim() === key();
          if (!isSame) tell('warn', `${FILE} holds another key now: it counts from the next start on.`);
          return true;
        }
        writeWholeSync(file, `${key()}\n`, 0o600);
        tell('warn', `${FILE} was removed from the data folder while it is in use; it was made again.`);
        said = '';
        return true;
      } catch (error) {
        tell(
          'error',
          `${FILE} was removed from the data folder, and could not be made again: ${reasonOf(error)}`,
        );
        return false;
      }
    },
    undefined,
    everyMs,
  );
  watch.start();
  return () => watch.stop();
}

function readKey(file: string, log: Log): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return KEY.test(text) ? text : undefined;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing)
      log.write('warn', 'console', `The console's key in ${file} could not be read: ${reasonOf(error)}`);
    return undefined;
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
