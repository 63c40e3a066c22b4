/** Hands a message to its component, as often as the outbound policy of a Resiliency document says. */
import { delayAfter, isExhausted, isFinal } from '../../domain/retry.ts';
import type { DeclaredRetry } from '../../domain/retry.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import type { OutboundMessage, PubSub } from '../../ports/pubsub.ts';
import type { Shared } from '../common.ts';
import type { Waits } from '../time/waits.ts';

export interface OutboundFacts {
  /** undefined: one try. */
  readonly policy: DeclaredRetry | undefined;
  /** Waits before further tries. They end when the sidecar stops, and then nothing is tried again. */
  readonly waits: Waits;
}

/** Resolves when the component has it; undefined: it has it. Rejects with what the last try failed with. */
export function publishTo(
  pubsub: PubSub,
  message: OutboundMessage,
  shared: Pick<Shared, 'random'>,
  { policy, waits }: OutboundFacts,
): Promise<void> | undefined {
  if (policy === undefined) return pubsub.publish(message);
  return tryAgain(() => pubsub.publish(message), shared, { policy, waits });
}

async function tryAgain(
  publish: () => Promise<void> | undefined,
  shared: Pick<Shared, 'random'>,
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
