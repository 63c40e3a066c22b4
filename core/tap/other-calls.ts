/** Calls that pass and are neither a publish nor a delivery: the newest are listed. */
import type { OtherCall } from '../contract/tap.ts';

const KEPT = 200;

export class OtherCalls {
  readonly #calls: OtherCall[] = [];
  count = 0;

  add(call: OtherCall): void {
    this.count += 1;
    this.#calls.push(call);
    if (this.#calls.length > KEPT) this.#calls.shift();
  }

  /** Newest first. */
  list(): readonly OtherCall[] {
    return this.#calls.toReversed();
  }
}
