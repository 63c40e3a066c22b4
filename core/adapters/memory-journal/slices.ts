/** Long work in slices, so that the publishes and attempts between them never wait for a search. */
import { setImmediate, setTimeout } from 'node:timers/promises';

const SLICE_ROWS = 4000;
const SLICE_MS = 8;
/** A slice that took longer is followed by a rest as long as itself. */
const LONG_MS = 4 * SLICE_MS;

export interface Slice {
  /** Counts one row; true once the slice has had its rows or its time. */
  isOver(): boolean;
  /**
   * Lets everything else run. One row with megabytes to search through can take much longer than a slice; then everything else gets as
   * much time as it waited, because an answer that is itself written in slices would otherwise wait for a row between each two of them.
   * Throws the signal's reason when it was aborted.
   */
  end(signal?: AbortSignal): Promise<void>;
}

/** The clock of slices. */
export interface SliceClock {
  /** Milliseconds since any fixed time. */
  now(): number;
  /** Resolves after so many milliseconds; 0: when everything else has had its turn. */
  wait(ms: number): Promise<unknown>;
}

const CLOCK: SliceClock = {
  now: () => performance.now(),
  wait: (ms) => (ms === 0 ? setImmediate() : setTimeout(ms)),
};

export function startSlice({ now, wait }: SliceClock = CLOCK): Slice {
  const from = now();
  let rows = 0;
  return {
    isOver: () => ++rows >= SLICE_ROWS || now() >= from + SLICE_MS,
    end: async (signal) => {
      const tookMs = now() - from;
      await wait(tookMs > LONG_MS ? tookMs : 0);
      signal?.throwIfAborted();
    },
  };
}

/** Lets everything else run before long work begins. Throws the signal's reason when it was aborted. */
export async function yieldToOthers(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
