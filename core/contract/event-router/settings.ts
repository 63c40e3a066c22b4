/**
 * Members of the settings block `eventRouter`, and their defaults. router-protocol/setting.ts checks them.
 */

export interface RouterEndpointSettings {
  readonly authority: string;
  readonly management: string;
  /** null: the management address. */
  readonly managementAudience: string | null;
  readonly publishAudience: string;
  readonly apiVersion: string;
}

export interface IngressRuleSetting {
  readonly host: string;
  readonly path: string;
  readonly upstream: string;
  readonly rewrite: string | null;
}

export interface EventRouterSettings {
  readonly mode: 'embedded' | 'external' | 'off';
  /** null: the profile's. */
  readonly namespace: string | null;
  readonly routerApplicationId: string;
  /** null: the embedded router's own, or those of `cloud`. */
  readonly endpoints: RouterEndpointSettings | null;
  readonly cloud: 'public' | 'government' | 'china' | null;
  readonly trust: { readonly extraCaFiles: readonly string[]; readonly trustSystemRoots: boolean };
  readonly identity: 'auto' | 'strict';
  readonly rbac: 'auto' | 'enforce';
  readonly listen: {
    readonly router: string;
    readonly ingress: string;
    readonly topicPorts: Readonly<Record<string, number>>;
  };
  readonly ingress: {
    readonly enabled: boolean;
    readonly selfProbe: boolean;
    readonly cert: string | null;
    readonly key: string | null;
    readonly rules: readonly IngressRuleSetting[];
  };
  readonly delivery: {
    /** Factor for waits, probation and time to live; 1 is the documented schedule. */
    readonly timeScale: number;
    readonly jitter: number;
    readonly probation: boolean;
    readonly ttlCheck: 'exact' | 'at-attempt';
    readonly maxConcurrentDeliveries: number;
    readonly onExhausted: 'park' | 'drop';
    /** Seconds, before `timeScale`. */
    readonly deadLetterDelay: number;
    readonly retry401Once: boolean;
  };
  readonly health: { readonly strictBindings: boolean };
  readonly limits: {
    readonly maxRequestBytes: number;
    /** Events per second that a topic takes before it answers 429; 0: no limit. */
    readonly topicEventsPerSecond: number;
    readonly topicBytesPerSecond: number;
  };
  /** null: `enforce`, in profile `dapr` `warn`. */
  readonly callerCheck: 'enforce' | 'warn' | 'off' | null;
  readonly handshakeAuth: 'optional' | 'required' | 'none';
  readonly handshakeToken: 'send' | 'omit';
  readonly forwardRouterHeaders: boolean;
  readonly acceptV1Tokens: boolean;
  readonly audiences: readonly string[];
  readonly requireRole: boolean;
  readonly allowedOrigins: readonly string[];
  readonly allowRemote: boolean;
  readonly allowPublicSubscribers: boolean;
  readonly allowInsecureSubscribers: boolean;
  readonly revalidateOnPut: boolean;
  readonly strictConflicts: boolean;
  readonly keepOnDelete: boolean;
}

/** Defaults for members that a block `endpoints` leaves out. */
export const ENDPOINT_DEFAULTS: RouterEndpointSettings = {
  authority: 'https://localhost:7443',
  management: 'https://localhost:7443',
  managementAudience: null,
  publishAudience: 'https://eventgrid.azure.net',
  apiVersion: '2022-06-15',
};

export const EVENT_ROUTER_DEFAULTS: EventRouterSettings = {
  mode: 'embedded',
  namespace: null,
  routerApplicationId: '4962773b-9cdb-44cf-a8bf-237846a00ab7',
  endpoints: null,
  cloud: null,
  trust: { extraCaFiles: [], trustSystemRoots: true },
  identity: 'auto',
  rbac: 'auto',
  listen: { router: 'localhost:7443', ingress: 'localhost:9443', topicPorts: {} },
  ingress: { enabled: true, selfProbe: true, cert: null, key: null, rules: [] },
  delivery: {
    timeScale: 0.01,
    jitter: 0.1,
    probation: false,
    ttlCheck: 'exact',
    maxConcurrentDeliveries: 8,
    onExhausted: 'park',
    deadLetterDelay: 0,
    retry401Once: false,
  },
  health: { strictBindings: false },
  limits: { maxRequestBytes: 1_048_576, topicEventsPerSecond: 0, topicBytesPerSecond: 0 },
  callerCheck: null,
  handshakeAuth: 'optional',
  handshakeToken: 'send',
  forwardRouterHeaders: false,
  acceptV1Tokens: true,
  audiences: [],
  requireRole: false,
  allowedOrigins: [],
  allowRemote: false,
  allowPublicSubscribers: false,
  allowInsecureSubscribers: false,
  revalidateOnPut: true,
  strictConflicts: false,
  keepOnDelete: false,
};
