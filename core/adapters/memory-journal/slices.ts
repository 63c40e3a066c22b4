/** Long work in slices, so that the publishes and attempts between them never wait for a search. */
import { setImmediate } from 'node:timers/promises';

const SLICE_ROWS = 4000;
const SLICE_MS = 8;

export interface Slice {
  /** Counts one row; true once the slice has had its rows or its time. */
  isOver(): boolean;
}

export function startSlice(): Slice {
  const until = performance.now() + SLICE_MS;
  let rows = 0;
  return { isOver: () => ++rows >= SLICE_ROWS || performance.now() >= until };
}

/** Lets everything else run. Throws the signal's reason when it was aborted. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
