/** Messages of one place (a topic, a route) that a problem counts until they are sent again or removed. */
import { parseFilter } from '../../domain/filter/parse.ts';
import type { SharedServices } from '../common-services.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { LiveMessage } from '../state/live.ts';

/** Places of which the messages are known. */
export const MAX_PLACES = 20;

/** Messages of a place that are counted: the newest, because the history loses the oldest first. */
const MAX_COUNTED = 1000;

export type Hiding = Pick<HidingJournal, 'isHidden'>;

export class CountedMessages {
  /** Ids by number, oldest first. */
  readonly #ids = new Map<number, string>();
  /** Numbers of those that matched when they were counted last. */
  #left = new Set<number>();
  /** The newest message that had no room; undefined: all had. */
  #older: number | undefined;
  /** Whether that one matched when they were counted last. */
  #hasMore = false;
  /** How often they were counted. */
  #counts = 0;

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** How many matched when they were counted last. */
  get count(): number {
    return this.#left.size;
  }

  /** Whether there are older ones beside those that are counted. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  has(number: number): boolean {
    return this.#ids.has(number) || number === this.#older;
  }

  add({ row: { number }, messageId }: LiveMessage): void {
    if (this.#ids.has(number)) return;
    this.#ids.set(number, messageId);
    if (this.#ids.size <= MAX_COUNTED) return;
    const [oldest = number] = this.#ids.keys();
    this.forget([oldest]);
    this.#older = oldest;
  }

  forget(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#ids.delete(number);
      this.#left.delete(number);
      if (number === this.#older) this.#older = undefined;
    }
  }

  /** Called when none of them can be sent now. */
  clearCount(): void {
    this.#left = new Set();
  }

  /** Counts those that match a filter, and forgets the others. Throws what the journal throws. */
  async recount(
    filter: string,
    { journal, clock, live }: Pick<SharedServices, 'journal' | 'clock' | 'live'>,
    hiding: Hiding,
  ): Promise<void> {
    const parsed = parseFilter(filter);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const numbers = [...this.#ids.keys()];
    // A message in memory may have records that the journal does not have yet.
    const written = numbers.filter((number) => live.message(this.#ids.get(number) ?? '') === undefined);
    // A person may still undo the removal of those that are hidden, also while the journal answers.
    const hidden = new Set(written.filter((number) => hiding.isHidden(number)));
    const older = this.#older;
    const asked = older === undefined ? numbers : [...numbers, older];
    const count = ++this.#counts;
    const left = await journal.test(asked, parsed.filter, clock.now());
    // A newer count has begun meanwhile.
    if (count !== this.#counts) return;
    this.#hasMore = older !== undefined && left.has(older);
    // What was removed or made room meanwhile is counted no longer.
    this.#left = new Set(numbers.filter((number) => left.has(number) && this.#ids.has(number)));
    this.forget(
      written.filter((number) => !left.has(number) && !hidden.has(number) && !hiding.isHidden(number)),
    );
  }
}
