/**
 * Control of the embedded event router by the host and the console, apart from its wire interface. The
 * binding does not use it.
 */
import type { SimulateParams, SimulateResult } from '../contract/event-router/simulate.ts';
import type { InputSchema, SubscriptionFilter, SubscriptionRecord } from '../contract/event-router/wire.ts';
import type {
  CertificateStatus,
  CertInfo,
  FaultParams,
  IdentityStatus,
  IngressFault,
  IngressStatus,
  LocalRouterStatus,
  RouterAddresses,
  RouterFault,
  TokenFault,
} from '../contract/event-router/local-router-status.ts';
import type {
  DeadLetterFile,
  FilterVerdict,
  RouterAct,
  RouterAttempt,
  RouterBreakpoint,
  RouterChange,
  RouterDelivery,
  RouterDeliveryQuery,
  RouterDeliveryRow,
  RouterHandshake,
  RouterSubscription,
  RouterTopic,
} from '../contract/event-router/local-router.ts';

/** A component, as far as the router's convenience modes (`identity: auto`, `rbac: auto`) need it. */
export interface RouterTenant {
  readonly component: string;
  /** Endpoint of the output side; the topic there gets the component's key as its first one. */
  readonly topicEndpoint?: string;
  readonly accessKey?: string;
  /** Facts about the input side. */
  readonly input?: {
    readonly tenantId: string;
    readonly subscriptionId: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly scope: string;
    readonly subscriberEndpoint: string;
    readonly handshakePort: number;
  };
}

export interface NewTopic {
  readonly name: string;
  /** Resource id; absent: one in the default subscription and resource group. */
  readonly resourceId?: string;
  readonly inputSchema?: InputSchema;
  readonly key1?: string;
}

export interface RouterTopics {
  list(): readonly RouterTopic[];
  /** Throws Refusal INVALID_PARAMS for a bad or taken name. */
  create(topic: NewTopic): Promise<RouterTopic>;
  remove(name: string): Promise<void>;
  /** Keys of a topic. Throws Refusal NOT_FOUND, as all methods here that take the name of a topic. */
  keys(name: string): { readonly key1: string; readonly key2: string };
  regenerateKey(name: string, which: 'key1' | 'key2'): Promise<{ key1: string; key2: string }>;
  /** Makes a signature token for the topic's endpoint, valid until `expiresMs` (ms since 1970). */
  sas(name: string, expiresMs: number, which?: 'key1' | 'key2'): string;
  setDisabled(name: string, disabled: boolean): Promise<void>;
  /** Publishes events like the console's publish form: over the wire, with key1. */
  publish(
    name: string,
    body: string,
    contentType: string,
  ): Promise<{ readonly status: number; readonly body: string }>;
}

export interface RouterSubscriptions {
  list(): readonly RouterSubscription[];
  get(id: string): RouterSubscription | undefined;
  remove(id: string): Promise<void>;
  /** Repeats the handshake; resolves with the record after it. */
  handshake(id: string): Promise<SubscriptionRecord>;
  /** Address for the manual validation that the subscription waits for. */
  validationUrl(id: string): string | undefined;
  /** Handshakes, newest first, at most 20 per subscription. */
  handshakes(id?: string): readonly RouterHandshake[];
  /** Runs an event through the filter without sending it. */
  test(id: string, event: Readonly<Record<string, unknown>>): FilterVerdict;
}

export interface RouterDeliveries {
  list(query: RouterDeliveryQuery): {
    readonly items: readonly RouterDeliveryRow[];
    readonly nextCursor: string | null;
    readonly total: number;
  };
  get(deliveryId: string): RouterDelivery | undefined;
  /** Does an act on a delivery. Throws Refusal NOT_FOUND, or TRANSITION_NOT_ALLOWED with the state. */
  act(deliveryId: string, act: RouterAct): Promise<RouterDeliveryRow>;
  /**
   * Publishes a copy of the event, which may be changed, to its subscription or to another one alone, with a
   * new id.
   */
  resend(
    deliveryId: string,
    how?: { readonly text?: string; readonly subscriptionId?: string },
  ): Promise<RouterDeliveryRow>;
  readonly breakpoints: {
    list(): readonly RouterBreakpoint[];
    /** Adds a breakpoint. Throws Refusal INVALID_PARAMS. Deliveries that wait already are not affected. */
    add(filter: SubscriptionFilter): RouterBreakpoint;
    /** Removes a breakpoint. Throws Refusal NOT_FOUND. */
    remove(breakpointId: string): void;
  };
  /** Makes all waiting deliveries due now, for one subscription or all. */
  hurry(subscriptionId?: string): void;
  /** The newest 1,000 dead-letter files. */
  deadLetters(): readonly DeadLetterFile[];
  deadLetter(file: string): string;
  removeDeadLetters(files?: readonly string[]): Promise<number>;
  /** Sets the time scale; 1 is the documented schedule. */
  setTimeScale(scale: number): void;
}

export interface RouterIngress {
  /** Forwards `publicUrl` (host and path) to `upstream`. From then on the certificate names the host. */
  ensureRule(publicUrl: URL, upstream: URL): Promise<CertInfo>;
  status(): IngressStatus;
  /** Sets the fault of the ingress. Removing it (`none`) makes waiting deliveries due at once. */
  setFault(fault: IngressFault): Promise<void>;
}

export interface RouterCertificates {
  status(): CertificateStatus;
  caPem(): string;
  renewLeaf(): Promise<CertInfo>;
  rotateCa(): Promise<CertInfo>;
}

export interface RouterIdentity {
  status(): IdentityStatus;
  registerClient(client: {
    readonly tenantId: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly displayName?: string;
    /** End of the secret's validity, ms since 1970. */
    readonly secretExpiresMs?: number;
  }): Promise<void>;
  grant(clientId: string, role: RouterRole, scope: string): Promise<void>;
  revoke(clientId: string, role: RouterRole, scope: string): Promise<void>;
  /** Publishes a new signing key. It is used at once (`now`), or once receivers have had time to read it. */
  rotateKey(now?: boolean): Promise<void>;
  /** Sets the fault of the next `times` delivery and handshake tokens. */
  simulate(kind: TokenFault, times: number): void;
}

/**
 * Rights of a client. `contributor`: everything on the management API. `event-subscription-contributor`:
 * everything but reading keys.
 */
export const ROUTER_ROLES = [
  'event-subscription-contributor',
  'contributor',
  'data-sender',
  'webhook-subscriber',
] as const;
export type RouterRole = (typeof ROUTER_ROLES)[number];

/** Names and ids of the roles, on the wire and in refusals. */
export const ROLE_WORDS: Readonly<Record<RouterRole, { readonly name: string; readonly id: string }>> = {
  'event-subscription-contributor': {
    name: 'EventGrid EventSubscription Contributor',
    id: '428e0ff0-5e57-4d9c-a221-2c70d0e0a443',
  },
  contributor: { name: 'EventGrid Contributor', id: '1e241071-0855-49ea-94dc-649edcd759de' },
  'data-sender': { name: 'EventGrid Data Sender', id: 'd5a91429-5739-47e2-a06b-3470a27159e7' },
  'webhook-subscriber': { name: 'AzureEventGridSecureWebhookSubscriber', id: '' },
};

/** The role with this word, name or id, in any letter case; undefined: there is none. */
export function routerRole(text: string): RouterRole | undefined {
  const lower = text.trim().toLowerCase();
  return ROUTER_ROLES.find((role) =>
    [role, ROLE_WORDS[role].name, ROLE_WORDS[role].id].some(
      (one) => one !== '' && one.toLowerCase() === lower,
    ),
  );
}

export interface EmulateParams {
  readonly url: string;
  readonly kind: 'handshake' | 'event' | 'batch';
  readonly token: TokenFault;
  readonly tenantId?: string;
  readonly clientId?: string;
  /** JSON text of the body; absent: a sample. */
  readonly body?: string;
}

export interface LocalRouter {
  readonly topics: RouterTopics;
  readonly subscriptions: RouterSubscriptions;
  readonly deliveries: RouterDeliveries;
  readonly ingress: RouterIngress;
  readonly certificates: RouterCertificates;
  readonly identity: RouterIdentity;
  readonly faults: {
    list(): readonly RouterFault[];
    arm(fault: FaultParams): RouterFault;
    /** Removes a fault; without an id all of them. */
    disarm(faultId?: string): void;
  };
  /** Opens the listeners. Rejects with an error that has an EVR code; then no listener stays open. */
  start(): Promise<void>;
  /** Stops the router. Deliveries in flight get 5 s to end. Idempotent. */
  stop(): Promise<void>;
  addresses(): RouterAddresses;
  status(): LocalRouterStatus;
  /** Why events are refused at present because the backlog is full; undefined: they are accepted. */
  readonly refuses?: string | undefined;
  /**
   * Registers what a component needs, as far as the modes allow. Idempotent; resolves with the changes in
   * words.
   */
  adopt(tenant: RouterTenant): Promise<readonly string[]>;
  /** Sends a handshake or sample events to a webhook, with the requested token. */
  emulate(params: EmulateParams): Promise<RouterAttempt>;
  /** Writes all changes by people and clients to disk. A disk that refuses them gets them later. */
  written(): void;
  /** Calls back after every change, at most once per kind and turn of the event loop. */
  onChange(take: (change: RouterChange) => void): () => void;
}

/**
 * Plays a delivery through the router's schedule without sending anything; no router has to run.
 * @param timeScale used if `params` has none
 */
export type SimulateDelivery = (params: SimulateParams, timeScale: number) => SimulateResult;

/** Listeners of the embedded router that can have an address of their own. */
export type RouterListener = 'router' | 'ingress';

/** Error of a router or ingress that cannot open, with its code. */
export class RouterError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = 'RouterError';
  }
}
