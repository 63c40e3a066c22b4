/** Joins pages of log lines, newest first, with the known lines, oldest first. */
import type { LogEntry } from '../../core/contract/console.ts';

/** Number of lines that must be equal before two positions count as the same; fewer if there are fewer. */
const AGREE = 4;

function isSame(a: LogEntry | undefined, b: LogEntry | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.at === b.at &&
    a.text === b.text &&
    a.part === b.part &&
    a.appId === b.appId &&
    a.level === b.level &&
    a.deliveryId === b.deliveryId &&
    a.attemptId === b.attemptId
  );
}

/**
 * Lines of a page that are newer than the last of `lines`, oldest first. Lines have no number, so equal lines mark the position.
 * @param lines oldest first
 * @param page newest first, as `logs.list` answers
 * @returns undefined: the page does not reach back to the lines, because there are more between or it is another run
 */
export function newerThan(
  lines: readonly LogEntry[],
  page: readonly LogEntry[],
): readonly LogEntry[] | undefined {
  if (lines.length === 0) return undefined;
  const place = page.findIndex((_, start) => {
    const span = Math.min(AGREE, lines.length, page.length - start);
    for (let back = 0; back < span; back += 1)
      if (!isSame(page[start + back], lines[lines.length - 1 - back])) return false;
    return true;
  });
  return place < 0 ? undefined : page.slice(0, place).toReversed();
}
