/** Messages of one place (a topic, a route) that a problem counts until they are sent again or removed. */
import type { Filter } from '../../domain/filter/ast.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import type { ScanSlice } from '../../ports/journal.ts';
import type { SharedServices } from '../common-services.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { LiveMessage } from '../state/live.ts';

/** Places of which the messages are known. */
export const MAX_PLACES = 20;

/** Messages of a place that are counted: the newest, because the history loses the oldest first. */
const MAX_COUNTED = 1000;
/** Messages that are asked for at a time, at least: most of them may be known. */
const MIN_SCANNED = 100;

export type Hiding = Pick<HidingJournal, 'isHidden' | 'hidesAny'>;

/** What a count needs. */
type Counting = Pick<SharedServices, 'journal' | 'clock' | 'live'> & { readonly hiding: Hiding };

/** Older messages that were found. */
interface Further {
  /** Number and id of each, oldest first. */
  readonly found: readonly (readonly [number, string])[];
  /** The next one, for which there was no room; undefined: there is none. */
  readonly next: number | undefined;
}

export class CountedMessages {
  /** Ids by number, oldest first. */
  readonly #ids = new Map<number, string>();
  /** Numbers of those that matched when they were counted last. */
  #left = new Set<number>();
  /**
   * Number from which older ones are looked for: that of the newest message that had no room, also once it is gone, or that may come back.
   * undefined: all had room.
   */
  #older: number | undefined;
  /** The first message of the place. */
  #first = Infinity;
  /** Whether that one matched when they were counted last. */
  #hasMore = false;
  /** How often they were counted. */
  #counts = 0;

  get isEmpty(): boolean {
    return this.#ids.size === 0 && this.#older === undefined;
  }

  /** How many matched when they were counted last. */
  get count(): number {
    return this.#left.size;
  }

  /** Whether there are older ones beside those that are counted. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether all that were counted are done, and older ones have to be looked for. */
  get isUsedUp(): boolean {
    return this.#left.size === 0 && this.#older !== undefined;
  }

  /** Whether a message is one of these, or may be an older one of the place. */
  has(number: number): boolean {
    return this.#ids.has(number) || (number >= this.#first && number <= (this.#older ?? -1));
  }

  add({ row: { number }, messageId }: LiveMessage): void {
    if (this.#ids.has(number)) return;
    this.#ids.set(number, messageId);
    this.#first = Math.min(this.#first, number);
    if (this.#ids.size <= MAX_COUNTED) return;
    const [oldest = number] = this.#ids.keys();
    this.forget([oldest]);
    this.#older = Math.max(oldest, this.#older ?? 0);
  }

  forget(numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#ids.delete(number);
      this.#left.delete(number);
    }
  }

  /** Called when none of them can be sent now. */
  clearCount(): void {
    this.#left = new Set();
  }

  /**
   * Counts those that match a filter, and forgets the others, whose place older ones take. Throws what the journal throws.
   * @param ofPlace filter that finds messages of this place alone
   */
  async recount(filter: string, ofPlace: string, { journal, clock, live, hiding }: Counting): Promise<void> {
    const numbers = [...this.#ids.keys()];
    // A message in memory may have records that the journal does not have yet.
    const written = numbers.filter((number) => live.message(this.#ids.get(number) ?? '') === undefined);
    // A person may still undo the removal of those that are hidden, also while the journal answers.
    const hidden = new Set(written.filter((number) => hiding.isHidden(number)));
    const older = this.#older;
    const asked = older === undefined ? numbers : [...numbers, older];
    const count = ++this.#counts;
    const left = await journal.test(asked, filterOf(filter), clock.now());
    const matching = numbers.filter((number) => left.has(number));
    const isFull = matching.length >= MAX_COUNTED;
    const isKnown = older === undefined || (isFull && left.has(older));
    const room = Math.max(0, MAX_COUNTED - matching.length);
    const further = isKnown
      ? undefined
      : await this.#further(filterOf(ofPlace), { from: older, room }, { journal, clock });
    // A newer count has begun meanwhile.
    if (count !== this.#counts) return;
    this.#hasMore = further === undefined ? older !== undefined : further.next !== undefined;
    if (further !== undefined && older === this.#older) this.#merge(further, hiding);
    // What was removed or made room meanwhile is counted no longer.
    const all = [...(further?.found ?? []).map(([number]) => number), ...matching];
    this.#left = new Set(all.filter((number) => this.#ids.has(number)));
    this.#trim();
    this.forget(
      written.filter((number) => !left.has(number) && !hidden.has(number) && !hiding.isHidden(number)),
    );
  }

  /** Takes in older messages. */
  #merge({ found, next }: Further, hiding: Hiding): void {
    // Hidden messages in between may come back, and are looked for again until they are gone.
    const mayComeBack = this.#older !== undefined && hiding.hidesAny(next ?? this.#first, this.#older);
    if (!mayComeBack) this.#older = next;
    const all = [...found, ...this.#ids].toSorted(([a], [b]) => a - b);
    this.#ids.clear();
    for (const [number, id] of all) this.#ids.set(number, id);
  }

  /** Makes those that came back beyond the maximum older ones again. */
  #trim(): void {
    const over = this.#left.size - MAX_COUNTED;
    if (over <= 0) return;
    const oldest = [...this.#left].toSorted((a, b) => a - b).slice(0, over);
    this.forget(oldest);
    this.#older = Math.max(this.#older ?? 0, ...oldest.slice(-1));
    this.#hasMore = true;
  }

  /** Older messages that match, as many as there is room for, oldest first, and the number of the next one. */
  async #further(
    filter: Filter,
    { from, room }: { readonly from: number; readonly room: number },
    { journal, clock }: Pick<Counting, 'journal' | 'clock'>,
  ): Promise<Further> {
    const numbers: number[] = [];
    let after: number | undefined = from + 1;
    while (after !== undefined && after > this.#first && numbers.length <= room) {
      const query = {
        filter,
        order: 'newest',
        after,
        limit: Math.max(room + 1, MIN_SCANNED),
        nowMs: clock.now(),
      } as const;
      const slice: ScanSlice = await journal.scan(query);
      numbers.push(...slice.numbers.filter((number) => number >= this.#first && !this.#ids.has(number)));
      after = slice.next;
    }
    const rows = room === 0 ? [] : await journal.rows(numbers.slice(0, room));
    const found = rows.flatMap((row) => (row === undefined ? [] : [[row.number, row.messageId] as const]));
    return { found: found.toReversed(), next: numbers[room] };
  }
}

function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.filter;
}
