/**
 * Pause after a frame with rows: nobody reads thirty screens a second, and each frame wakes the client's process, which costs more
 * than the frame's content.
 */
import { STREAM } from '../../contract/stream-bounds.ts';

const LONGEST_REST_MS = 200;
/** A screenful of rows makes the longest rest. */
const REST_MS_A_ROW = 4;

/** Time that a frame without events for its client waits, so that its numbers can go with the next events. */
export const QUIET_MS = 200;

/** How long the stream rests after a frame with this many rows, in ms; 0: the next batch is sent as soon as it is ready. */
export function restAfter(rows: number): number {
  const restMs = Math.min(LONGEST_REST_MS, rows * REST_MS_A_ROW);
  return restMs > STREAM.batchMs ? restMs : 0;
}
