/** Files that components name, outside their folder: what is in them counts for the components as their own files do. */
import { unwatchFile, watchFile } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Time between looks; such a file may not be there yet, and its folder neither, so that nothing can report a change. */
const POLL_INTERVAL_MS = 1_000;

export class BesideFiles {
  #paths: readonly string[] = [];
  #changed: (() => void) | undefined;
  readonly #onLook = (): void => this.#changed?.();

  /** Sets which files count from now on. */
  name(paths: readonly string[]): void {
    this.#unwatch();
    this.#paths = [...new Set(paths)];
    this.#watch();
  }

  /** What distinguishes the files as they are from those of another time; "": there is none. */
  async signature(): Promise<string> {
    const lines = this.#paths.map(async (path) => {
      const found = await stat(path).catch(() => undefined);
      return `\nbeside ${path} ${found === undefined ? 'missing' : `${found.size} ${found.mtimeMs} ${found.ino}`}`;
    });
    return (await Promise.all(lines)).join('');
  }

  /** Calls back after each change, until `end`. */
  follow(changed: () => void): void {
    this.#changed = changed;
    this.#watch();
  }

  end(): void {
    this.#unwatch();
    this.#changed = undefined;
  }

  #watch(): void {
    if (this.#changed === undefined) return;
    for (const path of this.#paths)
      watchFile(path, { interval: POLL_INTERVAL_MS, persistent: false }, this.#onLook);
  }

  #unwatch(): void {
    for (const path of this.#paths) unwatchFile(path, this.#onLook);
  }
}
