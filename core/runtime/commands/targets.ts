/** Finds the deliveries of an act: one, several, those of a message, those of a filter. Loads finished ones from the journal. */
import type { DeliveryTarget } from '../../contract/console.ts';
import type { DeliveryState } from '../../contract/delivery.ts';
import type { DeliveryRow, MessageRow } from '../../contract/message.ts';
import { MAX_ACT_IDS } from '../../contract/page-bounds.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { hasEnded } from '../../domain/delivery-end.ts';
import { mistakeIn } from '../../domain/filter/meant.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { noMessage } from '../../domain/no-message.ts';
import { Refusal } from '../../domain/refusal.ts';
import { liveFrom } from '../state/from-journal.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { noDelivery } from '../state/not-found.ts';

const SLICE = 500;

/** A slice of a target, on which an act runs at the same time. */
export interface Found {
  readonly deliveries: readonly LiveDelivery[];
  /** Messages that are held before they have deliveries. */
  readonly messages: readonly LiveMessage[];
  /** Messages that a person dropped before they had deliveries. */
  readonly droppedBefore: readonly Pick<MessageRow, 'messageId'>[];
  readonly unknown: readonly string[];
  /** Deliveries of matching messages to which the act does not apply; `tap`: a tap observes them. */
  readonly others: readonly Other[];
  /** True if one delivery was named: its refusal is thrown, not counted. */
  readonly single: boolean;
  /** Every message of this slice. Each is kept in memory until `release`. */
  readonly touched: readonly LiveMessage[];
}

interface Other extends Pick<DeliveryRow, 'deliveryId' | 'state'> {
  readonly tap: string | undefined;
}

export class Targets {
  readonly #shared: SharedServices;

  constructor(shared: SharedServices) {
    this.#shared = shared;
  }

  /**
   * The target in slices, so that a filter over the whole history needs no more memory than one slice.
   * @param states states to which the act applies: of a filter's deliveries only these are loaded
   * @throws Refusal INVALID_PARAMS (not exactly one member), NOT_FOUND, FILTER_SYNTAX
   */
  async *find(target: DeliveryTarget, states: ReadonlySet<DeliveryState>): AsyncGenerator<Found> {
    const { deliveryId, deliveryIds, messageId, filter, upTo } = target;
    const given = [deliveryId, deliveryIds, filter, messageId].filter((one) => one !== undefined);
    if (given.length !== 1) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'exactly one of deliveryId, deliveryIds, messageId and filter must be given' },
        { expected: 'deliveryId, deliveryIds, messageId or filter' },
      );
    }
    if (deliveryId !== undefined) yield await this.#one(deliveryId);
    else if (messageId !== undefined) yield await this.#ofMessage(messageId);
    else if (deliveryIds !== undefined) yield await this.#several(deliveryIds);
    else yield* this.#matching({ text: filter ?? '', upTo }, states);
  }

  async #one(deliveryId: string): Promise<Found> {
    const d = await this.delivery(deliveryId);
    if (d === undefined) throw noDelivery(deliveryId);
    return { ...NOTHING, deliveries: [d], single: true, touched: [d.message] };
  }

  async #ofMessage(messageId: string): Promise<Found> {
    const message = await this.message(messageId);
    if (message === undefined) throw noMessage(messageId);
    const messages = isHeld(message) ? [message] : [];
    const { deliveries } = message;
    const droppedBefore = isDroppedBefore(message.row) ? [message] : [];
    const single = deliveries.length + messages.length + droppedBefore.length === 1;
    return { ...NOTHING, deliveries: [...deliveries], messages, droppedBefore, single, touched: [message] };
  }

  /** A delivery, loaded from the journal if it has ended. Its message is kept in memory until `release`. */
  async delivery(deliveryId: string): Promise<LiveDelivery | undefined> {
    const { live, journal } = this.#shared;
    const known = live.delivery(deliveryId);
    const messageId = known?.message.messageId ?? (await journal.messageOfDelivery(deliveryId));
    const message = messageId === undefined ? undefined : await this.message(messageId);
    if (message === undefined) return undefined;
    const d = message.deliveries.find((one) => one.deliveryId === deliveryId);
    if (d === undefined) this.release(message);
    return d;
  }

  /** A message, loaded from the journal if it has ended. It is kept in memory until `release`. */
  message(messageId: string): Promise<LiveMessage | undefined> {
    return this.#brought(messageId, (message) => this.#shared.live.retain(message));
  }

  /** As `message`, without keeping it in memory: for callers whose next step keeps it. */
  load(messageId: string): Promise<LiveMessage | undefined> {
    return this.#brought(messageId, () => undefined);
  }

  /**
   * A message of the memory, if the history still has it; otherwise it leaves the memory too. A message without deliveries may wait in memory
   * while the history removes it.
   */
  stillKept(message: LiveMessage): MaybePromise<LiveMessage | undefined> {
    const { deliveries, unwrittenRecords, row } = message;
    if (deliveries.length > 0 || unwrittenRecords > 0) return message;
    const { historyRemoval } = this.#shared.live;
    // The end of a removal says how far it reached, which saves a read of the history for each newer message.
    if (historyRemoval.isRunning) return historyRemoval.over().then(() => this.stillKept(message));
    if (!historyRemoval.mayLack(row.number)) return message;
    return this.#isKept(message).then((isKept) => (isKept ? message : undefined));
  }

  /** Ends the caller's use of a message. */
  release(message: LiveMessage): void {
    this.#shared.live.release(message);
  }

  /** @param found called while the message is certain to be in memory */
  async #brought(messageId: string, found: (message: LiveMessage) => void): Promise<LiveMessage | undefined> {
    const { live, journal, codec } = this.#shared;
    const removals = live.historyRemoval.begun;
    let message = live.message(messageId);
    if (message === undefined) {
      const source = await journal.get(messageId);
      if (source === undefined) return undefined;
      // Another act may have loaded the message while the journal was read.
      message = live.message(messageId);
      if (message === undefined) {
        const whole = { ...source.message, row: { ...source.row, deliveries: [] } };
        message = liveFrom({ message: whole, published: true, deliveries: source.deliveries }, codec);
        live.add(message);
      }
    }
    if (live.historyRemoval.mayHaveTaken(removals) && !(await this.#isKept(message))) return undefined;
    found(message);
    return message;
  }

  /** Whether the history still has the message, after removals that began before it was marked as in use. */
  async #isKept(message: LiveMessage): Promise<boolean> {
    const { live, journal } = this.#shared;
    // Unfinished messages are never removed.
    if (!message.deliveries.every(hasEnded)) return true;
    // A record that is still to be written cannot have been removed.
    if (message.unwrittenRecords > 0) return true;
    message.beginUse();
    live.historyRemoval.noteUse(message);
    try {
      await live.historyRemoval.over();
      if ((await journal.get(message.messageId)) !== undefined) return true;
      live.remove(message);
      return false;
    } finally {
      message.endUse();
      live.historyRemoval.noteUse(message);
    }
  }

  async #several(ids: readonly string[]): Promise<Found> {
    if (ids.length > MAX_ACT_IDS) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `deliveryIds must have at most ${MAX_ACT_IDS} items, got ${ids.length}` },
        { field: 'deliveryIds', expected: `at most ${MAX_ACT_IDS}` },
      );
    }
    const deliveries: LiveDelivery[] = [];
    const touched: LiveMessage[] = [];
    const unknown: string[] = [];
    return this.#orLetGo(touched, async () => {
      for (const id of new Set(ids)) {
        const d = await this.delivery(id);
        if (d === undefined) unknown.push(id);
        else {
          deliveries.push(d);
          touched.push(d.message);
        }
      }
      return { ...NOTHING, deliveries, unknown, touched };
    });
  }

  /** Runs a search; if it fails, for example because the journal cannot be read, releases the messages found so far. */
  async #orLetGo(touched: readonly LiveMessage[], find: () => Promise<Found>): Promise<Found> {
    try {
      return await find();
    } catch (error) {
      for (const message of touched) this.release(message);
      throw error;
    }
  }

  /** Slices of a filter's messages. Messages accepted meanwhile (dead-letter copies, for example) are not part of it. */
  async *#matching(
    { text, upTo = Infinity }: { readonly text: string; readonly upTo: number | undefined },
    states: ReadonlySet<DeliveryState>,
  ): AsyncGenerator<Found> {
    const parsed = parseFilter(text);
    if (!parsed.ok) {
      const mistake = mistakeIn(text, parsed.error);
      throw new Refusal(
        'FILTER_SYNTAX',
        { reason: mistake.message },
        { field: 'filter', data: { ...mistake } },
      );
    }
    const { journal, clock } = this.#shared;
    const last = Math.min(upTo, (await journal.stats()).lastNumber);
    let after: number | undefined;
    do {
      const slice = await journal.scan({
        filter: parsed.filter,
        order: 'oldest',
        limit: SLICE,
        nowMs: clock.now(),
        ...withoutUndefined({ after }),
      });
      const numbers = slice.numbers.filter((number) => number <= last);
      yield await this.#slice(numbers, states);
      after = slice.next !== undefined && slice.next < last ? slice.next : undefined;
    } while (after !== undefined);
  }

  async #slice(numbers: readonly number[], states: ReadonlySet<DeliveryState>): Promise<Found> {
    const touched: LiveMessage[] = [];
    const others: Other[] = [];
    const droppedBefore: MessageRow[] = [];
    return this.#orLetGo(touched, async () => {
      for (const row of await this.#shared.journal.rows(numbers)) {
        if (row === undefined) continue;
        if (isDroppedBefore(row)) droppedBefore.push(row);
        if (row.stage !== 'held' && !row.deliveries.some(({ state }) => states.has(state))) {
          others.push(
            ...row.deliveries.map(({ deliveryId, state }) => ({ deliveryId, state, tap: row.tap })),
          );
          continue;
        }
        // One that has ended is loaded with all of its deliveries.
        const { live, turns } = this.#shared;
        const isLoaded = live.message(row.messageId) !== undefined;
        const room = isLoaded ? undefined : turns.room(row.deliveries.length);
        if (room !== undefined) await room;
        const message = await this.message(row.messageId);
        if (message !== undefined) touched.push(message);
      }
      const deliveries = touched
        .flatMap((message) => message.deliveries)
        .filter((d) => d.state !== null && states.has(d.state));
      return { ...NOTHING, deliveries, messages: touched.filter(isHeld), droppedBefore, others, touched };
    });
  }
}

const NOTHING: Found = {
  deliveries: [],
  messages: [],
  droppedBefore: [],
  unknown: [],
  others: [],
  single: false,
  touched: [],
};

function isDroppedBefore({ stage }: Pick<MessageRow, 'stage'>): boolean {
  return stage === 'dropped';
}

function isHeld({ row }: LiveMessage): boolean {
  return row.stage === 'held';
}
