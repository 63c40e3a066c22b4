/** How pages of log lines, newest first, are joined to the lines that are there, oldest first. */
import type { LogEntry } from '../../core/contract/console.ts';

/** Lines that must agree before two places count as the same; fewer where fewer are there. */
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
 * What of a page is newer than the last of `lines`, oldest first. Lines have no number, so the place is found by agreement.
 * @param lines oldest first
 * @param page newest first, as `logs.list` answers
 * @returns undefined when the page does not reach back to the lines: there is more between, or it is another run
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
