/** Messages that a person removed: hidden at once, and deleted from the journal after ten seconds unless the person undoes it. */
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Filter } from '../../domain/filter/ast.ts';
import { mistakeIn } from '../../domain/filter/meant.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import { Refusal } from '../../domain/refusal.ts';
import { checkUpTo } from '../../domain/up-to.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import { removeMessages } from './removal.ts';
import type { SharedServices } from '../common-services.ts';

const UNDO_MS = 10_000;
const SLICE = 500;

/** A topic of a pub/sub component. */
export interface TopicName {
  readonly pubsubname: string;
  readonly topic: string;
}

/** Messages by their ids, or those that match a filter, with numbers up to a highest one. */
interface Chosen {
  readonly messageIds?: readonly string[];
  readonly filter?: string;
  readonly upTo?: number;
}

interface Emptied {
  readonly numbers: readonly number[];
  readonly cancel: () => void;
}

export class UndoableRemoval {
  readonly #shared: SharedServices;
  readonly #journal: HidingJournal;
  readonly #deliveries: Deliveries;
  readonly #waiting = new Map<string, Emptied>();
  /** Running removals; an orderly stop waits for them. */
  readonly #removing = new Set<Promise<void>>();

  constructor(shared: SharedServices, journal: HidingJournal, deliveries: Deliveries) {
    this.#shared = shared;
    this.#journal = journal;
    this.#deliveries = deliveries;
  }

  /**
   * Hides messages. Unknown ids are ignored.
   * Throws Refusal INVALID_PARAMS (not exactly one of both), FILTER_SYNTAX.
   */
  async remove(what: Chosen): Promise<{ removed: number; undoToken: string }> {
    return this.hide(await numbersOf(this.#shared, what));
  }

  /**
   * Removes messages for good, without undo; resolves with their number. Unknown ids are ignored.
   * @param topics those of the messages: the ones without any other message are forgotten
   */
  async removeAtOnce(messageIds: readonly string[], topics: readonly TopicName[] = []): Promise<number> {
    const removed = await this.#removeNow(messageIds, false);
    for (const { pubsubname, topic } of topics) this.#shared.metrics.forgetUnused(pubsubname, topic);
    return removed.length;
  }

  /** Hides messages by number. Messages that are already hidden do not count. */
  hide(numbers: readonly number[]): { removed: number; undoToken: string } {
    this.#shared.expected.clear();
    const hidden = this.#journal.hide(numbers);
    const undoToken = `undo_${this.#shared.ids.hex(8)}`;
    const { clock, events, timers } = this.#shared;
    if (hidden.length > 0) events.add({ type: 'messages.pruned', beforeSequence: 0, count: hidden.length });
    const cancel = timers.at(clock.now() + UNDO_MS, () => this.#empty(undoToken));
    this.#waiting.set(undoToken, { numbers: hidden, cancel });
    return { removed: hidden.length, undoToken };
  }

  /** Undoes a removal. Throws Refusal NOT_FOUND when it is too late. */
  async undo(token: string): Promise<{ restored: number }> {
    const emptied = this.#waiting.get(token);
    if (emptied === undefined) {
      throw new Refusal(
        'NOT_FOUND',
        { reason: 'The messages are already removed; this can no longer be undone.' },
        { field: 'token' },
      );
    }
    emptied.cancel();
    this.#waiting.delete(token);
    this.#journal.show(emptied.numbers);
    let restored = 0;
    for (let from = 0; from < emptied.numbers.length; from += SLICE) {
      for (const row of await this.#journal.rows(emptied.numbers.slice(from, from + SLICE))) {
        if (row === undefined) continue;
        restored += 1;
        this.#shared.events.addRow(row.number, () => row);
      }
    }
    return { restored };
  }

  /** Removes at once all messages that could still be restored, when the program ends. */
  async close(): Promise<void> {
    for (const token of [...this.#waiting.keys()]) this.#empty(token);
    await Promise.all(this.#removing);
  }

  #empty(token: string): void {
    const emptied = this.#waiting.get(token);
    if (emptied === undefined) return;
    emptied.cancel();
    this.#waiting.delete(token);
    const removing: Promise<void> = this.#reallyRemove(emptied.numbers).finally(() =>
      this.#removing.delete(removing),
    );
    this.#removing.add(removing);
  }

  async #reallyRemove(numbers: readonly number[]): Promise<void> {
    try {
      for (let from = 0; from < numbers.length; from += SLICE) {
        const slice = numbers.slice(from, from + SLICE);
        const rows = await this.#journal.hiddenRows(slice);
        const ids = rows.flatMap((row) => (row === undefined ? [] : [row.messageId]));
        const removed = new Set(await this.#removeNow(ids, true));
        // The history itself has removed the others meanwhile.
        this.#journal.show(slice.filter((number) => !removed.has(number)));
        this.#shared.signals.emit('removed', slice);
      }
    } catch (error) {
      // The messages stay hidden: a failure must not restore what a person removed.
      const reason = errorText(error);
      this.#shared.log.write('error', 'journal', `Removing messages failed: ${reason}`);
    }
  }

  #removeNow(messageIds: readonly string[], areHidden: boolean): Promise<readonly number[]> {
    const of = { deliveries: this.#deliveries, hiding: this.#journal, areHidden };
    return removeMessages(this.#shared, messageIds, of);
  }
}

/** Numbers of the target messages, oldest first. Throws Refusal INVALID_PARAMS (not exactly one member), FILTER_SYNTAX. */
export async function numbersOf(
  { journal, clock }: Pick<SharedServices, 'journal' | 'clock'>,
  { messageIds, filter, upTo }: Chosen,
): Promise<readonly number[]> {
  if ((messageIds === undefined) === (filter === undefined)) {
    const expected = 'exactly one of messageIds and filter';
    throw new Refusal(
      'INVALID_PARAMS',
      { reason: `Expected ${expected}, got ${messageIds === undefined ? 'none' : 'both'}` },
      { field: messageIds === undefined ? 'messageIds' : 'filter', expected },
    );
  }
  checkUpTo({ filter, upTo });
  if (messageIds !== undefined) {
    const numbers = new Set<number>();
    for (const messageId of new Set(messageIds)) {
      const found = await journal.get(messageId);
      if (found !== undefined) numbers.add(found.row.number);
    }
    return [...numbers].toSorted((a, b) => a - b);
  }
  const parsed = parseFilter(filter ?? '');
  if (!parsed.ok) {
    const mistake = mistakeIn(filter ?? '', parsed.error);
    throw new Refusal(
      'FILTER_SYNTAX',
      { reason: mistake.message },
      { field: 'filter', data: { ...mistake } },
    );
  }
  return matching(journal, parsed.filter, { nowMs: clock.now(), upTo });
}

/** Messages that match now; those accepted meanwhile are not part of it. */
async function matching(
  journal: SharedServices['journal'],
  filter: Filter,
  { nowMs, upTo = Infinity }: { readonly nowMs: number; readonly upTo: number | undefined },
): Promise<readonly number[]> {
  const last = Math.min(upTo, (await journal.stats()).lastNumber);
  const numbers: number[] = [];
  let after: number | undefined;
  do {
    const slice = await journal.scan({
      filter,
      order: 'oldest',
      limit: SLICE,
      nowMs,
      ...withoutUndefined({ after }),
    });
    for (const number of slice.numbers) if (number <= last) numbers.push(number);
    after = slice.next !== undefined && slice.next < last ? slice.next : undefined;
  } while (after !== undefined);
  return numbers;
}
