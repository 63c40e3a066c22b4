/** The embedded event router behind ports/local-router.ts: made, started, stopped. */
import type { LocalRouter } from '../ports/local-router.ts';
import { adopt } from './adopt.ts';
import { emulate } from './emulate.ts';
import { makeDelivery } from './delivery-service.ts';
import { certificatesFace, identityFace, subscriptionsFace, topicsFace } from './services.ts';
import { openListeners } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { LocalRouterOptions } from './options.ts';
import { makeParts } from './dependencies.ts';
import { addOwn, addShared } from './edge/topics/endpoint.ts';
import type { EndpointParts } from './edge/topics/endpoint.ts';
import { Throttle } from './topics/throttle.ts';

/**
 * Makes a router with its keys, certificates and kept state; it listens after `start`, and is not started again after `stop`.
 * @throws RouterError EVR-SEC-01 when a kept key can be read by others
 */
export async function createLocalRouter(options: LocalRouterOptions): Promise<LocalRouter> {
  const parts = await makeParts(options);
  const delivery = makeDelivery(parts);
  const { settings, clock } = options;
  let listeners: Listeners | undefined;
  let stopped = false;
  const endpoint: EndpointParts = {
    topics: parts.topics,
    tokens: parts.tokens,
    directory: parts.directory,
    rbac: settings.rbac,
    publishAudience: settings.publishAudience,
    now: () => clock.now(),
    maxBytes: settings.maxRequestBytes,
    throttle: new Throttle(settings.throttle, () => clock.now()),
    publish: delivery.publish,
  };
  const addresses: LocalRouter['addresses'] = () => ({ ...parts.addresses, ingress: parts.ingress.url });
  return {
    topics: topicsFace(parts),
    subscriptions: subscriptionsFace(parts, (key) => {
      const { pausedUntilMs } = delivery.engine.lane(key);
      const paused = pausedUntilMs > clock.now() ? { pausedUntilMs } : {};
      return { counts: delivery.ledger.counts(key), ...paused };
    }),
    deliveries: delivery.face,
    ingress: parts.ingress,
    certificates: certificatesFace(parts),
    identity: identityFace(parts, () => listeners?.identityRequests() ?? []),
    faults: parts.faults,
    async start() {
      if (listeners !== undefined || stopped) return;
      listeners = await openListeners(parts, {
        addShared: (app) => addShared(app, endpoint),
        addOwn: (app, topic) => addOwn(app, topic, endpoint),
      });
      delivery.start();
      parts.subscriptions.resume();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      parts.subscriptions.stop();
      parts.sleeps.wake();
      await delivery.stop();
      await listeners?.close();
      listeners = undefined;
      await parts.outbound.close();
      parts.store.close();
    },
    addresses,
    get refuses() {
      return delivery.refuses();
    },
    status: () => ({
      running: listeners !== undefined,
      addresses: addresses(),
      namespace: settings.namespace,
      timeScale: delivery.timeScale(),
      counts: delivery.ledger.counts(),
      topics: parts.topics.list().length,
      subscriptions: parts.subscriptions.list().length,
      ingress: parts.ingress.status(),
      remote: settings.allowRemote,
      refusals: parts.refusals.list(),
      notes: [...parts.notes],
    }),
    async adopt(tenant) {
      if (listeners === undefined) throw new Error('the event router is not running');
      return adopt(parts, tenant);
    },
    emulate: (params) => emulate(parts, params),
    onChange: (take) => parts.changes.listen(take),
  };
}
