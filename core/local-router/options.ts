/** Options of the embedded router, and the defaults of its settings. */
import type { Brand } from '../contract/profile.ts';
import { ENDPOINT_DEFAULTS, EVENT_ROUTER_DEFAULTS } from '../contract/event-router/settings.ts';
import type { EventRouterSettings } from '../contract/event-router/settings.ts';
import { SILENCE } from '../domain/http-edge.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { SigningKeys } from './identity/signing-keys.ts';
import type { Certificates } from './trust/certificates.ts';
import type { Outbound } from './outbound/outbound.ts';
import type { ThrottleLimits } from './topics/throttle.ts';

/** Time limits for a caller, in ms: for TLS, for the headers, for the whole request, and without reading more of an answer. */
export interface ListenerTimes {
  readonly handshakeMs: number;
  readonly headersMs: number;
  readonly requestMs: number;
  readonly unreadMs: number;
}

/** Settings of the delivery engine, and the bounds that are fixed. */
export type RouterDeliverySettings = EventRouterSettings['delivery'] & {
  /** Maximum number of unfinished deliveries; beyond it a publish is refused. */
  readonly backlog: number;
  /** Days for which ended deliveries and dead-letter files are kept, unless they exceed the size. */
  readonly keepDays: number;
  readonly keepBytes: number;
};

export interface LocalRouterSettings {
  readonly namespace: string;
  readonly routerApplicationId: string;
  /** Audience of management tokens; absent: the router's own address. */
  readonly managementAudience?: string;
  readonly publishAudience: string;
  readonly trust: { readonly extraCaFiles: readonly string[]; readonly trustSystemRoots: boolean };
  readonly identity: 'auto' | 'strict';
  readonly rbac: 'auto' | 'enforce';
  /**
   * Addresses `host:port`; port 0 = any free one. For a `soft` one the next free port may replace a taken
   * one.
   */
  readonly listen: {
    readonly router: string;
    readonly ingress: string;
    readonly topicPorts: Readonly<Record<string, number>>;
    readonly soft: { readonly router: boolean; readonly ingress: boolean };
  };
  readonly ingress: {
    readonly enabled: boolean;
    /** Files of a certificate and key to use instead of the router's own. */
    readonly cert?: string;
    readonly key?: string;
    readonly rules: readonly {
      readonly host: string;
      readonly path: string;
      readonly upstream: string;
      readonly rewrite?: string;
    }[];
  };
  readonly delivery: RouterDeliverySettings;
  readonly handshakeToken: 'send' | 'omit';
  /** Wait between two tries of a handshake. */
  readonly handshakeRetryMs: number;
  readonly maxRequestBytes: number;
  readonly throttle: ThrottleLimits;
  readonly times: ListenerTimes;
  readonly allowRemote: boolean;
  readonly allowPublicSubscribers: boolean;
  readonly allowInsecureSubscribers: boolean;
  readonly revalidateOnPut: boolean;
  readonly strictConflicts: boolean;
  readonly keepOnDelete: boolean;
  /** Further host names of the listeners, for which the certificate is valid too. */
  readonly hostNames: readonly string[];
  /** Allowed `Origin` values: the console's. */
  readonly origins: readonly string[];
}

/** Defaults of the settings block `eventRouter`, with the fixed bounds. */
export const LOCAL_ROUTER_DEFAULTS: LocalRouterSettings = {
  namespace: 'Cloud.EventRouter',
  routerApplicationId: EVENT_ROUTER_DEFAULTS.routerApplicationId,
  publishAudience: ENDPOINT_DEFAULTS.publishAudience,
  trust: EVENT_ROUTER_DEFAULTS.trust,
  identity: EVENT_ROUTER_DEFAULTS.identity,
  rbac: EVENT_ROUTER_DEFAULTS.rbac,
  listen: { ...EVENT_ROUTER_DEFAULTS.listen, soft: { router: true, ingress: true } },
  ingress: { enabled: EVENT_ROUTER_DEFAULTS.ingress.enabled, rules: [] },
  delivery: {
    ...EVENT_ROUTER_DEFAULTS.delivery,
    backlog: 100_000,
    keepDays: 7,
    keepBytes: 200 * 1024 * 1024,
  },
  handshakeToken: EVENT_ROUTER_DEFAULTS.handshakeToken,
  handshakeRetryMs: 5000,
  maxRequestBytes: EVENT_ROUTER_DEFAULTS.limits.maxRequestBytes,
  throttle: EVENT_ROUTER_DEFAULTS.limits,
  times: { handshakeMs: 10_000, headersMs: 10_000, requestMs: 30_000, unreadMs: SILENCE.unreadMs },
  allowRemote: EVENT_ROUTER_DEFAULTS.allowRemote,
  allowPublicSubscribers: EVENT_ROUTER_DEFAULTS.allowPublicSubscribers,
  allowInsecureSubscribers: EVENT_ROUTER_DEFAULTS.allowInsecureSubscribers,
  revalidateOnPut: EVENT_ROUTER_DEFAULTS.revalidateOnPut,
  strictConflicts: EVENT_ROUTER_DEFAULTS.strictConflicts,
  keepOnDelete: EVENT_ROUTER_DEFAULTS.keepOnDelete,
  hostNames: [],
  origins: [],
};

export interface LocalRouterOptions {
  readonly settings: LocalRouterSettings;
  readonly profile: Brand;
  /**
   * Folder of keys, state and dead letters, created with mode 0700; absent: nothing is kept after the stop.
   */
  readonly folder?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdSource;
  readonly log: Log;
  /** Keys to use instead of new ones, each of which takes a tenth of a second to make. */
  readonly signingKeys?: SigningKeys;
  /** Authority and certificate to use instead of new ones, which take time to make. */
  readonly certificates?: Certificates;
  /** Replaces the real calls to endpoints. */
  readonly outbound?: Outbound;
}

/** Names that differ by profile. */
export interface RouterWords {
  readonly errorPrefix: string;
  readonly origin: string;
  readonly version1Issuer: (authority: string, tenant: string) => string;
  /**
   * Audiences of stock management clients' tokens, beside the router's own address. Without a slash at the
   * end.
   */
  readonly managementAudiences: readonly string[];
}

export function wordsOf(profile: Brand): RouterWords {
  return profile === 'dapr'
    ? {
        errorPrefix: 'AADSTS',
        origin: 'eventgrid.azure.net',
        version1Issuer: (_authority, tenant) => `https://sts.windows.net/${tenant}/`,
        managementAudiences: ['https://management.azure.com', 'https://management.core.windows.net'],
      }
    : {
        errorPrefix: 'IDP',
        origin: 'eventrouter.localhost',
        version1Issuer: (authority, tenant) => `${authority}/${tenant}/`,
        managementAudiences: [],
      };
}
