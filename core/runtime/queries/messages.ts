/** One message in full, and the messages that are held. */
import type { Delivery, DeliveryTurn, MessageDetail } from '../../contract/message.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { SharedServices } from '../common-services.ts';
import { turnAfterQueue } from '../delivering/queue-reason.ts';
import type { Intake } from '../delivering/intake.ts';
import type { PublishAgain } from '../lifecycle/publish-again.ts';
import type { App } from '../state/app.ts';
import { laneKey, laneName } from '../state/live.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import type { MessageDetailSource } from '../../ports/journal.ts';
import type { Policies } from '../state/policies.ts';
import { detailOf } from './detail.ts';
import { heldQueue } from './held-queue.ts';
import type { HeldQueue } from './held-queue.ts';
import { noMessage } from '../../domain/no-message.ts';

export interface MessagesDependencies {
  readonly policies: Policies;
  readonly intake: Pick<Intake, 'rulesAhead'>;
  readonly publishAgain: Pick<PublishAgain, 'waitOf'>;
  readonly app: (appId: string) => App | undefined;
}

/** Reads of a message that goes on while it is read. */
const MAX_READS = 3;

interface ReadMessage {
  readonly source: MessageDetailSource | undefined;
  readonly live: LiveMessage | undefined;
}

/** Whether the journal has all that the memory has of a message. */
function hasCaughtUp(source: MessageDetailSource | undefined, live: LiveMessage): boolean {
  const stored = new Map(source?.deliveries.map(({ delivery }) => [delivery.deliveryId, delivery]));
  return live.deliveries.every(({ deliveryId, state, attemptCount }) => {
    const one = stored.get(deliveryId);
    return state === null || (one?.state === state && one.attemptCount === attemptCount);
  });
}

export class Messages {
  readonly #shared: SharedServices;
  readonly #deps: MessagesDependencies;

  constructor(shared: SharedServices, deps: MessagesDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** Throws Refusal NOT_FOUND. */
  async detail(messageId: string): Promise<MessageDetail> {
    const { source, live } = await this.#read(messageId);
    if (source === undefined) throw noMessage(messageId);
    const detail = detailOf(source, this.#shared, live);
    // The observed sidecar has a policy of its own, which is unknown here.
    if (detail.tap !== undefined) return detail;
    const lives = new Map(live?.deliveries.map((one) => [one.deliveryId, one]));
    const stored = new Map(source.deliveries.map(({ delivery }) => [delivery.deliveryId, delivery]));
    const deliveries = detail.deliveries.map((each): Delivery => {
      const { deliveryId } = each;
      const now = lives.get(deliveryId);
      const roundStart = now?.roundStart ?? stored.get(deliveryId)?.roundStart ?? 0;
      return {
        ...this.#withPolicy(each, roundStart),
        ...withoutUndefined({ turn: now && this.#turnOf(now) }),
      };
    });
    const publishAgain = live && this.#deps.publishAgain.waitOf(live);
    return { ...detail, deliveries, ...withoutUndefined({ publishAgain }) };
  }

  /**
   * The message as the journal and the memory have it at one moment: a state of now beside the attempts of before would be the record of
   * nothing. One that goes on during each read is told as the journal had it last. A journal that refuses its records stays behind, and the
   * memory says where the message is.
   */
  async #read(messageId: string): Promise<ReadMessage> {
    const { journal, live, writer } = this.#shared;
    for (let time = 1; ; time += 1) {
      const before = live.message(messageId);
      const source = await journal.get(messageId);
      const now = live.message(messageId);
      const isBehind = now === undefined ? before !== undefined : !hasCaughtUp(source, now);
      if (!isBehind) return { source, live: now };
      if (time === MAX_READS) return { source, live: writer.trouble === undefined ? undefined : now };
      await writer.settled();
    }
  }

  /** Why a delivery that may be attempted waits; undefined: it does not wait for that. */
  #turnOf(d: LiveDelivery): DeliveryTurn | undefined {
    const ahead = this.#deps.intake.rulesAhead(d);
    if (ahead !== undefined) return { reason: 'rules', ahead };
    const isDue = d.state === 'queued' || (d.state === 'retrying' && d.queued);
    if (!isDue || d.waitsForSubscription) return undefined;
    if (d.lock !== undefined) return { reason: 'act' };
    const app = this.#deps.app(d.appId);
    // Without its app nothing waits in a queue; the screen says that the app was removed.
    if (app === undefined) return undefined;
    const turn = app.lanes.get(laneName(laneKey(d)))?.turnOf(d);
    if (turn !== undefined) return turn;
    return d.queued && !app.waitingForEarlierCall.has(d) ? undefined : turnAfterQueue(app, d);
  }

  /** Adds the policy of a delivery. An event of a binding is sent once and has none. */
  #withPolicy(delivery: Delivery, roundStart: number): Delivery {
    const { appId, subscription } = delivery;
    if (subscription.source === 'binding') return delivery;
    const policy = this.#deps.policies.explain(
      appId,
      subscription.pubsubname,
      subscription.topic,
      roundStart,
    );
    return { ...delivery, policy };
  }

  /**
   * Held items, longest first.
   * @param limit maximum number of items; `total` counts all
   */
  held(limit: number, holdId?: string): HeldQueue {
    return heldQueue(this.#shared, limit, holdId);
  }
}
