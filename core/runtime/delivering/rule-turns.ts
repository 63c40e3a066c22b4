/** Messages whose match rules cost much take turns with everything else: after some work the next ones wait for the next turn. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';

/** Steps that rules take in one turn of the event loop before further deliveries wait: about 50 ms of work. */
const MOST_STEPS = 500_000;
/** Evaluations with fewer steps are not counted: they cost less than counting them. */
const FEW_STEPS = 500;
/** A timer that runs in the next turn. */
const NEXT_TURN_MS = 1;

export class RuleTurns {
  readonly #clock: Clock;
  readonly #timers: Timers;
  /** Steps of this turn. */
  #spent = 0;
  #isTimed = false;
  #waiting: (() => Promise<void>)[] = [];

  constructor({ clock, timers }: { readonly clock: Clock; readonly timers: Timers }) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** True: what comes now waits, in its order, so that everything else is served in between. */
  get isOver(): boolean {
    return this.#waiting.length > 0 || this.#spent >= MOST_STEPS;
  }

  /** Rules took so many steps for one event. */
  spent(steps: number): void {
    if (steps < FEW_STEPS) return;
    this.#spent += steps;
    this.#time();
  }

  /** Does the work in a later turn, behind what waits already. Resolves with its result. */
  later<T>(work: () => T | Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.#waiting.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    this.#time();
    return done;
  }

  #time(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#timers.at(this.#clock.now() + NEXT_TURN_MS, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    this.#spent = 0;
    let done = 0;
    for (; done < this.#waiting.length && this.#spent < MOST_STEPS; done += 1) await this.#waiting[done]?.();
    this.#waiting = this.#waiting.slice(done);
    this.#isTimed = false;
    if (this.isOver) this.#time();
  }
}
