/** The embedded router as the settings want it. */
import { join } from 'node:path';
import { LOCAL_ROUTER_DEFAULTS } from '../local-router/options.ts';
import type { LocalRouterSettings } from '../local-router/options.ts';
import { randomIds, systemRandom } from '../adapters/random-ids.ts';
import type { Profile } from '../contract/profile.ts';
import { EVENT_ROUTER_DEFAULTS } from '../contract/event-router/settings.ts';
import type { EventRouterSettings } from '../contract/event-router/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { LocalRouter, RouterListener } from '../ports/local-router.ts';
import type { Log } from '../ports/log.ts';
import { namespaceOf } from '../event-router/connection/router-connection.ts';

export interface LocalFacts {
  readonly profile: Profile;
  /** Of the product's data; undefined: nothing is kept. */
  readonly dataDir: string | undefined;
  /** Listeners whose address a person or a component gave. */
  readonly written: readonly RouterListener[];
  readonly clock: Clock;
}

const FOLDER = 'event-router';

/** Makes it; nothing listens yet. Rejects RouterError. */
export async function makeLocalRouter(
  settings: EventRouterSettings,
  facts: LocalFacts,
  log: Log,
): Promise<LocalRouter> {
  const { profile, dataDir, clock } = facts;
  // Its libraries take long to load, and most starts need none of them.
  const { createLocalRouter } = await import('../local-router/local-router.ts');
  return createLocalRouter({
    settings: localSettings(settings, facts),
    profile: profile.name,
    ...(dataDir === undefined ? {} : { folder: join(dataDir, FOLDER) }),
    clock,
    random: systemRandom(),
    ids: randomIds(),
    log,
  });
}

function localSettings(settings: EventRouterSettings, { profile, written }: LocalFacts): LocalRouterSettings {
  const { listen, ingress, delivery, limits, endpoints } = settings;
  const standard = EVENT_ROUTER_DEFAULTS.listen;
  const { cert, key } = ingress;
  return {
    ...LOCAL_ROUTER_DEFAULTS,
    namespace: namespaceOf(settings, profile),
    routerApplicationId: settings.routerApplicationId,
    ...(endpoints === null ? {} : { publishAudience: endpoints.publishAudience }),
    trust: settings.trust,
    identity: settings.identity,
    rbac: settings.rbac,
    listen: {
      ...listen,
      soft: {
        router: !written.includes('router') && listen.router === standard.router,
        ingress: !written.includes('ingress') && listen.ingress === standard.ingress,
      },
    },
    ingress: {
      enabled: ingress.enabled,
      ...(cert === null || key === null ? {} : { cert, key }),
      rules: ingress.rules.map(({ rewrite, ...rule }) => ({
        ...rule,
        ...(rewrite === null ? {} : { rewrite }),
      })),
    },
    delivery: { ...LOCAL_ROUTER_DEFAULTS.delivery, ...delivery },
    handshakeToken: settings.handshakeToken,
    maxRequestBytes: limits.maxRequestBytes,
    throttle: limits,
    allowRemote: settings.allowRemote,
    allowPublicSubscribers: settings.allowPublicSubscribers,
    allowInsecureSubscribers: settings.allowInsecureSubscribers,
    revalidateOnPut: settings.revalidateOnPut,
    strictConflicts: settings.strictConflicts,
    keepOnDelete: settings.keepOnDelete,
  };
}
