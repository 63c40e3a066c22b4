/** Counts the messages of problems again while they change: once a second, and never twice at the same time. */
import type { NotedEvent } from '../api.ts';
import type { SharedServices } from '../common-services.ts';

const COUNT_EVERY_MS = 1000;

interface Counting {
  /** Whether a message with this number is counted. */
  readonly knows: (number: number) => boolean;
  readonly count: () => Promise<void>;
}

export class Recount {
  readonly #shared: Pick<SharedServices, 'events' | 'timers' | 'clock'>;
  readonly #counting: Counting;
  /** Ends listening to changes of messages; undefined: none is counted. */
  #stopListening: (() => void) | undefined;
  #isDue = false;
  #isCounting = false;

  constructor(shared: Pick<SharedServices, 'events' | 'timers' | 'clock'>, counting: Counting) {
    this.#shared = shared;
    this.#counting = counting;
  }

  /** From now on changes of messages are counted. */
  listen(): void {
    this.#stopListening ??= this.#shared.events.onEvent((event) => this.#onEvent(event));
  }

  stopListening(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { timers, clock } = this.#shared;
    timers.at(clock.now() + COUNT_EVERY_MS, () => void this.#count());
  }

  #onEvent({ type, number = 0 }: NotedEvent): void {
    if (this.#isDue) return;
    // A message that was replayed, and one whose removal was undone, is told as an added one.
    const isOfOne = type === 'delivery.changed' || type === 'message.added';
    if (type === 'messages.pruned' || (isOfOne && this.#counting.knows(number))) this.soon();
  }

  /** One count at a time: the older of two could end last, and both would be news. */
  async #count(): Promise<void> {
    this.#isDue = false;
    if (this.#isCounting) {
      this.soon();
      return;
    }
    this.#isCounting = true;
    try {
      await this.#counting.count();
    } finally {
      this.#isCounting = false;
    }
  }
}
