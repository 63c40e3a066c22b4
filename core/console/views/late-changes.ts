/**
 * Remembers changes that the disk refused for now: views may have read old rows, so they are notified again once the changes are on disk.
 */
import type { Cancel, Clock } from '../../ports/clock.ts';

const POLL_INTERVAL_MS = 1000;
/** Maximum number of remembered messages; above it everything is read again. */
const MAX_REMEMBERED = 50_000;

export interface LateChangesDependencies {
  readonly clock: Clock;
  /** Resolves true when the journal has all earlier changes; false as soon as it refuses them for now. */
  readonly caughtUp: () => Promise<boolean>;
  /** Called when the journal has these changes; undefined: any message may have changed. */
  readonly again: (touched: readonly number[] | undefined) => void;
}

export class LateChanges {
  readonly #deps: LateChangesDependencies;
  readonly #touched = new Set<number>();
  #isAll = false;
  #timer: Cancel | undefined;
  #isClosed = false;

  constructor(deps: LateChangesDependencies) {
    this.#deps = deps;
  }

  /** Notes messages that have just changed. */
  async note(touched: readonly number[]): Promise<void> {
    if (await this.#deps.caughtUp()) return;
    for (const number of touched) this.#touched.add(number);
    if (this.#touched.size > MAX_REMEMBERED) this.#forgetWhich();
    this.#lookLater();
  }

  /** Called when a list begins to read: any message may have changed before. */
  async noteAll(): Promise<void> {
    if (await this.#deps.caughtUp()) return;
    this.#forgetWhich();
    this.#lookLater();
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.();
  }

  #forgetWhich(): void {
    this.#isAll = true;
    this.#touched.clear();
  }

  #lookLater(): void {
    const { clock } = this.#deps;
    if (this.#isClosed) return;
    this.#timer ??= clock.at(clock.now() + POLL_INTERVAL_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const isWhole = await this.#deps.caughtUp();
    this.#timer = undefined;
    if (this.#isClosed) return;
    if (!isWhole) {
      this.#lookLater();
      return;
    }
    const touched = this.#isAll ? undefined : [...this.#touched];
    this.#isAll = false;
    this.#touched.clear();
    this.#deps.again(touched);
  }
}
