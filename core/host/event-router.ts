/** Composes the event router: the binding of core/event-router and the embedded service of core/local-router. */
import { join } from 'node:path';
import { randomIds, systemRandom } from '../adapters/random-ids.ts';
import type { Profile } from '../contract/profile.ts';
import { EVENT_ROUTER_DEFAULTS } from '../contract/event-router/settings.ts';
import type { EventRouterSettings } from '../contract/event-router/settings.ts';
import { namespaceOf } from '../event-router/connection/router-connection.ts';
import { openEventRouter } from '../event-router/event-router.ts';
import type { EventRouter } from '../event-router/event-router.ts';
import { LOCAL_ROUTER_DEFAULTS } from '../local-router/options.ts';
import type { LocalRouterSettings } from '../local-router/options.ts';
import { simulateDelivery } from '../local-router/rules/simulate.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal } from '../ports/journal.ts';
import type { RouterListener } from '../ports/local-router.ts';
import type { Log } from '../ports/log.ts';

export interface EventRouterFacts {
  readonly profile: Profile;
  readonly settings: () => EventRouterSettings;
  /** Folder of the product's data; undefined: the embedded router keeps nothing. */
  readonly dataDir: string | undefined;
  /** Listeners with an address that the user set. */
  readonly written: ReadonlySet<RouterListener>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}

const FOLDER = 'event-router';

/**
 * Composes the event router without opening a listener: the embedded router starts when a component or a
 * person needs it.
 */
export function composeEventRouter(facts: EventRouterFacts): EventRouter {
  const { profile, settings, dataDir, written, journal, clock, log, version } = facts;
  return openEventRouter({
    profile,
    settings,
    journal,
    clock,
    ids: randomIds(),
    log,
    version,
    simulate: simulateDelivery,
    makeRouter: async (given, runtimeLog, named) => {
      // The router's libraries take long to load, and most starts do not need them.
      const { createLocalRouter } = await import('../local-router/local-router.ts');
      return createLocalRouter({
        settings: localSettings(given, profile, [...named, ...written]),
        profile: profile.brand,
        ...(dataDir === undefined ? {} : { folder: join(dataDir, FOLDER) }),
        clock,
        random: systemRandom(),
        ids: randomIds(),
        log: runtimeLog,
      });
    },
  });
}

function localSettings(
  settings: EventRouterSettings,
  profile: Profile,
  written: readonly RouterListener[],
): LocalRouterSettings {
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
