/** Redis and NATS as servers that a load kills and starts again. */
import type { NatsStand } from '../support/nats-stand.ts';
import { Instance } from '../support/broker-instance.ts';
import type { RedisStand } from '../support/redis-stand.ts';
import type { LoadBroker } from './redis-load.ts';

/**
 * @param name of the fault
 * @param settings of the component
 */
export function redisBroker(
  stand: RedisStand,
  name = 'redis',
  settings: Readonly<Record<string, string>> = {},
): LoadBroker {
  return {
    name,
    start: (topic) => Instance.start({ redisHost: stand.server.host, topic, settings }),
    restart: async () => {
      await stand.server.kill();
      await stand.server.start();
    },
    settled: (topic) => stand.pending(topic, 0, 'app'),
  };
}

/**
 * @param name of the fault
 * @param more settings of the component
 */
export function natsBroker(
  stand: NatsStand,
  name = 'nats',
  more: Readonly<Record<string, string>> = {},
): LoadBroker {
  return {
    name,
    start: (topic) => {
      const settings = { natsURL: stand.server.url, ackWait: '500ms', ...more };
      return Instance.start({ topic, component: { type: 'pubsub.jetstream', settings } });
    },
    restart: async () => {
      await stand.server.kill();
      await stand.server.start();
    },
    settled: (topic) => stand.pending(topic, `app-${topic}`, 0),
  };
}
