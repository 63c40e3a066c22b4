/**
 * Log files of the apps, if the file of the run asks for them: one for each start of the run, never removed.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { join } from 'node:path';
import { leftOut, LineOutput } from '../../adapters/line-output.ts';
import { errorText } from '../../contract/error-text.ts';
import { PROFILES } from '../../contract/profile.ts';
import { DOT_FOLDER } from './fields.ts';

const { brandWord } = PROFILES.dapr;

export type LogOf = 'app' | 'sidecar';

interface LogFile {
  readonly stream: WriteStream;
  /** An app may write faster than the disk. */
  readonly output: LineOutput;
}

export class LogFiles {
  readonly #startedMs: number;
  readonly #onTrouble: (text: string) => void;
  readonly #files = new Map<string, LogFile>();

  /**
   * Makes the files.
   * @param onTrouble called once for each file that cannot be written
   */
  constructor(startedMs: number, onTrouble: (text: string) => void) {
    this.#startedMs = startedMs;
    this.#onTrouble = onTrouble;
  }

  /**
   * Opens the file of an app and creates its folder.
   * @returns its path
   */
  open(appId: string, folder: string, of: LogOf): string {
    const logs = join(folder, DOT_FOLDER, 'logs');
    const name = of === 'app' ? 'app' : `${brandWord}d`;
    const path = join(logs, `${appId}_${name}_${stamp(this.#startedMs)}.log`);
    try {
      mkdirSync(logs, { recursive: true });
      const stream = createWriteStream(path, { flags: 'a' });
      stream.once('error', (error) => {
        this.#files.delete(`${appId} ${of}`);
        this.#onTrouble(`${path} cannot be written: ${errorText(error)}`);
      });
      const output = new LineOutput(stream, (left) => leftOut(left, 'the disk'));
      this.#files.set(`${appId} ${of}`, { stream, output });
    } catch (error) {
      this.#onTrouble(`${path} cannot be written: ${errorText(error)}`);
    }
    return path;
  }

  write(appId: string, of: LogOf, line: string): void {
    this.#files.get(`${appId} ${of}`)?.output.line(line);
  }

  /** Closes all files; resolves when everything is on disk. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#files.values()].map(({ stream, output }) => {
        output.end();
        return new Promise<void>((done) => stream.end(() => done()));
      }),
    );
    this.#files.clear();
  }
}

/** Time for a file name, such as `20261123093000`, in the time zone of this machine. */
function stamp(ms: number): string {
  const at = new Date(ms);
  const parts = [at.getMonth() + 1, at.getDate(), at.getHours(), at.getMinutes(), at.getSeconds()];
  return `${at.getFullYear()}${parts.map((part) => String(part).padStart(2, '0')).join('')}`;
}
