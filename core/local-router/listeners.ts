/**
 * Opens and closes the router's listeners: one for identity, management and topics, one for the ingress, and
 * one per topic port.
 */
import type { FaultTarget } from '../contract/event-router/local-router-status.ts';
import { RouterError } from '../ports/local-router.ts';
import { addIdentity } from './edge/identity-routes.ts';
import { addManagement } from './edge/management/routes.ts';
import type { RouterDependencies } from './dependencies.ts';
import { addCallback } from './edge/callback-route.ts';
import { listen, readAddress } from './edge/listen.ts';
import { createWeb } from './edge/listener.ts';
import type { Web } from './edge/listener.ts';

const INGRESS_RETRY_MS = 5000;
/** Largest body in bytes, except at topics, which have a setting. */
const BODY_LIMIT = 1_048_576;

/** Routes of topics: by path on the shared listener, without a path on a topic's own port. */
export interface TopicRoutes {
  addShared(app: Web): void;
  addOwn(app: Web, topic: string): void;
}

export interface Listeners {
  readonly identityRequests: ReturnType<typeof addIdentity>['requests'];
  close(): Promise<void>;
}

/** Opens the listeners. Rejects with RouterError; then no listener stays open. */
export async function openListeners(deps: RouterDependencies, topics: TopicRoutes): Promise<Listeners> {
  const { settings } = deps.options;
  const opened: Web[] = [];
  const close = async (): Promise<void> => {
    await deps.ingress.stop();
    for (const app of opened.toReversed()) await app.close();
  };
  try {
    const app = web(deps, targetOf);
    opened.push(app);
    const identity = addIdentity(app, {
      keys: deps.keys,
      directory: deps.directory,
      tokens: deps.tokens,
      words: deps.words,
      authority: () => deps.addresses.router,
      now: () => deps.options.clock.now() + deps.skew.ms,
      resources: deps.resources,
      changed: () => deps.changes.notify('identity'),
    });
    addCallback(app, deps.subscriptions);
    topics.addShared(app);
    addManagement(app, {
      management: deps.management,
      access: deps.access,
      namespace: settings.namespace,
      written: () => deps.store.written(),
    });
    const soft = settings.listen.soft.router;
    const { allowRemote } = settings;
    const what = 'the event router';
    deps.addresses.router = await listen(app, { address: settings.listen.router, soft, allowRemote, what });
    const { host } = readAddress(settings.listen.router);
    for (const [topic, port] of Object.entries(settings.listen.topicPorts)) {
      const own = web(deps, () => 'topic');
      opened.push(own);
      topics.addOwn(own, topic);
      const request = { address: `${host}:${port}`, soft: false, allowRemote, what: `topic ${topic}` };
      deps.addresses.topicPorts[topic] = await listen(own, request);
    }
    const swap = deps.certificates.onChange(() => {
      for (const one of opened)
        one.server.setSecureContext({ ...deps.certificates.leaf, minVersion: 'TLSv1.2' });
    });
    const giveUp = settings.ingress.enabled ? await openIngress(deps) : (): void => undefined;
    return {
      identityRequests: identity.requests,
      close: async () => {
        giveUp();
        swap();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Repeats opening the ingress until it listens, because the router works without it. Returns the function
 * that ends the tries.
 */
async function openIngress(deps: RouterDependencies): Promise<() => void> {
  let stop = (): void => undefined;
  const tryIt = async (): Promise<void> => {
    try {
      await deps.ingress.start();
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      deps.note(error.message, 'EVR-ING-01');
      const { clock } = deps.options;
      stop = clock.at(clock.now() + INGRESS_RETRY_MS, () => void tryIt());
    }
    deps.changes.notify('ingress');
  };
  await tryIt();
  return () => stop();
}

function web(deps: RouterDependencies, target: (path: string) => FaultTarget): Web {
  const { settings, log } = deps.options;
  return createWeb({
    pair: deps.certificates.leaf,
    hostNames: () => settings.hostNames,
    origins: settings.origins,
    bodyLimit: BODY_LIMIT,
    faults: deps.faults,
    refusals: deps.refusals,
    log,
    times: settings.times,
    targetOf: target,
  });
}

function targetOf(path: string): FaultTarget {
  if (path.startsWith('/topics/')) return 'topic';
  return /^\/(subscriptions|eventsubscriptions)\//i.test(path) ? 'management' : 'identity';
}
