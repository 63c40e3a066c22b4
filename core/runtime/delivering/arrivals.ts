/** Finds messages that a component delivers and that are not in memory: loads them from the journal, or takes them in, each once. */
import type { MessageRow } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import type { InboundMessage } from '../../ports/pubsub.ts';
import type { App, Lane } from '../state/app.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { Deliveries } from '../state/delivery.ts';
import { liveFrom } from '../state/from-journal.ts';
import type { LiveMessage } from '../state/live.ts';
import { wrappedFromWire } from '../publishing/from-wire.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { SharedServices } from '../common-services.ts';

export interface ArrivalDependencies {
  readonly journal: HidingJournal;
  readonly acceptance: Acceptance;
  readonly deliveries: Deliveries;
}

interface Found {
  /** undefined: the message no longer exists. */
  readonly row: MessageRow | undefined;
  /** undefined: a person has just removed the message, and may still undo that. */
  readonly message: LiveMessage | undefined;
}

export class Arrivals {
  readonly #shared: SharedServices;
  readonly #deps: ArrivalDependencies;
  readonly #underWay = new Map<string, Promise<Found>>();

  constructor(shared: SharedServices, deps: ArrivalDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** The message of a component's delivery, if it is in memory. */
  live(inbound: InboundMessage): LiveMessage | undefined {
    const { messageId } = inbound;
    const message = messageId === undefined ? undefined : this.#shared.live.message(messageId);
    return message !== undefined && isSame(message.row, inbound) ? message : undefined;
  }

  /**
   * The message of a component's delivery, kept in memory until `live.release`. Groups that get one entry of the broker share one message.
   * undefined: a person removed it, so no app gets it. Rejects with Refusal if it is new and the journal refuses it.
   */
  async find(app: App, lane: Lane, inbound: InboundMessage): Promise<LiveMessage | undefined> {
    const { messageId, brokerKey } = inbound;
    // A copied entry carries the id of another message: its own id is then derived from its broker key.
    for (const idOf of [() => messageId, () => brokerKey && `msg_${brokerKey()}`]) {
      const id = idOf();
      if (id === undefined) continue;
      const { row, message } = await this.#once(id, async () => {
        return (await this.#known(id)) ?? (await this.#new(app, lane, inbound, id));
      });
      if (row === undefined) return undefined;
      if (isSame(row, inbound)) return message;
      if (message !== undefined) this.#shared.live.release(message);
    }
    const { message } = await this.#new(app, lane, inbound, undefined);
    if (message !== undefined) this.#shared.live.retain(message);
    return message;
  }

  /** Takes in an unknown message. One that arrives without its bytes was published here and removed since, so nothing of it exists. */
  async #new(app: App, lane: Lane, inbound: InboundMessage, id: string | undefined): Promise<Found> {
    const { wire } = inbound;
    if (wire === undefined) return { row: undefined, message: undefined };
    return found(await this.#adopt(app, lane, { ...inbound, wire }, id));
  }

  async #once(id: string, find: () => Promise<Found>): Promise<Found> {
    for (;;) {
      const underWay = this.#underWay.get(id) ?? find().finally(() => this.#underWay.delete(id));
      this.#underWay.set(id, underWay);
      const one = await underWay;
      if (one.message === undefined) return one;
      // Another delivery of the same message may have ended it already.
      if (this.#shared.live.message(id) !== one.message) continue;
      this.#shared.live.retain(one.message);
      return one;
    }
  }

  async #known(id: string): Promise<Found | undefined> {
    const { live } = this.#shared;
    const { journal } = this.#deps;
    const before = live.message(id);
    if (before !== undefined) return found(before);
    // A message that is hidden before its removal counts too: its id and number stay in use as long as it can be restored.
    const source = await journal.whole.get(id);
    // Another caller may have loaded the message while the journal was read.
    const now = live.message(id);
    if (now !== undefined) return found(now);
    if (source === undefined) return undefined;
    if (journal.isHidden(source.row.number)) return { row: source.row, message: undefined };
    const whole = { ...source.message, row: { ...source.row, deliveries: [] } };
    const message = liveFrom(
      { message: whole, published: true, deliveries: source.deliveries },
      this.#shared.codec,
    );
    live.add(message);
    // The component refused the message, for example because its answer was late, but has it anyway.
    if (message.row.stage === 'refused')
      void this.#deps.deliveries.patchMessage(message, { stage: undefined });
    return found(message);
  }

  #adopt(
    app: App,
    lane: Lane,
    inbound: InboundMessage & { readonly wire: Wire },
    id: string | undefined,
  ): Promise<LiveMessage> {
    const { wire, topic, metadata, broker } = inbound;
    const flag = flagOf(inbound.messageId, id);
    return this.#deps.acceptance.adopt({
      appId: app.appId,
      pubsubname: lane.key.pubsubname,
      topic,
      source: 'elsewhere',
      wrapped: wrappedFromWire(wire, [flag], this.#shared.codec),
      givenContentType: '',
      metadata,
      ...(id === undefined ? {} : { messageId: id }),
      ...(broker === undefined ? {} : { broker }),
    });
  }
}

/**
 * Why a message that arrives is new here.
 * @param carried id that the entry carries; undefined: none of ours
 * @param id that the message gets
 */
function flagOf(carried: string | undefined, id: string | undefined): string {
  if (carried === undefined) return 'Put into the broker by someone else.';
  if (carried === id)
    return 'Published by a Sidelight that keeps another history, or removed from this one since.';
  return 'The broker has a second copy of a message of this history: someone copied it there, or Sidelight ended before the broker answered and published it again.';
}

function found(message: LiveMessage): Found {
  return { row: message.row, message };
}

/** Whether the entry is the message's own; false: it carries the id of another message. The first delivery by the broker decides. */
function isSame(row: MessageRow, { topic, broker }: Pick<InboundMessage, 'topic' | 'broker'>): boolean {
  if (row.topic !== topic) return false;
  return row.broker === undefined || broker === undefined || row.broker['id'] === broker['id'];
}
