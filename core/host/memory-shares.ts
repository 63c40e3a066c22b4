/**
 * Divides the heap of this process: all data that grow with the published messages have a share, which limits
 * them.
 */
import { getHeapStatistics } from 'node:v8';
import { MAX_FRAME_BYTES } from '../contract/rpc.ts';

/** Share of the history and unfinished messages, if the start keeps nothing on disk. */
const JOURNAL_SHARE = 0.4;
/** Share of unfinished messages and deliveries, without their bodies. */
const BACKLOG_SHARE = 0.25;
/** Share of the console's requests that run. A request of small values takes about ten times its size once it is read. */
const CONSOLE_SHARE = 1 / 16;

export interface MemoryShares {
  readonly journalBytes: number;
  readonly backlogBytes: number;
  readonly consoleBytes: number;
}

/**
 * Bytes of each share.
 * @param heapBytes most bytes of the heap, set by `--max-old-space-size`
 */
export function memoryShares(heapBytes = getHeapStatistics().heap_size_limit): MemoryShares {
  return {
    journalBytes: Math.floor(heapBytes * JOURNAL_SHARE),
    backlogBytes: Math.floor(heapBytes * BACKLOG_SHARE),
    // Two of the largest requests run also where the heap is small.
    consoleBytes: Math.max(2 * MAX_FRAME_BYTES, Math.floor(heapBytes * CONSOLE_SHARE)),
  };
}
