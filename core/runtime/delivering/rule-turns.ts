/** Messages whose match rules cost much take turns with everything else: after some work the next ones wait for the next turn. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';

/** Steps that rules take in one turn of the event loop before further deliveries wait: about 50 ms of work. */
const MOST_STEPS = 500_000;
/** Evaluations with fewer steps are not counted: they cost less than counting them. */
const FEW_STEPS = 500;
/** Deliveries that begin in one turn, however little their rules cost: each has its route, its state and its record made. */
const MOST_BEGUN = 500;
/** A timer that runs in the next turn. */
const NEXT_TURN_MS = 1;

export class RuleTurns {
  readonly #clock: Clock;
  readonly #timers: Timers;
  /** Steps of this turn. */
  #spent = 0;
  #isTimed = false;
  #waiting: { readonly of: object; readonly run: () => Promise<void> }[] = [];
  /** The number of each that waits, in their order. */
  readonly #numbers = new Map<object, number>();
  #lastNumber = 0;
  /** The number of the one that had its turn last. */
  #taken = 0;
  /** How many of those are done; they leave the list together. */
  #done = 0;

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

  /** How many go before this one; undefined: it does not wait. */
  ahead(of: object): number | undefined {
    const number = this.#numbers.get(of);
    return number === undefined ? undefined : number - this.#taken - 1;
  }

  /** Does the work in a later turn, behind what waits already. Resolves with its result. @param of what waits meanwhile */
  later<T>(of: object, work: () => T | Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      const run = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#waiting.push({ of, run });
      this.#numbers.set(of, (this.#lastNumber += 1));
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
    for (; this.#done < this.#waiting.length; this.#done += 1) {
      const one = this.#waiting[this.#done];
      if (one === undefined || this.#done >= MOST_BEGUN || this.#spent >= MOST_STEPS) break;
      await one.run();
      this.#taken += 1;
      this.#numbers.delete(one.of);
    }
    this.#waiting = this.#waiting.slice(this.#done);
    this.#done = 0;
    this.#isTimed = false;
    if (this.isOver) this.#time();
  }
}
