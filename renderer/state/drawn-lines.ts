/** Decides which lines are drawn while rows at the scroll position are not loaded: loaded ones, never empty ones. */
import type { RowRange } from './read-ahead.ts';

/** What is loaded, by lines of the screen. */
export interface LoadedLines {
  /** Whether the row of a line is loaded. */
  readonly has: (line: number) => boolean;
  /** Lines of the newest answer of the host. */
  readonly newest: RowRange | undefined;
  /** First line that is drawn now; undefined: its row is no longer loaded. */
  readonly before: number | undefined;
  /** First line that is drawn now at its own place; undefined: it is drawn elsewhere. */
  readonly inPlace: number | undefined;
}

/**
 * The first line to draw at the upper edge of the viewport. If rows in sight are missing, it is that of loaded lines as near as possible:
 * those of the newest answer, or those that are drawn now. They are drawn without gaps, as if the list were scrolled only so far.
 * An answer from far away is no better than a gap: it counts only while the first line in sight is missing too.
 * @returns `sight.from` also if nothing else is loaded
 */
export function drawnFrom(sight: RowRange, { has, newest, before, inPlace }: LoadedLines): number {
  const count = sight.to - sight.from;
  const isWhole = (from: number | undefined): from is number => {
    if (from === undefined) return false;
    for (let line = from; line < from + count; line += 1) if (!has(line)) return false;
    return true;
  };
  // A row in sight that is to be loaded again does not move the rows around it.
  if (isWhole(sight.from) || sight.from === inPlace) return sight.from;
  const far = (from: number): number => Math.abs(from - sight.from);
  const closest = newest && Math.max(newest.from, Math.min(sight.from, newest.to - count));
  const isNear = closest !== undefined && (!has(sight.from) || far(closest) <= count);
  const [nearest] = [isNear ? closest : undefined, before]
    .filter(isWhole)
    .toSorted((one, other) => far(one) - far(other));
  return nearest ?? sight.from;
}

/** Remembers the row at the upper edge by its id, because its line may change. */
export class DrawnRow {
  #id: string | undefined;
  #inPlace: number | undefined;

  get id(): string | undefined {
    return this.#id;
  }

  /** Its line; undefined: it is drawn elsewhere. */
  get inPlace(): number | undefined {
    return this.#inPlace;
  }

  /**
   * Notes what is drawn.
   * @param id undefined: the line is empty, and the row before is kept
   */
  note(id: string | undefined, line: number, isBehind: boolean): void {
    this.#id = id ?? this.#id;
    this.#inPlace = id === undefined || isBehind ? undefined : line;
  }
}
