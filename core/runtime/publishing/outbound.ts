/** Publishes a message to its component, with retries by the outbound policy of a Resiliency document. */
import { delayAfter, isExhausted, isFinal } from '../../domain/retry.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import type { OutboundMessage, PubSub } from '../../ports/pubsub.ts';
import type { SharedServices } from '../common-services.ts';
import type { Waits } from '../time/waits.ts';

export interface OutboundFacts {
  /** undefined: one attempt. */
  readonly policy: DeclaredRetry | undefined;
  /** Waits before further attempts. They end when the sidecar stops, and then no attempt follows. */
  readonly waits: Waits;
}

/** Resolves when the component has the message; undefined: it has it already. Rejects with the error of the last attempt. */
export function publishTo(
  pubsub: PubSub,
  message: OutboundMessage,
  shared: Pick<SharedServices, 'random'>,
  { policy, waits }: OutboundFacts,
): Promise<void> | undefined {
  if (policy === undefined) return pubsub.publish(message);
  return tryAgain(() => pubsub.publish(message), shared, { policy, waits });
}

async function tryAgain(
  publish: () => Promise<void> | undefined,
  shared: Pick<SharedServices, 'random'>,
  { policy, waits }: OutboundFacts & { readonly policy: DeclaredRetry },
): Promise<void> {
  for (let made = 1; ; made += 1) {
    try {
      await publish();
      return;
    } catch (error) {
      const status = error instanceof PublishFailure ? error.status : undefined;
      if (isExhausted(policy, made) || isFinal(policy, status)) throw error;
      await waits.wait(delayAfter(policy, made, shared.random.next()));
      if (waits.ended) throw error;
    }
  }
}
