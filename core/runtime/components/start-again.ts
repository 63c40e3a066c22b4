/** Times at which a component that failed to start is started again: growing pauses, as long as it is loaded. */
import { backoffMs } from '../../domain/backoff.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { SharedServices } from '../common-services.ts';

const FIRST_MS = 1_000;
const MAX_MS = 30_000;

export class StartAgain<T> {
  readonly #shared: SharedServices;
  readonly #armed = new Map<T, Cancel>();
  readonly #onDue: (one: T) => void;

  /** @param onDue called once for each one whose next start is due */
  constructor(shared: SharedServices, onDue: (one: T) => void) {
    this.#shared = shared;
    this.#onDue = onDue;
  }

  /**
   * Plans the next start.
   * @param failures number of failed starts, from 1
   * @returns time of the next start, ms since 1970
   */
  arm(one: T, failures: number): number {
    const { clock } = this.#shared;
    const dueMs = clock.now() + backoffMs(failures, FIRST_MS, MAX_MS);
    this.cancel(one);
    const cancel = clock.at(dueMs, () => {
      this.#armed.delete(one);
      this.#onDue(one);
    });
    this.#armed.set(one, cancel);
    return dueMs;
  }

  cancel(one: T): void {
    this.#armed.get(one)?.();
    this.#armed.delete(one);
  }
}
