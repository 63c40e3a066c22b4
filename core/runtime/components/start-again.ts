/** When a component that could not be started is tried again: growing pauses, for as long as it is loaded. */
import { backoffMs } from '../../domain/backoff.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { Shared } from '../common.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class StartAgain<T> {
  readonly #shared: Shared;
  readonly #armed = new Map<T, Cancel>();
  /** Called once for each component whose next start is due. */
  onDue: (one: T) => void = () => undefined;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** @param failures starts that failed so far, from 1. Gives the moment of the next one, ms since 1970. */
  arm(one: T, failures: number): number {
    const { clock } = this.#shared;
    const dueMs = clock.now() + backoffMs(failures, FIRST_MS, LONGEST_MS);
    this.cancel(one);
    const cancel = clock.at(dueMs, () => {
      this.#armed.delete(one);
      this.onDue(one);
    });
    this.#armed.set(one, cancel);
    return dueMs;
  }

  cancel(one: T): void {
    this.#armed.get(one)?.();
    this.#armed.delete(one);
  }
}
