/**
 * Keeps the database open beside SQLite: once its name was removed and its log cut, SQLite cannot read it any more, and nobody could open it.
 * Closing a file gives up all locks that the process has on it, so it is closed only after all connections of this process to it.
 */
import { closeSync } from 'node:fs';

import { isAt } from './file-id.ts';
import { openRegular } from './open-regular.ts';

export class HeldFile {
  readonly #path: string;
  #fd: number | undefined;

  constructor(path: string) {
    this.#path = path;
    this.renew();
  }

  /** Undefined: it could not be opened. */
  get fd(): number | undefined {
    return this.#fd;
  }

  /** Holds the file that is at the path now. Nobody in this process may have an earlier one open. */
  renew(): void {
    try {
      if (this.#fd !== undefined && isAt(this.#fd, this.#path)) return;
      const fd = openRegular(this.#path);
      if (fd === undefined) return;
      this.close();
      this.#fd = fd;
    } catch (error) {
      // The file is missing or cannot be opened: one that was held before stays so.
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
