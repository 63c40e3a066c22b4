/**
 * Pause after a frame with rows: a person cannot read thirty screens a second, and waking the client's process for each frame costs more
 * than the frame's content.
 */
import { STREAM } from '../../contract/stream-bounds.ts';

const MAX_PAUSE_MS = 200;
/** Pause per row; a screenful of rows gives the longest pause. */
const PAUSE_MS_A_ROW = 4;
/**
 * Longest pause in a flood, in which each frame has other rows than the one before: nobody reads them, and two frames a second show that it
 * flows.
 */
const MAX_FLOOD_PAUSE_MS = 500;
const FLOOD_PAUSE_MS_A_ROW = 10;

/** Time that a frame without events for its client waits, so that its numbers can go with the next events. */
export const QUIET_MS = 200;

/**
 * Pause of the stream after a frame with this many rows, in ms; 0: the next batch is sent as soon as it is ready.
 * @param isFlood whether events come as fast as flood.ts says
 */
export function pauseAfter(rows: number, isFlood: boolean): number {
  const pauseMs = isFlood
    ? Math.min(MAX_FLOOD_PAUSE_MS, rows * FLOOD_PAUSE_MS_A_ROW)
    : Math.min(MAX_PAUSE_MS, rows * PAUSE_MS_A_ROW);
  return pauseMs > STREAM.batchMs ? pauseMs : 0;
}
