/** Messages that a broker has just taken from here and hands over in a moment: they stay in memory, so that nothing is read back. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';
import type { LiveSet } from './live-set.ts';
import type { LiveMessage } from './live.ts';

/**
 * Most messages that are kept, beside a limit for the bytes of their bodies; the oldest are dropped, because
 * the journal has them.
 */
const MOST = 500;
const MOST_BYTES = 1024 * 1024;
/** Longest wait for a hand-over; after it the message may have gone to another process. */
const LONGEST_MS = 500;

export interface ExpectedHandOversDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly live: LiveSet;
}

interface Waiting {
  readonly sinceMs: number;
  readonly bytes: number;
}

export class ExpectedHandOvers {
  readonly #deps: ExpectedHandOversDependencies;
  /** Oldest first. */
  readonly #messages = new Map<LiveMessage, Waiting>();
  #bytes = 0;
  #isTimed = false;

  constructor(deps: ExpectedHandOversDependencies) {
    this.#deps = deps;
  }

  /** The broker has it. No effect where it was handed over already. */
  add(message: LiveMessage): void {
    if (message.deliveries.length > 0 || message.isRemoved) return;
    const bytes = message.row.sizeBytes;
    message.expect();
    this.#messages.set(message, { sinceMs: this.#deps.clock.now(), bytes });
    this.#bytes += bytes;
    for (const oldest of this.#messages.keys()) {
      if (this.#messages.size <= MOST && this.#bytes <= MOST_BYTES) break;
      this.#letGo(oldest);
    }
    this.#time();
  }

  /** The message was handed over: its deliveries keep it from now on. */
  came(message: LiveMessage): void {
    if (!message.expected) return;
    message.expectNoMore();
    this.#bytes -= this.#messages.get(message)?.bytes ?? 0;
    this.#messages.delete(message);
  }

  /** Lets go of all: what is hidden from now on must not be found in memory. */
  clear(): void {
    for (const message of this.#messages.keys()) this.#letGo(message);
  }

  #time(): void {
    if (this.#isTimed || this.#messages.size === 0) return;
    this.#isTimed = true;
    const { clock, timers } = this.#deps;
    timers.at(clock.now() + LONGEST_MS, () => {
      this.#isTimed = false;
      const dueMs = clock.now() - LONGEST_MS;
      for (const [message, { sinceMs }] of this.#messages) {
        if (sinceMs > dueMs) break;
        this.#letGo(message);
      }
      this.#time();
    });
  }

  #letGo(message: LiveMessage): void {
    this.came(message);
    this.#deps.live.removeIfFinished(message);
  }
}
