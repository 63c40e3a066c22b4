/** Tells clients that the number in a problem of an app has changed: at once if it is new, then once a second, however fast it grows. */
import type { SharedServices } from '../common-services.ts';

const EVERY_MS = 1000;

export class ProblemNews {
  readonly #shared: Pick<SharedServices, 'events' | 'timers' | 'clock'>;
  /** Apps whose next notice waits for its time. */
  readonly #due = new Set<string>();

  constructor(shared: Pick<SharedServices, 'events' | 'timers' | 'clock'>) {
    this.#shared = shared;
  }

  /** A problem has begun or ended. */
  now(appId: string): void {
    this.#shared.events.add({ type: 'topology.changed', appId });
  }

  /** The number in a problem has changed. */
  soon(appId: string): void {
    const { timers, clock } = this.#shared;
    if (this.#due.has(appId)) return;
    this.#due.add(appId);
    timers.at(clock.now() + EVERY_MS, () => {
      this.#due.delete(appId);
      this.now(appId);
    });
  }
}
