/**
 * Writes the file of the newest records again at its place where another program removed it: it is read there once the database is opened
 * again. What somebody else put there is set aside.
 */
import { basename } from 'node:path';

import { copyOf } from './copy-of.ts';
import { fileId } from './file-id.ts';
import { setAside } from './set-aside.ts';

export class PutBack {
  /** The copy of a try whose database could not be opened. */
  #copy: string | undefined;
  /** Sentences about what was set aside, until the database is open. */
  #notes: string[] = [];

  /**
   * Throws the system's error.
   * @param fd the open file; undefined: it is in its place, or was never made
   * @param time becomes a part of the name of what is set aside
   */
  put(fd: number | undefined, path: string, time: string): void {
    if (fd === undefined) return;
    // Records may have been written since, so a copy of an earlier try is made again.
    const isCopy = this.#copy !== undefined && fileId(path) === this.#copy;
    const aside = isCopy ? undefined : setAside(path, time);
    if (aside !== undefined)
      this.#notes.push(`What was in the place of ${basename(path)} is kept as ${aside}.`);
    copyOf(fd, path);
    this.#copy = fileId(path);
  }

  /** What was set aside, once: the database is open. */
  notes(): readonly string[] {
    this.#copy = undefined;
    return this.#notes.splice(0);
  }
}
