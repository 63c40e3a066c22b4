/** State of a component's lost connection: since when, why, number of attempts, time of the next one. */
import type { Clock } from '../ports/clock.ts';
import type { LostConnection } from '../ports/pubsub.ts';

export class ConnectionWatch {
  readonly #clock: Clock;
  #lost: LostConnection | undefined;
  /** Called after every change. */
  changed: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** undefined: the connection is established, or never was. */
  get lost(): LostConnection | undefined {
    return this.#lost;
  }

  connectionLost(reason: string): void {
    this.#lost = { sinceMs: this.#clock.now(), reason, tries: 0 };
    this.changed();
  }

  /**
   * Notes an attempt to reconnect.
   * @param reason why the last attempt failed; undefined: unknown
   * @param inMs time until the next attempt
   */
  tried(tries: number, reason: string | undefined, inMs: number): void {
    if (this.#lost === undefined) return;
    const { sinceMs, reason: before } = this.#lost;
    this.#lost = { sinceMs, reason: reason ?? before, tries, nextTryMs: this.#clock.now() + inMs };
    this.changed();
  }

  connectionBack(): void {
    this.#lost = undefined;
    this.changed();
  }
}
