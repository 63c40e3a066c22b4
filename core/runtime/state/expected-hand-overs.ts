/** Messages that a broker has just accepted and will deliver in a moment. They stay in memory, so that nothing is read from disk. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';
import type { LiveSet } from './live-set.ts';
import type { LiveMessage } from './live.ts';

/** Maximum number of messages; another limit bounds their bodies. The oldest are dropped, because the journal has them. */
const MAX = 500;
const MAX_BYTES = 1024 * 1024;
/** Maximum wait for the broker's delivery; after it another process may have received the message. */
const MAX_MS = 500;

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

  /** Keeps a message that the broker has accepted. No effect if the broker has delivered it already. */
  add(message: LiveMessage): void {
    if (message.deliveries.length > 0 || message.isRemoved) return;
    const bytes = message.row.sizeBytes;
    message.expect();
    this.#messages.set(message, { sinceMs: this.#deps.clock.now(), bytes });
    this.#bytes += bytes;
    for (const oldest of this.#messages.keys()) {
      if (this.#messages.size <= MAX && this.#bytes <= MAX_BYTES) break;
      this.#giveUp(oldest);
    }
    this.#time();
  }

  /** Called when the broker has delivered the message: its deliveries keep it in memory now. */
  came(message: LiveMessage): void {
    if (!message.expected) return;
    message.expectNoMore();
    this.#bytes -= this.#messages.get(message)?.bytes ?? 0;
    this.#messages.delete(message);
  }

  /** Evicts all messages: hidden ones must not be found in memory. */
  clear(): void {
    for (const message of this.#messages.keys()) this.#giveUp(message);
  }

  #time(): void {
    if (this.#isTimed || this.#messages.size === 0) return;
    this.#isTimed = true;
    const { clock, timers } = this.#deps;
    timers.at(clock.now() + MAX_MS, () => {
      this.#isTimed = false;
      const dueMs = clock.now() - MAX_MS;
      for (const [message, { sinceMs }] of this.#messages) {
        if (sinceMs > dueMs) break;
        this.#giveUp(message);
      }
      this.#time();
    });
  }

  #giveUp(message: LiveMessage): void {
    this.came(message);
    this.#deps.live.removeIfFinished(message);
  }
}
