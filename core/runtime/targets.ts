/** Which deliveries an act is meant for: one, several, those of a message, those of a filter; finished ones are read back. */
import type { DeliveryTarget } from '../contract/console.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { Refusal } from '../domain/refusal.ts';
import { liveFrom } from './from-journal.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import type { Shared } from './shared.ts';

const MOST_IDS = 500;
const SLICE = 500;

export interface Found {
  readonly deliveries: readonly LiveDelivery[];
  /** Messages that have no deliveries but a stage (held at publish). */
  readonly messages: readonly LiveMessage[];
  readonly unknown: readonly string[];
  /** A refusal of the one delivery that was named is thrown, not counted. */
  readonly single: boolean;
}

export class Targets {
  readonly #shared: Shared;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /**
   * @param states what the act applies to: of a filter only such deliveries are brought back to life
   * Throws Refusal INVALID_PARAMS (not exactly one member), NOT_FOUND, FILTER_SYNTAX.
   */
  async find(target: DeliveryTarget, states: ReadonlySet<DeliveryState>): Promise<Found> {
    const given = [target.deliveryId, target.deliveryIds, target.filter, target.messageId].filter(
      (one) => one !== undefined,
    );
    if (given.length !== 1) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'exactly one of deliveryId, deliveryIds, messageId and filter must be given' },
        { expected: 'deliveryId, deliveryIds, messageId or filter' },
      );
    }
    if (target.deliveryId !== undefined) {
      const d = await this.delivery(target.deliveryId);
      if (d === undefined)
        throw new Refusal(
          'NOT_FOUND',
          { reason: `There is no delivery ${target.deliveryId}.` },
          { field: 'deliveryId' },
        );
      return { deliveries: [d], messages: [], unknown: [], single: true };
    }
    if (target.messageId !== undefined) {
      const message = await this.message(target.messageId);
      if (message === undefined)
        throw new Refusal(
          'NOT_FOUND',
          { reason: `There is no message ${target.messageId}.` },
          { field: 'messageId' },
        );
      return {
        ...spread(message),
        unknown: [],
        single: message.deliveries.length + (message.row.stage === 'held' ? 1 : 0) === 1,
      };
    }
    if (target.deliveryIds !== undefined) return this.#several(target.deliveryIds);
    return this.#matching(target.filter ?? '', states);
  }

  /** A delivery, brought back to life from the journal when it has ended. */
  async delivery(deliveryId: string): Promise<LiveDelivery | undefined> {
    const live = this.#shared.live.delivery(deliveryId);
    if (live !== undefined) return live;
    const messageId = await this.#shared.journal.messageOfDelivery(deliveryId);
    if (messageId === undefined) return undefined;
    await this.message(messageId);
    return this.#shared.live.delivery(deliveryId);
  }

  async message(messageId: string): Promise<LiveMessage | undefined> {
    const live = this.#shared.live.message(messageId);
    if (live !== undefined) return live;
    const source = await this.#shared.journal.get(messageId);
    if (source === undefined) return undefined;
    // Somebody else may have brought it back while the journal was read.
    const again = this.#shared.live.message(messageId);
    if (again !== undefined) return again;
    const message = liveFrom({
      message: { ...source.message, row: { ...source.row, deliveries: [] } },
      published: true,
      deliveries: source.deliveries,
    });
    this.#shared.live.add(message);
    return message;
  }

  async #several(ids: readonly string[]): Promise<Found> {
    if (ids.length > MOST_IDS) {
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: `deliveryIds must have at most ${MOST_IDS} items, got ${ids.length}` },
        { field: 'deliveryIds', expected: `at most ${MOST_IDS}` },
      );
    }
    const deliveries: LiveDelivery[] = [];
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const d = await this.delivery(id);
      if (d === undefined) unknown.push(id);
      else deliveries.push(d);
    }
    return { deliveries, messages: [], unknown, single: false };
  }

  async #matching(text: string, states: ReadonlySet<DeliveryState>): Promise<Found> {
    const parsed = parseFilter(text);
    if (!parsed.ok)
      throw new Refusal(
        'FILTER_SYNTAX',
        { reason: parsed.error.message },
        { field: 'filter', data: { ...parsed.error } },
      );
    const { journal, clock } = this.#shared;
    const deliveries: LiveDelivery[] = [];
    const messages: LiveMessage[] = [];
    let after: number | undefined;
    do {
      const slice = await journal.scan({
        filter: parsed.filter,
        order: 'oldest',
        limit: SLICE,
        nowMs: clock.now(),
        ...(after === undefined ? {} : { after }),
      });
      for (const row of await journal.rows(slice.numbers)) {
        if (
          row === undefined ||
          !(row.stage === 'held' || row.deliveries.some(({ state }) => states.has(state)))
        )
          continue;
        const message = await this.message(row.messageId);
        if (message === undefined) continue;
        const parts = spread(message);
        deliveries.push(...parts.deliveries.filter((d) => d.state !== null && states.has(d.state)));
        messages.push(...parts.messages);
      }
      after = slice.next;
    } while (after !== undefined);
    return { deliveries, messages, unknown: [], single: false };
  }
}

function spread(message: LiveMessage): {
  deliveries: readonly LiveDelivery[];
  messages: readonly LiveMessage[];
} {
  return { deliveries: message.deliveries, messages: message.row.stage === 'held' ? [message] : [] };
}
