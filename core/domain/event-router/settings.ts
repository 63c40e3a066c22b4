/** The settings block `eventRouter`: what it takes and what counts without it (event-router 12.1). */
import {
  also,
  decimal,
  flag,
  integer,
  listOf,
  members,
  orNull,
  recordOf,
  text,
  word,
} from '../setting-checks.ts';
import type { Check } from '../setting-checks.ts';

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
    /** Multiplies waits, probation and time to live; 1 is the documented schedule. */
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
    /** What a topic takes before it answers 429; 0: no limit. */
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

const ENDPOINTS: RouterEndpointSettings = {
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

const address = text('a host and port such as localhost:7443', (value) =>
  /^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/.test(value),
);
const httpsUrl = text('an https address', (value) => /^https:\/\/[^/\s]+/.test(value));
const anyText = text('a text', () => true);
const aText = text('a text that is not empty', (value) => value !== '');

/** `on` and `off` as YAML files have them. */
const onOff: Check<boolean> = {
  expected: 'on or off',
  read: (value) => flag().read(value === 'on' ? true : value === 'off' ? false : value),
};

const endpoints = members(
  {
    authority: httpsUrl,
    management: httpsUrl,
    managementAudience: orNull(aText),
    publishAudience: aText,
    apiVersion: text('a date such as 2022-06-15', (value) => /^\d{4}-\d{2}-\d{2}(-preview)?$/.test(value)),
  },
  ENDPOINTS,
);

const rule: Check<IngressRuleSetting> = also(
  members<IngressRuleSetting>(
    { host: aText, path: anyText, upstream: aText, rewrite: orNull(anyText) },
    { host: '', path: '', upstream: '', rewrite: null },
  ),
  'host, path and upstream given',
  ({ host, path, upstream }) => host !== '' && path.startsWith('/') && upstream !== '',
);

const DEFAULTS = EVENT_ROUTER_DEFAULTS;

const block = members<EventRouterSettings>(
  {
    mode: word(['embedded', 'external', 'off']),
    namespace: orNull(
      text('a namespace such as Cloud.EventRouter', (value) => /^[A-Za-z0-9]+(\.[A-Za-z0-9]+)+$/.test(value)),
    ),
    routerApplicationId: aText,
    endpoints: orNull(endpoints),
    cloud: orNull(word(['public', 'government', 'china'])),
    trust: members({ extraCaFiles: listOf(aText), trustSystemRoots: flag() }, DEFAULTS.trust),
    identity: word(['auto', 'strict']),
    rbac: word(['auto', 'enforce']),
    listen: members(
      { router: address, ingress: address, topicPorts: recordOf(aText, integer(0, 65_535)) },
      DEFAULTS.listen,
    ),
    ingress: members(
      { enabled: flag(), selfProbe: flag(), cert: orNull(aText), key: orNull(aText), rules: listOf(rule) },
      DEFAULTS.ingress,
    ),
    delivery: members(
      {
        timeScale: decimal(0, 1000),
        jitter: decimal(0, 1),
        probation: onOff,
        ttlCheck: word(['exact', 'at-attempt']),
        maxConcurrentDeliveries: integer(1, 1000),
        onExhausted: word(['park', 'drop']),
        deadLetterDelay: decimal(0, 86_400),
        retry401Once: flag(),
      },
      DEFAULTS.delivery,
    ),
    health: members({ strictBindings: flag() }, DEFAULTS.health),
    limits: members(
      {
        maxRequestBytes: integer(1024, 100 * 1024 * 1024),
        topicEventsPerSecond: integer(0, 1_000_000),
        topicBytesPerSecond: integer(0, 1_000_000_000),
      },
      DEFAULTS.limits,
    ),
    callerCheck: orNull(word(['enforce', 'warn', 'off'])),
    handshakeAuth: word(['optional', 'required', 'none']),
    handshakeToken: word(['send', 'omit']),
    forwardRouterHeaders: flag(),
    acceptV1Tokens: flag(),
    audiences: listOf(aText),
    requireRole: flag(),
    allowedOrigins: listOf(aText),
    allowRemote: flag(),
    allowPublicSubscribers: flag(),
    allowInsecureSubscribers: flag(),
    revalidateOnPut: flag(),
    strictConflicts: flag(),
    keepOnDelete: flag(),
  },
  EVENT_ROUTER_DEFAULTS,
);

/** External mode needs an address: `endpoints` or `cloud`. */
export const eventRouterCheck: Check<EventRouterSettings> = also(
  block,
  'endpoints or cloud with mode external',
  ({ mode, endpoints: given, cloud }) => mode !== 'external' || given !== null || cloud !== null,
);

/** Addresses of `cloud`; management address = audience. */
export const CLOUDS: Readonly<
  Record<'public' | 'government' | 'china', { authority: string; management: string }>
> = {
  public: { authority: 'https://login.microsoftonline.com', management: 'https://management.azure.com' },
  government: {
    authority: 'https://login.microsoftonline.us',
    management: 'https://management.usgovcloudapi.net',
  },
  china: { authority: 'https://login.chinacloudapi.cn', management: 'https://management.chinacloudapi.cn' },
};
