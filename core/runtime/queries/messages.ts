/** One message in full, and the messages that are held. */
import type { Delivery, MessageDetail } from '../../contract/message.ts';
import type { Shared } from '../common.ts';
import type { Policies } from '../state/policies.ts';
import { noMessage } from '../state/not-found.ts';
import { detailOf } from './detail.ts';
import { heldQueue } from './held-queue.ts';
import type { HeldQueue } from './held-queue.ts';

export class Messages {
  readonly #shared: Shared;
  readonly #policies: Policies;

  constructor(shared: Shared, policies: Policies) {
    this.#shared = shared;
    this.#policies = policies;
  }

  /** Throws Refusal NOT_FOUND. */
  async detail(messageId: string): Promise<MessageDetail> {
    const source = await this.#shared.journal.get(messageId);
    if (source === undefined) throw noMessage(messageId);
    const live = this.#shared.live.message(messageId);
    const detail = detailOf(source, this.#shared, live);
    // The sidecar that is observed has a policy of its own, which nobody here knows.
    if (detail.tap !== undefined) return detail;
    const roundStartOf = ({ deliveryId }: Delivery): number =>
      live?.deliveries.find((each) => each.deliveryId === deliveryId)?.roundStart ??
      source.deliveries.find(({ delivery }) => delivery.deliveryId === deliveryId)?.delivery.roundStart ??
      0;
    const deliveries = detail.deliveries.map((each) => this.#withPolicy(each, roundStartOf(each)));
    return { ...detail, deliveries };
  }

  /** A binding is called once: it has no policy. */
  #withPolicy(delivery: Delivery, roundStart: number): Delivery {
    const { appId, subscription } = delivery;
    if (subscription.source === 'binding') return delivery;
    const policy = this.#policies.explain(appId, subscription.pubsubname, subscription.topic, roundStart);
    return { ...delivery, policy };
  }

  /** What is held, longest first. @param limit most items given; `total` counts all */
  held(limit: number): HeldQueue {
    return heldQueue(this.#shared, limit);
  }
}
