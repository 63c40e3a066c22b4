/** Ring of the newest lines, each with its number among all lines. */
import type { LogEntry } from '../../contract/console.ts';

export interface NumberedLine {
  readonly n: number;
  readonly entry: LogEntry;
}

export class LineRing {
  readonly #most: number;
  /** undefined: a line that was forgotten. */
  readonly #lines: (NumberedLine | undefined)[] = [];
  #written = 0;

  /** @param most maximum number of lines */
  constructor(most: number) {
    this.#most = most;
  }

  add(line: NumberedLine): void {
    this.#lines[this.#written % this.#most] = line;
    this.#written += 1;
  }

  /** Forgets the lines that are meant; the others keep their numbers. */
  forget(isMeant: (entry: LogEntry) => boolean): void {
    for (const [place, line] of this.#lines.entries())
      if (line !== undefined && isMeant(line.entry)) this.#lines[place] = undefined;
  }

  /** Lines with a number below this one, newest first. */
  *before(n: number): Generator<NumberedLine> {
    const oldest = Math.max(0, this.#written - this.#most);
    for (let i = this.#written - 1; i >= oldest; i -= 1) {
      const line = this.#lines[i % this.#most];
      if (line !== undefined && line.n < n) yield line;
    }
  }
}

/** Lines of several rings as one list, newest first. */
export function* newestFirst(rings: readonly LineRing[], before: number): Generator<NumberedLine> {
  const heads = rings.map((ring) => {
    const lines = ring.before(before);
    return { lines, next: lines.next() };
  });
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads)
      if (head.next.done !== true && head.next.value.n > (newest?.next.value?.n ?? -1)) newest = head;
    if (newest === undefined || newest.next.done === true) return;
    yield newest.next.value;
    newest.next = newest.lines.next();
  }
}
