/** A budget of steps for work that a message decides about: counted, so that the same work ends at the same place on every machine. */

/** The budget is used up. */
export class OutOfSteps extends Error {}

export class Steps {
  readonly limit: number;
  #left: number;
  #members: WeakMap<object, number> | undefined;

  /** @param limit steps that may be taken; one more throws OutOfSteps */
  constructor(limit: number) {
    this.limit = limit;
    this.#left = limit;
  }

  get used(): number {
    return this.limit - this.#left;
  }

  /** Throws OutOfSteps when these are more than what is left, and from then on always. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OutOfSteps(`more than ${this.limit.toLocaleString('en-US')} steps`);
  }

  /** How many members an object has; told again without counting. */
  membersOf(value: object): number {
    this.#members ??= new WeakMap();
    const known = this.#members.get(value);
    if (known !== undefined) return known;
    const count = Object.keys(value).length;
    this.#members.set(value, count);
    return count;
  }
}
