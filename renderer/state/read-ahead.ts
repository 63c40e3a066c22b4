/** Which rows are read before they are in sight: more of them where the list is being scrolled to. */

export interface RowRange {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

export interface Reading {
  /** Read first, in one question. */
  readonly first: RowRange;
  /** Read after it. */
  readonly around: RowRange;
}

/** Rows on the side that nobody scrolls to, and on both sides while nobody scrolls. */
const BESIDE = 100;
/** Rows on the side that is scrolled to. */
const AHEAD = 300;
/** Frames that a question takes: rows that pass in this many frames are read with those in sight. */
const FRAMES = 8;

/** @param before what was in sight the time before; a jump beyond `AHEAD` rows leads nowhere further */
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
