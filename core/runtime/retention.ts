/** Keeps the history within its limits, a slice at a time, in the background. */
import type { Shared } from './shared.ts';

const EVERY_MS = 1000;
const SLICE = 500;
const DAY_MS = 86_400_000;

export class Retention {
  readonly #shared: Shared;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  start(): void {
    this.#later(EVERY_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  #later(ms: number): void {
    const { clock } = this.#shared;
    clock.at(clock.now() + ms, () => {
      if (this.#stopped) return;
      this.#running = this.#prune();
    });
  }

  async #prune(): Promise<void> {
    const { journal, settings, clock, recorder, log } = this.#shared;
    let full = false;
    try {
      const days = settings.current['storage.maxDays'];
      const { removed, beforeNumber } = await journal.prune(
        {
          maxMessages: settings.current['storage.maxMessages'],
          maxBytes: settings.current['storage.maxBytes'],
          olderThanMs: days === 0 ? 0 : clock.now() - days * DAY_MS,
        },
        clock.now(),
        SLICE,
      );
      full = removed >= SLICE;
      if (removed > 0)
        recorder.add({ type: 'messages.pruned', beforeSequence: beforeNumber, count: removed });
    } catch (error) {
      log.write(
        'error',
        'journal',
        `Old messages could not be removed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    // Under load more arrives than one slice per second: then the next slice follows soon.
    if (!this.#stopped) this.#later(full ? 10 : EVERY_MS);
  }
}
