/** Limits the work of match rules per turn of the event loop: after some work the next messages wait for the next turn. */
import type { Clock } from '../../ports/clock.ts';
import type { Timers } from '../time/timers.ts';

/** Number of rule steps in one turn of the event loop after which further deliveries wait: about 50 ms of work. */
const MAX_STEPS = 500_000;
/** Number of steps below which an evaluation is not counted: counting would cost more. */
const FEW_STEPS = 500;
/** Number of deliveries that begin in one turn, even if their rules cost little: each also gets its route, state and record. */
const MAX_BEGUN = 500;
/** Delay of a timer that runs in the next turn. */
const NEXT_TURN_MS = 1;

export class RuleTurns {
  readonly #clock: Clock;
  readonly #timers: Pick<Timers, 'at'>;
  /** Number of steps of this turn. */
  #spent = 0;
  #isTimed = false;
  #isPaused = false;
  #waiting: { readonly of: object; readonly run: () => Promise<void> }[] = [];
  /** Numbers of the waiting entries, in their order. */
  readonly #numbers = new Map<object, number>();
  #lastNumber = 0;
  /** Number of the last entry that had its turn. */
  #taken = 0;
  /** Number of waiting entries that are done; they are removed together. */
  #done = 0;

  constructor({ clock, timers }: { readonly clock: Clock; readonly timers: Pick<Timers, 'at'> }) {
    this.#clock = clock;
    this.#timers = timers;
  }

  /** True if new deliveries wait in order, so that other work is done in between. */
  get isOver(): boolean {
    return this.#isPaused || this.#waiting.length > 0 || this.#spent >= MAX_STEPS;
  }

  /** Lets everything wait until `goOn`. */
  pause(): void {
    this.#isPaused = true;
  }

  goOn(): void {
    this.#isPaused = false;
    if (this.isOver) this.#time();
  }

  /** Notes the number of steps that rules took for one event. */
  spent(steps: number): void {
    if (steps < FEW_STEPS) return;
    this.#spent += steps;
    this.#time();
  }

  /** Number of entries before this one; undefined: it does not wait. */
  ahead(of: object): number | undefined {
    const number = this.#numbers.get(of);
    return number === undefined ? undefined : number - this.#taken - 1;
  }

  /**
   * Does the work in a later turn, after waiting work. Resolves with its result.
   * @param of object that waits meanwhile
   */
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
    if (this.#isTimed || this.#isPaused) return;
    this.#isTimed = true;
    this.#timers.at(this.#clock.now() + NEXT_TURN_MS, () => void this.#turn());
  }

  async #turn(): Promise<void> {
    this.#spent = 0;
    for (; this.#done < this.#waiting.length; this.#done += 1) {
      const one = this.#waiting[this.#done];
      if (one === undefined || this.#done >= MAX_BEGUN || this.#spent >= MAX_STEPS) break;
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
