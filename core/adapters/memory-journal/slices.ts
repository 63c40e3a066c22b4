/** Long work in slices, so that the publishes and attempts between them never wait for a search, however many there are. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { FairTurns, MAX_MS } from '../../domain/fair-turns.ts';

const SLICE_ROWS = 4000;
/** A slice that took longer is followed by a rest as long as itself. */
const LONG_MS = 4 * MAX_MS;

export interface Slice {
  /** Counts one row; true once the slice has had its rows, or the slices of this turn their time. */
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

/** The turns of the event loop in which slices run. Searches share them: a hundred that each took a slice in the same turn would take a second. */
export class SliceTurns {
  readonly #clock: SliceClock;
  readonly #turns: FairTurns;

  constructor(clock = CLOCK) {
    this.#clock = clock;
    this.#turns = new FairTurns((run) => void clock.wait(0).then(run), clock.now);
  }

  /**
   * Resolves when a slice may begin: at once while those of this turn have left time, else in a later turn, in the order of the calls.
   * Throws the signal's reason when it was aborted.
   */
  async begin(signal?: AbortSignal): Promise<Slice> {
    const room = this.#turns.room();
    if (room !== undefined) await room;
    signal?.throwIfAborted();
    const { now, wait } = this.#clock;
    const from = now();
    const { until } = this.#turns;
    let rows = 0;
    return {
      isOver: () => ++rows >= SLICE_ROWS || now() >= until,
      end: async (aborted) => {
        const tookMs = now() - from;
        await wait(tookMs > LONG_MS ? tookMs : 0);
        aborted?.throwIfAborted();
      },
    };
  }
}

/** Lets everything else run before long work begins. Throws the signal's reason when it was aborted. */
export async function yieldToOthers(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
