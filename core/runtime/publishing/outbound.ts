/** Hands a message to its component, as often as the outbound policy of a Resiliency document says. */
import { delayAfter, isExhausted, isFinal } from '../../domain/retry.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import type { OutboundMessage, PubSub } from '../../ports/pubsub.ts';
import type { Shared } from '../common.ts';

export interface OutboundFacts {
  /** undefined: one try. */
  readonly policy: DeclaredRetry | undefined;
  /** Nothing is tried again once the sidecar stops. */
  readonly isStopping: () => boolean;
}

/** Resolves when the component has it. Rejects with what the last try failed with. */
export async function publishTo(
  pubsub: PubSub,
  message: OutboundMessage,
  shared: Pick<Shared, 'timers' | 'clock' | 'random'>,
  { policy, isStopping }: OutboundFacts,
): Promise<void> {
  for (let made = 1; ; made += 1) {
    try {
      await pubsub.publish(message);
      return;
    } catch (error) {
      const status = error instanceof PublishFailure ? error.status : undefined;
      if (policy === undefined || isStopping() || isExhausted(policy, made) || isFinal(policy, status))
        throw error;
      const dueMs = shared.clock.now() + delayAfter(policy, made, shared.random.next());
      await new Promise<void>((go) => shared.timers.at(dueMs, go));
    }
  }
}
