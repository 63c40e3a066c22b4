/** A pub/sub component whose topics carry a prefix at the broker: `{namespace}` in its settings (behaviour 10). */
import type { PubSub } from '../../ports/pubsub.ts';

/** Adds the prefix at the broker only: access rules, envelopes, routes and lists keep the topic's own name. */
export function withTopicPrefix(pubsub: PubSub, prefix: string): PubSub {
  const { publishBulk, lost, onConnection } = pubsub;
  const outward = <T extends { readonly topic: string }>(message: T): T => ({
    ...message,
    topic: prefix + message.topic,
  });
  return {
    features: pubsub.features,
    capabilities: pubsub.capabilities,
    publish: (message) => pubsub.publish(outward(message)),
    ...(publishBulk === undefined
      ? {}
      : { publishBulk: (entries) => publishBulk.call(pubsub, entries.map(outward)) }),
    ...(lost === undefined ? {} : { lost: () => lost.call(pubsub) }),
    ...(onConnection === undefined ? {} : { onConnection: (changed) => onConnection.call(pubsub, changed) }),
    start: () => pubsub.start(),
    subscribe: (topic, options, take) =>
      pubsub.subscribe(prefix + topic, options, (message) =>
        take(
          message.topic.startsWith(prefix)
            ? { ...message, topic: message.topic.slice(prefix.length) }
            : message,
        ),
      ),
    close: () => pubsub.close(),
  };
}
