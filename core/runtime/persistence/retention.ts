/** Keeps the history within its limits, a slice at a time, in the background. */
import { errorText } from '../../contract/error-text.ts';
import { LoggedReasons } from '../../domain/logged-reasons.ts';
import type { SharedServices } from '../common-services.ts';
import { Waits } from '../time/waits.ts';

const EVERY_MS = 1000;
/** Pause under load, when more than one slice per second arrives. */
const SOON_MS = 10;
const SLICE = 500;
const DAY_MS = 86_400_000;

export class Retention {
  readonly #shared: SharedServices;
  readonly #waits: Waits;
  /** Why the removal failed, which is tried every second. */
  readonly #reasons = new LoggedReasons();
  #running: Promise<void> = Promise.resolve();

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#waits = new Waits(shared.clock);
  }

  start(): void {
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#waits.end();
    await this.#running;
  }

  async #follow(): Promise<void> {
    let full = false;
    for (;;) {
      await this.#waits.wait(full ? SOON_MS : EVERY_MS);
      if (this.#waits.ended) return;
      full = await this.#prune();
    }
  }

  /**
   * Removes one slice.
   * @returns true: there may be more to remove
   */
  async #prune(): Promise<boolean> {
    const { journal, settings, clock, events, log, metrics, live } = this.#shared;
    try {
      const days = settings.current['storage.maxDays'];
      const keep = {
        maxMessages: settings.current['storage.maxMessages'],
        maxBytes: settings.current['storage.maxBytes'],
        olderThanMs: days === 0 ? 0 : clock.now() - days * DAY_MS,
      };
      const { removed, beforeNumber, gone } = await live.historyRemoval.run((spared) =>
        journal.prune({ ...keep, spared }, clock.now(), SLICE),
      );
      this.#reasons.over();
      metrics.pruned(gone);
      if (removed > 0) events.add({ type: 'messages.pruned', beforeSequence: beforeNumber, count: removed });
      return removed >= SLICE;
    } catch (error) {
      const reason = errorText(error);
      if (this.#reasons.isNew(reason))
        log.write('error', 'journal', `Sidelight could not remove old messages: ${reason}`);
      return false;
    }
  }
}
