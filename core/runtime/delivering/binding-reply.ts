/**
 * Handles replies of a gRPC app to a binding's event. A reply may name further bindings and data for them; nothing is sent to them, which
 * is logged once.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { listValueIn } from '../../domain/answer.ts';
import { isObject } from '../../domain/json.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { SharedServices } from '../common-services.ts';
import type { LiveDelivery } from '../state/live.ts';
import { bodyText } from './answer-body.ts';

export class BindingReplies {
  readonly #shared: Pick<SharedServices, 'log' | 'codec'>;
  /** Apps and bindings for which the log line was written. */
  readonly #answered = new Set<string>();

  constructor(shared: Pick<SharedServices, 'log' | 'codec'>) {
    this.#shared = shared;
  }

  /** @param answer answer to an event of a binding */
  look(d: Pick<LiveDelivery, 'appId' | 'subscription' | 'deliveryId'>, answer: ReceivedAnswer): void {
    const { appId, subscription, deliveryId } = d;
    const key = JSON.stringify([appId, subscription.pubsubname]);
    if (
      answer.kind === 'none' ||
      answer.protocol !== 'grpc' ||
      answer.status !== 0 ||
      this.#answered.has(key)
    )
      return;
    const { to, data } = replyOf(bodyText(answer, this.#shared.codec));
    if (to === 0 && !data) return;
    this.#answered.add(key);
    const found = [...(to > 0 ? ['to'] : []), ...(data ? ['data'] : [])].join(' and ');
    this.#shared.log.write(
      'warn',
      'bindings',
      `${theAppFirst(appId)} answered an event of binding ${subscription.pubsubname} with ${found}, which has no effect here: no further binding is invoked.`,
      { deliveryId },
    );
  }
}

/** Number of bindings that a reply names, and whether it carries data. */
function replyOf(text: string | undefined): { readonly to: number; readonly data: boolean } {
  const reply = text === undefined ? undefined : listValueIn(text)?.value;
  if (!isObject(reply)) return { to: 0, data: false };
  const { to, data } = reply;
  return { to: Array.isArray(to) ? to.length : 0, data: typeof data === 'string' && data !== '' };
}
