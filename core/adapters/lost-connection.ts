/** Whether the connection of a component to its server is lost: since when, why, how often it was tried again, when next. */
import type { Clock } from '../ports/clock.ts';
import type { LostConnection } from '../ports/pubsub.ts';

export class ConnectionWatch {
  readonly #clock: Clock;
  #lost: LostConnection | undefined;
  /** Told of every change. */
  changed: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** undefined: it is there, or never was. */
  get lost(): LostConnection | undefined {
    return this.#lost;
  }

  away(reason: string): void {
    this.#lost = { sinceMs: this.#clock.now(), reason, tries: 0 };
    this.changed();
  }

  /** @param reason why the last try failed; undefined: it is not known @param inMs until the next one */
  tried(tries: number, reason: string | undefined, inMs: number): void {
    if (this.#lost === undefined) return;
    const { sinceMs, reason: before } = this.#lost;
    this.#lost = { sinceMs, reason: reason ?? before, tries, nextTryMs: this.#clock.now() + inMs };
    this.changed();
  }

  back(): void {
    this.#lost = undefined;
    this.changed();
  }
}
