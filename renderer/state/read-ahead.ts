/** Decides which rows are loaded before they are visible: more of them in the direction of scrolling. */

export interface RowRange {
  readonly from: number;
  /** End of the range, exclusive. */
  readonly to: number;
}

/** Rows that one request has at most. */
export const MAX_ROWS = 500;

export interface Reading {
  /** Range that is loaded first, in one request. */
  readonly first: RowRange;
  /** Range that is loaded after it. */
  readonly around: RowRange;
}

/** Rows on the side away from the scrolling, and on both sides without scrolling. */
const BESIDE = 100;
/** Rows in the direction of scrolling. */
const AHEAD = 300;
/** Frames that a request takes: rows that pass in this many frames are loaded with the visible ones. */
const FRAMES = 8;

/**
 * The ranges to load.
 * @param before the visible rows before; a jump beyond `AHEAD` rows has no direction
 */
export function readingOf(sight: RowRange, before: RowRange): Reading {
  const moved = sight.from - before.from;
  const isJump = Math.abs(moved) > AHEAD;
  const lead = isJump ? 0 : Math.min(AHEAD, Math.abs(moved) * FRAMES);
  const up = moved < 0 && !isJump;
  const down = moved > 0 && !isJump;
  return {
    first: { from: Math.max(0, sight.from - (up ? lead : 0)), to: sight.to + (down ? lead : 0) },
    around: {
      from: Math.max(0, sight.from - (up ? AHEAD : BESIDE)),
      to: sight.to + (down ? AHEAD : BESIDE),
    },
  };
}
