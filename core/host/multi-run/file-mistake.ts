/** Mistakes of a multi-app file, each as one line with its position. */
import { oneLine } from '../../contract/unicode-escape.ts';
import { UsageError } from '../../domain/usage-error.ts';
import type { Position } from './yaml-tree.ts';

const TITLE = 'Error getting apps from config file';

interface Line {
  /** The mistake without the title. */
  readonly text: string;
  readonly at: Position | undefined;
}

/** The line of each mistake, from which several are put together. */
const LINES = new WeakMap<UsageError, Line>();

/** A mistake at a position. The error is one line for a person, and nothing was started. */
export function mistakeAt(
  file: string,
  at: Position | undefined,
  message: string,
  cause?: unknown,
): UsageError {
  const text = located(file, at, message);
  const mistake = new UsageError(`${TITLE}: ${text}`, cause === undefined ? undefined : { cause });
  LINES.set(mistake, { text, at });
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

  add(mistake: UsageError): void {
    this.#found.push(mistake);
  }

  /** Throws all mistakes as one UsageError with a line for each, in the order of the file; nothing if there is none. */
  throwAll(): void {
    const [first] = this.#found;
    if (first === undefined) return;
    const lines = this.#found.flatMap((mistake) => LINES.get(mistake) ?? []);
    // Apps that share a field of `common` make the same mistake of it.
    const texts = new Set(inOrder(lines).map(({ text }) => text));
    throw new UsageError(`${TITLE}: ${[...texts].join('\n')}`, { cause: first });
  }
}

const TOP: Position = { line: 0, column: 0 };

/** Lines in the order of their positions; one without a position stays behind the one that was found before it. */
function inOrder(lines: readonly Line[]): readonly Line[] {
  const placed: { readonly text: string; readonly at: Position }[] = [];
  for (const { text, at = placed.at(-1)?.at ?? TOP } of lines) placed.push({ text, at });
  return placed.toSorted(({ at: a }, { at: b }) => a.line - b.line || a.column - b.column);
}

export function located(file: string, at: Position | undefined, message: string): string {
  const where = at === undefined ? file : `${file}:${at.line}:${at.column}`;
  return oneLine(`${where}: ${message}`);
}
