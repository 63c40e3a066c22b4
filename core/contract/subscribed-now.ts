/** Facts of now about a message that got no delivery: which apps would get it if it were published again. */
import type { ComponentRow, SubscriptionRow } from './subscription.ts';

/** Type of the component that keeps its messages in this process. */
const IN_MEMORY = 'pubsub.in-memory';

/** Apps that would get the message if it were published now. */
export function takersOf(
  items: readonly Pick<SubscriptionRow, 'state' | 'topic' | 'pubsubname' | 'appId'>[],
  topic: string,
  pubsubname: string,
): readonly string[] {
  return items.flatMap((row) =>
    row.state === 'active' && row.topic === topic && row.pubsubname === pubsubname ? [row.appId] : [],
  );
}

/** Whether nobody but this process delivers messages of the component. A broker of its own may still have one, or give it to another program. */
export function isDeliveredHereAlone(
  components: readonly Pick<ComponentRow, 'name' | 'type' | 'insteadOf'>[],
  pubsubname: string,
): boolean {
  const { type, insteadOf } = components.find(({ name }) => name === pubsubname) ?? {};
  return insteadOf !== undefined || type === IN_MEMORY;
}
