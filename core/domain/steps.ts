/**
 * A budget of steps for work whose amount a message decides. Steps are counted, so that the work ends at the
 * same point on every machine.
 */

/** Thrown when the budget is used up. */
export class OutOfSteps extends Error {}

export class Steps {
  /** An object that is never freed, for the reason in last-made.ts. */
  static readonly kept = new Steps(0);

  readonly limit: number;
  #left: number;
  #beside = 0;
  #members: WeakMap<object, number> | undefined;

  /**
   * Makes a budget.
   * @param limit number of steps; one more throws OutOfSteps
   */
  constructor(limit: number) {
    this.limit = limit;
    this.#left = limit;
  }

  get used(): number {
    return this.limit - this.#left;
  }

  /** Steps of all work that was done, also of that which the limit does not count. */
  get work(): number {
    return this.used + this.#beside;
  }

  /** Notes work that the limit does not count. */
  noteBeside(steps: number): void {
    this.#beside += steps;
  }

  /** Spends steps. Throws OutOfSteps if there are not enough left, and at every later call. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps(`more than ${this.limit.toLocaleString('en-US')} steps`);
  }

  /** Number of an object's members; repeated calls do not count them again. */
  membersOf(value: object): number {
    this.#members ??= new WeakMap();
    const known = this.#members.get(value);
    if (known !== undefined) return known;
    const count = value instanceof Map ? value.size : Object.keys(value).length;
    this.#members.set(value, count);
    return count;
  }
}
