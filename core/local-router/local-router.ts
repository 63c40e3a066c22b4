/** The embedded event router that implements ports/local-router.ts: construction, start, stop. */
import type { LocalRouter } from '../ports/local-router.ts';
import { registerComponent } from './register-component.ts';
import { emulate } from './emulate.ts';
import { createDeliveryService } from './delivery-service.ts';
import type { DeliveryService } from './delivery-service.ts';
import { certificateService, identityService, subscriptionService, topicService } from './services.ts';
import { openListeners } from './listeners.ts';
import type { Listeners } from './listeners.ts';
import type { LocalRouterOptions } from './options.ts';
import { createDependencies } from './dependencies.ts';
import type { RouterDependencies } from './dependencies.ts';
import { addOwn, addShared } from './edge/topics/endpoint.ts';
import type { EndpointDependencies } from './edge/topics/endpoint.ts';
import { Throttle } from './topics/throttle.ts';

/**
 * Makes a router with its keys, certificates and stored state. It listens after `start`, and cannot be started again after `stop`.
 * @throws RouterError EVR-SEC-01 if others can read a stored key
 */
export async function createLocalRouter(options: LocalRouterOptions): Promise<LocalRouter> {
  const deps = await createDependencies(options);
  const delivery = createDeliveryService(deps);
  const { clock } = options;
  let listeners: Listeners | undefined;
  let stopped = false;
  const endpoint = topicEndpoint(deps, delivery);
  return {
    topics: topicService(deps),
    subscriptions: subscriptionService(deps, (key) => {
      const { pausedUntilMs } = delivery.engine.lane(key);
      const paused = pausedUntilMs > clock.now() ? { pausedUntilMs } : {};
      return { counts: delivery.ledger.counts(key), ...paused };
    }),
    deliveries: delivery.service,
    ingress: deps.ingress,
    certificates: certificateService(deps),
    identity: identityService(deps, () => listeners?.identityRequests() ?? []),
    faults: deps.faults,
    async start() {
      if (listeners !== undefined || stopped) return;
      listeners = await openListeners(deps, {
        addShared: (app) => addShared(app, endpoint),
        addOwn: (app, topic) => addOwn(app, topic, endpoint),
      });
      delivery.start();
      deps.subscriptions.resume();
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      deps.subscriptions.stop();
      deps.sleeps.wake();
      await delivery.stop();
      await listeners?.close();
      listeners = undefined;
      await deps.outbound.close();
      deps.store.close();
    },
    addresses: () => addressesOf(deps),
    get refuses() {
      return delivery.refuses();
    },
    status: () => ({ running: listeners !== undefined, ...statusOf(deps, delivery) }),
    async adopt(tenant) {
      if (listeners === undefined) throw new Error('the event router is not running');
      return registerComponent(deps, tenant);
    },
    emulate: (params) => emulate(deps, params),
    written: () => deps.store.written(),
    onChange: (take) => deps.changes.listen(take),
  };
}

/** Dependencies of the topics' endpoints. */
function topicEndpoint(deps: RouterDependencies, delivery: DeliveryService): EndpointDependencies {
  const { settings, clock } = deps.options;
  return {
    topics: deps.topics,
    tokens: deps.tokens,
    directory: deps.directory,
    rbac: settings.rbac,
    publishAudience: settings.publishAudience,
    now: () => clock.now(),
    maxBytes: settings.maxRequestBytes,
    throttle: new Throttle(settings.throttle, () => clock.now()),
    publish: delivery.publish,
  };
}

function addressesOf(deps: RouterDependencies): ReturnType<LocalRouter['addresses']> {
  return { ...deps.addresses, ingress: deps.ingress.url };
}

function statusOf(
  deps: RouterDependencies,
  delivery: DeliveryService,
): Omit<ReturnType<LocalRouter['status']>, 'running'> {
  const { settings } = deps.options;
  return {
    addresses: addressesOf(deps),
    namespace: settings.namespace,
    timeScale: delivery.timeScale(),
    counts: delivery.ledger.counts(),
    topics: deps.topics.list().length,
    subscriptions: deps.subscriptions.list().length,
    ingress: deps.ingress.status(),
    remote: settings.allowRemote,
    refusals: deps.refusals.list(),
    notes: [...deps.notes],
  };
}
