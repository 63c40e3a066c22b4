/** Opens and closes the router's listeners: identity, management and topics on one, the ingress, one per topic port (event-router 12.4). */
import type { FaultTarget } from '../contract/event-router/local-router-status.ts';
import { RouterError } from '../ports/local-router.ts';
import { addIdentity } from './edge/identity-routes.ts';
import { addManagement } from './edge/management/routes.ts';
import type { RouterParts } from './dependencies.ts';
import { addCallback } from './edge/callback-route.ts';
import { listen, readAddress } from './edge/listen.ts';
import { createWeb } from './edge/listener.ts';
import type { Web } from './edge/listener.ts';

const INGRESS_RETRY_MS = 5000;
/** Of everything but the topics, which have a setting. */
const BODY_LIMIT = 1_048_576;

/** Routes of topics: on the shared listener by path, on a topic's own port without. */
export interface TopicRoutes {
  addShared(app: Web): void;
  addOwn(app: Web, topic: string): void;
}

export interface Listeners {
  readonly identityRequests: ReturnType<typeof addIdentity>['requests'];
  close(): Promise<void>;
}

/** Rejects with RouterError; nothing stays open then. */
export async function openListeners(parts: RouterParts, topics: TopicRoutes): Promise<Listeners> {
  const { settings } = parts.options;
  const opened: Web[] = [];
  const close = async (): Promise<void> => {
    await parts.ingress.stop();
    for (const app of opened.toReversed()) await app.close();
  };
  try {
    const app = web(parts, targetOf);
    opened.push(app);
    const identity = addIdentity(app, {
      keys: parts.keys,
      directory: parts.directory,
      tokens: parts.tokens,
      words: parts.words,
      authority: () => parts.addresses.router,
      now: () => parts.options.clock.now() + parts.skew.ms,
      resources: parts.resources,
      changed: () => parts.changes.tell('identity'),
    });
    addCallback(app, parts.subscriptions);
    topics.addShared(app);
    addManagement(app, { management: parts.management, access: parts.access, namespace: settings.namespace });
    const soft = settings.listen.soft.router;
    const { allowRemote } = settings;
    const what = 'the event router';
    parts.addresses.router = await listen(app, { address: settings.listen.router, soft, allowRemote, what });
    const { host } = readAddress(settings.listen.router);
    for (const [topic, port] of Object.entries(settings.listen.topicPorts)) {
      const own = web(parts, () => 'topic');
      opened.push(own);
      topics.addOwn(own, topic);
      const wish = { address: `${host}:${port}`, soft: false, allowRemote, what: `topic ${topic}` };
      parts.addresses.topicPorts[topic] = await listen(own, wish);
    }
    const swap = parts.certificates.onChange(() => {
      for (const one of opened)
        one.server.setSecureContext({ ...parts.certificates.leaf, minVersion: 'TLSv1.2' });
    });
    const giveUp = settings.ingress.enabled ? await openIngress(parts) : (): void => undefined;
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

/** Tries until it listens: the router works without it. Gives back what stops the tries. */
async function openIngress(parts: RouterParts): Promise<() => void> {
  let stop = (): void => undefined;
  const tryIt = async (): Promise<void> => {
    try {
      await parts.ingress.start();
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      parts.note(error.message, 'EVR-ING-01');
      const { clock } = parts.options;
      stop = clock.at(clock.now() + INGRESS_RETRY_MS, () => void tryIt());
    }
    parts.changes.tell('ingress');
  };
  await tryIt();
  return () => stop();
}

function web(parts: RouterParts, target: (path: string) => FaultTarget): Web {
  const { settings, log } = parts.options;
  return createWeb({
    pair: parts.certificates.leaf,
    hostNames: () => settings.hostNames,
    origins: settings.origins,
    bodyLimit: BODY_LIMIT,
    faults: parts.faults,
    refusals: parts.refusals,
    log,
    times: settings.times,
    targetOf: target,
  });
}

function targetOf(path: string): FaultTarget {
  if (path.startsWith('/topics/')) return 'topic';
  return /^\/(subscriptions|eventsubscriptions)\//i.test(path) ? 'management' : 'identity';
}
