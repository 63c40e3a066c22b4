/** `events.since`: events after a number; a script may wait for the next one. */
import type { Params, Result } from '../../contract/console.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventSource } from '../../runtime/api.ts';

const DEFAULT_LIMIT = 500;
/** Maximum number of waiting requests; further ones get an empty answer at once. */
const MAX_WAITERS = 200;

export class LongPoll {
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #waiters = new Set<() => void>();
  #stopListening: (() => void) | undefined;

  constructor(source: EventSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * Uncoalesced events after `sequence`: at once if there are any, otherwise the first ones within `waitMs`. `reset: true`: the sequence is
   * no longer stored, or never existed; continue from the answer's `sequence`.
   */
  async since(
    { sequence, limit = DEFAULT_LIMIT, waitMs = 0 }: Params<'events.since'>,
    signal: AbortSignal,
  ): Promise<Result<'events.since'>> {
    const now = this.#read(sequence, limit);
    if (now.events.length > 0 || now.reset === true || waitMs === 0) return now;
    if (this.#waiters.size >= MAX_WAITERS || signal.aborted) return now;
    await this.#next(waitMs, signal);
    return this.#read(sequence, limit);
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** Answers all waiting requests as if their time were over. */
  close(): void {
    for (const wake of this.#waiters) wake();
  }

  #read(sequence: number, limit: number): Result<'events.since'> {
    const events = this.#source.since(sequence, limit);
    if (events === undefined) return { events: [], sequence: this.#source.sequence, reset: true };
    return { events: events.map((event) => event.read()), sequence: events.at(-1)?.sequence ?? sequence };
  }

  /** Resolves at the next event, after `waitMs`, or when the caller has disconnected. */
  #next(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        signal.removeEventListener('abort', done);
        this.#waiters.delete(done);
        if (this.#waiters.size === 0) {
          this.#stopListening?.();
          this.#stopListening = undefined;
        }
        resolve();
      };
      const cancel = this.#clock.at(this.#clock.now() + waitMs, done);
      signal.addEventListener('abort', done, { once: true });
      this.#waiters.add(done);
      this.#stopListening ??= this.#source.onEvent(() => {
        for (const wake of this.#waiters) wake();
      });
    });
  }
}
