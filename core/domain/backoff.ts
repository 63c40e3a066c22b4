/**
 * The pause before the next try: the first one, then twice the one before, at most the longest.
 * @param failures tries that failed in a row, from 1
 */
export function backoffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
