/** Subscriptions that a ready component has refused: each is repeated with growing pauses, whatever the reason. */
import { StartAgain } from '../components/start-again.ts';
import type { SharedServices } from '../common-services.ts';

interface Known {
  readonly tries: number;
  readonly reason: string;
  readonly again: () => void;
}

/** A refused subscription as the console shows it. */
export interface RefusedTry {
  readonly tries: number;
  /** ms since 1970. */
  readonly nextTryMs: number;
  /** Whether the reason differs from that of the last attempt. */
  readonly isNews: boolean;
}

export class RefusedSubscriptions {
  readonly #again: StartAgain<string>;
  readonly #known = new Map<string, Known>();

  constructor(shared: SharedServices) {
    this.#again = new StartAgain(shared, (name) => this.#known.get(name)?.again());
  }

  /**
   * @param name name of the lane
   * @param again called once when the next attempt is due, unless the subscription is forgotten before
   */
  refused(name: string, reason: string, again: () => void): RefusedTry {
    const before = this.#known.get(name);
    const tries = (before?.tries ?? 0) + 1;
    this.#known.set(name, { tries, reason, again });
    return { tries, nextTryMs: this.#again.arm(name, tries), isNews: before?.reason !== reason };
  }

  /** Forgets subscriptions that were accepted, have ended, or start over. */
  forget(names: Iterable<string>): void {
    for (const name of names) {
      this.#again.cancel(name);
      this.#known.delete(name);
    }
  }
}
