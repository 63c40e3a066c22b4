/**
 * Whether the pages in the log stand there as SQLite wrote them. Another program that cuts the log in the moment in which this process writes
 * behind the cut leaves a hole of zeros, and the log is as long as before: a checkpoint would bring the zeros into the database.
 */
import { readSync } from 'node:fs';

import {
  beginOf,
  endsCommit,
  FRAME_HEAD_BYTES,
  HEAD_BYTES,
  isOfLog,
  pageSizeOf,
  saltOf,
  sumIn,
  sumThrough,
} from './log-index.ts';
import type { Sum } from './log-index.ts';

/** Frames that are read at a time. */
const AT_ONCE = 64;

export class LogFrames {
  #salt = '';
  /** Frames that were found whole. */
  #frames = 0;
  /** Sum before the last of them. */
  #before: Sum = [0, 0];

  /**
   * Looks at the frames that came since the last time, and once more at the last one of then, as a cut takes the end of a log. The head of each
   * is looked at, which a hole has not, and the sum of those alone that were the end of the log at some time: sums over all cost a checkpoint
   * half as much again.
   * @param head of the log, as hexadecimal digits
   * @param frames that the log has by its index
   * @returns place of the first frame that is not whole; undefined: all are
   */
  firstBroken(fd: number, head: string, frames: number): number | undefined {
    const begin = beginOf(head);
    if (begin === undefined) return frames > 0 ? 0 : undefined;
    if (saltOf(head) !== this.#salt || frames < this.#frames) {
      this.#salt = saltOf(head);
      this.#frames = 0;
    }
    const size = pageSizeOf(head) + FRAME_HEAD_BYTES;
    // The sum that stands in a frame goes on in the next one.
    let sum = this.#frames > 0 ? this.#before : begin.sum;
    const first = Math.max(0, this.#frames - 1);
    const some = Buffer.alloc(Math.min(AT_ONCE, frames - first) * size);
    for (let next = first; next < frames;) {
      const read = readSync(fd, some, 0, Math.min(AT_ONCE, frames - next) * size, HEAD_BYTES + next * size);
      const whole = Math.floor(read / size);
      for (let at = 0; at < whole; at += 1) {
        const frame = some.subarray(at * size, (at + 1) * size);
        const wasEnd = next + at < this.#frames || endsCommit(frame);
        const isSound = wasEnd ? sumThrough(frame, begin, sum) !== undefined : isOfLog(frame, begin);
        if (!isSound) return HEAD_BYTES + (next + at) * size;
        this.#before = sum;
        sum = sumIn(frame);
      }
      next += whole;
      if (whole === 0) return HEAD_BYTES + next * size;
      this.#frames = next;
    }
    return undefined;
  }
}
