/** Implements the methods of ports/local-router.ts for topics, subscriptions, certificates and identity. */
import { Agent } from 'undici';
import type { IdentityStatus } from '../contract/event-router/local-router-status.ts';
import type { RouterSubscription } from '../contract/event-router/local-router.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { evaluateFilter } from './rules/event-filter.ts';
import { scopeTakesTopic } from '../router-protocol/scope.ts';
import { Refusal } from '../domain/refusal.ts';
import type {
  RouterCertificates,
  RouterIdentity,
  RouterSubscriptions,
  RouterTopics,
} from '../ports/local-router.ts';
import { trustedConnect } from '../router-protocol/tls-trust.ts';
import type { RouterDependencies } from './dependencies.ts';
import type { StoredSubscription } from './subscriptions/stored-subscription.ts';
import { recordOf } from './subscriptions/stored-subscription.ts';
import { removeTopic } from './topics/remove-topic.ts';
import { signSas } from './topics/signatures.ts';
import { topicNameComplaint } from './topics/topics.ts';
import type { StoredTopic } from './topics/topics.ts';

/** Facts about a subscription that the delivery engine has. */
export interface LaneFacts {
  readonly counts: RouterSubscription['counts'];
  readonly pausedUntilMs?: number;
}

const PUBLISH_MS = 30_000;

export function topicService(deps: RouterDependencies): RouterTopics {
  const { topics } = deps;
  const need = (name: string): StoredTopic => {
    const topic = topics.get(name);
    if (topic === undefined) throw new Refusal('NOT_FOUND', { reason: `There is no topic ${name}.` });
    return topic;
  };
  const shown = (topic: StoredTopic) => topics.shown(topic, deps.endpointsOf(topic.name));
  return {
    list: () => topics.list().map(shown),
    async create(topic) {
      const complaint = topicNameComplaint(topic.name);
      const taken =
        topics.get(topic.name) === undefined ? undefined : `There is a topic ${topic.name} already.`;
      const reason = complaint ?? taken;
      if (reason !== undefined) throw new Refusal('INVALID_PARAMS', { reason }, { field: 'name' });
      return shown(topics.put(topic));
    },
    async remove(name) {
      removeTopic(deps, need(name).name);
    },
    keys: (name) => ({ key1: need(name).key1, key2: need(name).key2 }),
    async regenerateKey(name, which) {
      const { key1, key2 } = topics.regenerate(need(name).name, which) ?? need(name);
      return { key1, key2 };
    },
    sas(name, expiresMs, which = 'key1') {
      const topic = need(name);
      return signSas(deps.endpointsOf(topic.name)[0] ?? '', topic[which], expiresMs);
    },
    async setDisabled(name, disabled) {
      topics.put({ name: need(name).name, disabled });
    },
    async publish(name, body, contentType) {
      const topic = need(name);
      const agent = new Agent({ connect: trustedConnect([deps.certificates.caPem]), allowH2: false });
      try {
        const url = new URL(deps.endpointsOf(topic.name)[0] ?? '');
        const answer = await agent.request({
          origin: url.origin,
          path: url.pathname,
          method: 'POST',
          headers: { 'content-type': contentType, 'aeg-sas-key': topic.key1 },
          body,
          signal: AbortSignal.timeout(PUBLISH_MS),
        });
        return { status: answer.statusCode, body: await answer.body.text() };
      } finally {
        await agent.close();
      }
    },
  };
}

/** Makes the service for subscriptions. `lane` returns the engine's facts about one. */
export function subscriptionService(
  deps: RouterDependencies,
  lane: (key: string) => LaneFacts,
): RouterSubscriptions {
  const { subscriptions, topics } = deps;
  const { namespace } = deps.options.settings;
  const shown = (kept: StoredSubscription): RouterSubscription => {
    const { counts, pausedUntilMs } = lane(kept.key);
    return {
      record: recordOf(kept, namespace),
      scopeKind: kept.scope.kind,
      topics: topics
        .list()
        .flatMap(({ name, resourceId }) => (scopeTakesTopic(kept.scope, resourceId) ? [name] : [])),
      counts,
      ...withoutUndefined({ allowedRate: kept.allowedRate }),
      ...(pausedUntilMs === undefined ? {} : { pausedUntil: new Date(pausedUntilMs).toISOString() }),
      ...withoutUndefined({ error: kept.error }),
      ...(kept.callback === undefined
        ? {}
        : { awaitsCallbackUntil: new Date(kept.callback.untilMs).toISOString() }),
    };
  };
  const need = (id: string): StoredSubscription => {
    const kept = subscriptions.get(id);
    if (kept === undefined)
      throw new Refusal('NOT_FOUND', { reason: `There is no event subscription ${id}.` });
    return kept;
  };
  return {
    list: () => subscriptions.list().map(shown),
    get(id) {
      const kept = subscriptions.get(id);
      return kept === undefined ? undefined : shown(kept);
    },
    async remove(id) {
      subscriptions.remove(need(id).id);
    },
    async handshake(id) {
      const kept = (await subscriptions.revalidate(need(id).id)) ?? need(id);
      return recordOf(kept, namespace);
    },
    validationUrl: (id) => subscriptions.validationUrl(need(id).id),
    handshakes: (id) => deps.handshakes.list(id),
    test: (id, event) => evaluateFilter(need(id).desired.filter ?? {}, event),
  };
}

export function certificateService(deps: RouterDependencies): RouterCertificates {
  const { certificates } = deps;
  return {
    status: () => certificates.status(),
    caPem: () => certificates.caPem,
    renewLeaf: () => certificates.renewLeaf(),
    rotateCa: () => certificates.rotateCa(),
  };
}

export function identityService(
  deps: RouterDependencies,
  requests: () => IdentityStatus['requests'],
): RouterIdentity {
  const { directory, tokens, keys, changes } = deps;
  return {
    status: () => ({
      authority: deps.addresses.router,
      tenants: directory.tenants(),
      clients: directory.list(),
      keys: keys.status(),
      clockSkewMs: deps.skew.ms,
      nextTokens: tokens.next,
      requests: requests(),
    }),
    async registerClient(client) {
      directory.register(client);
    },
    async grant(clientId, role, scope) {
      directory.grant({ clientId, role, scope });
    },
    async revoke(clientId, role, scope) {
      directory.revoke({ clientId, role, scope });
    },
    async rotateKey(now = false) {
      await keys.rotate(now);
      if (now) tokens.forgetAll();
      changes.notify('identity');
    },
    simulate(kind, times) {
      tokens.simulate(kind, times);
      changes.notify('identity');
    },
  };
}
