/** Mistakes of a multi-app file, each as one line with its position. */
import { oneLine } from '../../contract/unicode-escape.ts';
import { UsageError } from '../../domain/usage-error.ts';
import type { Position } from './yaml-tree.ts';

const TITLE = 'Error getting apps from config file';

/** The line of each mistake without the title, from which several are put together. */
const LINES = new WeakMap<UsageError, string>();

/** A mistake at a position. The error is one line for a person, and nothing was started. */
export function mistakeAt(
  file: string,
  at: Position | undefined,
  message: string,
  cause?: unknown,
): UsageError {
  const line = located(file, at, message);
  const mistake = new UsageError(`${TITLE}: ${line}`, cause === undefined ? undefined : { cause });
  LINES.set(mistake, line);
  return mistake;
}

/** Gathers the mistakes of one file, so that a person can correct all of them at once. */
export class Mistakes {
  readonly #found: UsageError[] = [];

  get count(): number {
    return this.#found.length;
  }

  /** What `work` gives; undefined: it throws a mistake of the file, which is kept. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UsageError) || !LINES.has(error)) throw error;
      this.#found.push(error);
      return undefined;
    }
  }

  /** Throws all mistakes as one UsageError with a line for each; nothing if there is none. */
  throwAll(): void {
    const [first, ...more] = this.#found;
    if (first === undefined) return;
    if (more.length === 0) throw first;
    const lines = more.flatMap((mistake) => LINES.get(mistake) ?? []);
    throw new UsageError([first.message, ...lines].join('\n'), { cause: first });
  }
}

export function located(file: string, at: Position | undefined, message: string): string {
  const where = at === undefined ? file : `${file}:${at.line}:${at.column}`;
  return oneLine(`${where}: ${message}`);
}
