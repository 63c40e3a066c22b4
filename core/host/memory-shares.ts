/** How the heap of this process is shared out: all that grows with what is published has a part of it, and ends there. */
import { getHeapStatistics } from 'node:v8';

/** History and unfinished messages of a start that keeps nothing on disk. */
const JOURNAL_SHARE = 0.4;
/** Unfinished messages and deliveries, without their bodies. */
const BACKLOG_SHARE = 0.25;

export interface MemoryShares {
  readonly journalBytes: number;
  readonly backlogBytes: number;
}

/** @param heapBytes most that the heap may take, set by `--max-old-space-size` */
export function memoryShares(heapBytes = getHeapStatistics().heap_size_limit): MemoryShares {
  return {
    journalBytes: Math.floor(heapBytes * JOURNAL_SHARE),
    backlogBytes: Math.floor(heapBytes * BACKLOG_SHARE),
  };
}
