/** Redis and NATS as servers that a load kills and starts again. */
import type { NatsStand } from '../support/nats-stand.ts';
import { Instance } from '../support/redis-instance.ts';
import type { RedisStand } from '../support/redis-stand.ts';
import type { LoadBroker } from './redis-load.ts';

export function redisBroker(stand: RedisStand): LoadBroker {
  return {
    name: 'redis',
    start: (topic) => Instance.start(stand.server.host, { topic }),
    restart: async () => {
      await stand.server.kill();
      await stand.server.start();
    },
    settled: (topic) => stand.pending(topic, 0, 'app'),
  };
}

export function natsBroker(stand: NatsStand): LoadBroker {
  return {
    name: 'nats',
    start: (topic) => {
      const settings = { natsURL: stand.server.url, ackWait: '500ms' };
      return Instance.start('', { topic, component: { type: 'pubsub.jetstream', settings } });
    },
    restart: async () => {
      await stand.server.kill();
      await stand.server.start();
    },
    settled: (topic) => stand.pending(topic, `app-${topic}`, 0),
  };
}
