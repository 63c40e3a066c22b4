/** `eventRouter.*`: what the console and scripts see of event-router components and of the router they talk to. */
import type {
  DeliverySchema,
  EvrCode,
  ProvisioningState,
  ScopeKind,
  SubscriptionProperties,
  SubscriptionRecord,
} from './event-router.ts';
import type {
  CertificateStatus,
  DeadLetterFile,
  FaultParams,
  IdentityStatus,
  IngressFault,
  IngressStatus,
  LocalRouterStatus,
  RouterAct,
  RouterDelivery,
  RouterDeliveryQuery,
  RouterDeliveryRow,
  RouterFault,
  RouterHandshake,
  RouterSubscription,
  RouterTopic,
  TokenFault,
} from './local-router.ts';
import type { Problem } from './subscription.ts';

/** Steps of an input side on its way to being ready, in their order. */
export const INPUT_STEPS = [
  'configured',
  'waiting-app',
  'probing-app',
  'resolving-identity',
  'listening',
  'self-probing',
  'acquiring-token',
  'reconciling',
  'ready',
] as const;
export type InputStep = (typeof INPUT_STEPS)[number];

/** `failed`: nothing is tried again by itself; `not-subscribed`: the app does not take its events; `off`: it has no input side. */
export type InputState = InputStep | 'failed' | 'not-subscribed' | 'off' | 'stopped';

export interface StepReport {
  readonly step: InputStep;
  readonly result: 'pending' | 'running' | 'done' | 'skipped' | 'retrying' | 'failed';
  /** How often it was tried since the component started. */
  readonly attempts: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly durationMs?: number;
  readonly code?: EvrCode;
  /** What it found or why it failed, in one line. */
  readonly message?: string;
  readonly nextAttemptAt?: string;
}

/** One setting of a component: `value` is `***` for a secret. */
export interface FieldReport {
  readonly field: string;
  readonly value?: string;
  readonly secret: boolean;
  /** Of the sides that are on. */
  readonly required: boolean;
  readonly side: 'input' | 'output' | 'both';
  readonly problems: readonly Problem[];
}

/** A request to the webhook that asked for consent, or our own probe through the ingress. */
export interface HandshakeReport {
  readonly at: string;
  /** `self-probe`: sent by the binding through the real ingress. */
  readonly by: 'self-probe' | 'router';
  readonly origin?: string;
  readonly callback?: string;
  readonly requestedRate?: string;
  readonly token: 'verified' | 'absent' | 'refused';
  /** Why the token was refused. */
  readonly reason?: string;
  /** Absent: no answer. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly consent: 'yes' | 'no' | 'pending';
  readonly code?: EvrCode;
  readonly message?: string;
}

export const TOKEN_CHECKS = ['signature', 'iss', 'aud', 'exp', 'nbf', 'tid', 'caller', 'role'] as const;
export type TokenCheck = (typeof TOKEN_CHECKS)[number];

/** How a token on a webhook request fared; claims are those that may be shown, never the token. */
export interface TokenVerdict {
  readonly at: string;
  readonly accepted: boolean;
  /** Word of the interface's table, for example "token expired". */
  readonly reason: string;
  /** Error code of the check, for example ERR_JWT_EXPIRED. */
  readonly errorCode?: string;
  readonly warnings: readonly string[];
  readonly checks: readonly {
    readonly check: TokenCheck;
    readonly result: 'ok' | 'failed' | 'not-checked';
  }[];
  readonly claims: {
    readonly kid?: string;
    readonly alg?: string;
    readonly iss?: string;
    readonly aud?: string | readonly string[];
    readonly caller?: string;
    readonly tid?: string;
    readonly expiresAt?: string;
    readonly notBefore?: string;
    readonly roles?: readonly string[];
  };
}

/** One request to the webhook after its path was right. */
export interface WebhookRow {
  readonly at: string;
  readonly method: string;
  readonly status: number;
  readonly messageId?: string;
  readonly eventIds: readonly string[];
  readonly events: number;
  /** `aeg-delivery-count`: attempts that the router made before. */
  readonly deliveryCount?: number;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Why it was not 200, in one line. */
  readonly reason?: string;
}

/** One `create` through the output side. */
export interface OutputCall {
  readonly at: string;
  readonly status?: number;
  readonly durationMs: number;
  readonly eventId?: string;
  readonly error?: string;
}

export interface ManagementToken {
  readonly audience: string;
  readonly obtainedAt?: string;
  readonly expiresAt?: string;
  readonly code?: EvrCode;
  readonly error?: string;
}

export interface KeysReport {
  readonly url?: string;
  readonly fetchedAt?: string;
  readonly kids: readonly string[];
  readonly error?: string;
}

export interface InputReport {
  readonly state: InputState;
  readonly steps: readonly StepReport[];
  readonly explicit: boolean;
  /** Path of the app that gets the events. */
  readonly route: string;
  readonly appId?: string;
  readonly webhook?: { readonly address: string; readonly path: string; readonly listening: boolean };
  readonly subscriberEndpoint?: string;
  readonly scope?: string;
  readonly scopeKind?: ScopeKind;
  readonly subscriptionName?: string;
  /** Newest first, at most 20. */
  readonly handshakes: readonly HandshakeReport[];
  /** Newest first, at most 50. */
  readonly received: readonly WebhookRow[];
  readonly counts: { readonly accepted: number; readonly refused: number; readonly unauthorized: number };
  /** One that was made for an earlier scope or name and still gets events. */
  readonly previous?: { readonly scope: string; readonly name: string };
}

export interface OutputReport {
  readonly topicEndpoint: string;
  readonly operations: readonly string[];
  /** Newest first, at most 50. */
  readonly calls: readonly OutputCall[];
}

/** One event-router component, also one that is not valid. */
export interface EventRouterComponent {
  readonly name: string;
  readonly type: string;
  readonly file?: string;
  readonly line?: number;
  readonly state: 'ready' | 'initialising' | 'failed';
  readonly reason?: string;
  readonly direction: 'input' | 'output' | 'input, output' | 'none';
  readonly fields: readonly FieldReport[];
  readonly problems: readonly Problem[];
  /** What was made of the fields: default names, added paths. */
  readonly notes: readonly string[];
  readonly input?: InputReport;
  readonly output?: OutputReport;
}

export interface EventRouterStatus {
  readonly mode: 'embedded' | 'external' | 'off';
  /** Of an external router: `public`, `government`, `china`, or the host of its management address. */
  readonly externalName?: string;
  readonly endpoints?: {
    readonly authority: string;
    readonly management: string;
    readonly managementAudience: string;
    readonly apiVersion: string;
  };
  /** Only in embedded mode, once it runs. */
  readonly router?: LocalRouterStatus;
  /** Why it does not run although it was asked to. */
  readonly routerError?: { readonly code?: EvrCode; readonly message: string };
  readonly components: readonly EventRouterComponent[];
}

/** `probe`: OPTIONS through the ingress; `router`: the subscription is put again, so that the router asks; `retry`: the step that waits runs now. */
export const HANDSHAKE_ACTS = ['probe', 'router', 'retry', 'validate', 'revoke'] as const;
export type HandshakeAct = (typeof HANDSHAKE_ACTS)[number];

export interface HandshakeResult {
  readonly component: string;
  readonly state: InputState;
  /** As the binding saw them. */
  readonly handshakes: readonly HandshakeReport[];
  /** As the embedded router saw them. */
  readonly routerHandshakes: readonly RouterHandshake[];
  /** Address that a person opens to consent, while the router waits for it. */
  readonly validationUrl?: string;
}

export interface EmulateParams {
  readonly component: string;
  readonly send: 'handshake' | 'events';
  /** Default `valid`. */
  readonly token?: TokenFault;
  /** One is sent as a single event, several as a batch; default: one sample. */
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  /** Send even one event as an array. */
  readonly batch?: boolean;
}

/** What the webhook answered, through the ingress. */
export interface EmulateResult {
  readonly url: string;
  readonly token: TokenFault;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly durationMs: number;
  readonly code?: EvrCode;
  readonly error?: string;
  /** Meaning of the status of a handshake: 200 healthy, 503 malfunctioning ingress. */
  readonly health?: 'healthy' | 'malfunctioning-ingress' | 'not-healthy';
}

/**
 * Without `component`: adds a working example component as a file and loads it.
 * With `component`: the operation `create` of its output side. `data` alone is wrapped as a CloudEvent with `type`, `subject` and `source`;
 * with `raw` it is sent as it is.
 */
export interface CreateParams {
  readonly component?: string;
  readonly data?: unknown;
  readonly type?: string;
  readonly subject?: string;
  readonly source?: string;
  readonly raw?: boolean;
}

export interface CreateResult {
  readonly component: string;
  /** Of the example. */
  readonly file?: string;
  readonly eventId?: string;
  /** What the sidecar's route would have answered: 204, or 500 with `message`. */
  readonly status?: number;
  readonly message?: string;
}

/** A subscription as its router has it, beside what the component wants. */
export interface SubscriptionReport {
  readonly component?: string;
  readonly scope: string;
  readonly name: string;
  readonly record?: SubscriptionRecord;
  readonly state?: ProvisioningState;
  readonly schema?: DeliverySchema;
  /** Members that differ; [] = nothing to do. */
  readonly differences: readonly {
    readonly field: string;
    readonly stored: string;
    readonly wanted: string;
  }[];
  /** What the embedded router knows beyond the record. */
  readonly router?: RouterSubscription;
  /** `previous`: made for an earlier configuration of the component and still active. */
  readonly role: 'current' | 'previous' | 'other';
  readonly code?: EvrCode;
  readonly error?: string;
}

export interface SubscriptionsParams {
  readonly component?: string;
  /** Default `list`. */
  readonly act?: 'list' | 'put' | 'change' | 'delete' | 'test';
  /** For `delete` and `test`; default: the component's own. */
  readonly scope?: string;
  readonly name?: string;
  /** For `change`: filter, retry policy, labels, dead-letter destination. */
  readonly properties?: Pick<
    SubscriptionProperties,
    'filter' | 'retryPolicy' | 'labels' | 'deadLetterDestination' | 'expirationTimeUtc'
  >;
  /** For `test`: the event to run through the filter; nothing is sent. */
  readonly event?: unknown;
}

export interface SubscriptionsResult {
  readonly items: readonly SubscriptionReport[];
  /** Of `test`. */
  readonly matches?: boolean;
  readonly because?: string;
}

export interface DeliveriesParams extends RouterDeliveryQuery {
  readonly component?: string;
  /** One in full, in `delivery`. */
  readonly deliveryId?: string;
  /** `dead-letters`: the files instead. */
  readonly of?: 'deliveries' | 'dead-letters';
}

export interface DeliveriesResult {
  readonly items: readonly RouterDeliveryRow[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly timeScale: number;
  readonly delivery?: RouterDelivery;
  readonly deadLetters?: readonly DeadLetterFile[];
}

/** Exactly one of `deliveryId`, `deliveryIds`, `component` (all of it that may), `deadLetterFile`. */
export interface RouterActParams {
  readonly act: RouterAct | 'replay' | 'delete';
  readonly deliveryId?: string;
  readonly deliveryIds?: readonly string[];
  readonly component?: string;
  readonly deadLetterFile?: string;
}

export interface RouterActResult {
  readonly changed: number;
  readonly refused?: readonly {
    readonly deliveryId: string;
    readonly code: string;
    readonly state: string;
  }[];
}

export interface TopicsParams {
  readonly component?: string;
  readonly topic?: string;
  readonly act?: 'list' | 'regenerate-key' | 'disable' | 'enable';
  readonly keyName?: 'key1' | 'key2';
}

export interface TokenParams {
  readonly component?: string;
  /** `fault`: what the next delivery tokens of the embedded router shall be; `grant`, `add-client`, `provider`: its directory. */
  readonly act?:
    | 'refresh'
    | 'rotate-key'
    | 'rotate-secret'
    | 'fault'
    | 'grant'
    | 'revoke'
    | 'setup-identity'
    | 'add-app';
  readonly fault?: TokenFault;
  readonly times?: number;
  readonly role?: string;
  readonly scope?: string;
  readonly tenantId?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
}

export interface TokenReport {
  readonly component: string;
  readonly issuer?: string;
  readonly management: ManagementToken;
  readonly keys: KeysReport;
  /** Of the last request with or without a token; older ones follow, at most 20. */
  readonly verdicts: readonly TokenVerdict[];
}

export interface TokenResult {
  readonly items: readonly TokenReport[];
  /** The embedded router's identity service. */
  readonly identity?: IdentityStatus;
  /** Of `rotate-secret`: shown once. */
  readonly clientSecret?: string;
}

export interface CertificateParams {
  readonly act?: 'show' | 'renew-leaf' | 'rotate-ca';
}

export interface CertificateResult extends Partial<CertificateStatus> {
  readonly ingress?: IngressStatus;
  /** Certificate of the local authority, to be trusted by other programs. */
  readonly pem?: string;
  /** What subscribers and routers are judged by here. */
  readonly trust: { readonly systemRoots: boolean; readonly extraCaFiles: readonly string[] };
}

export interface FaultsParams {
  /** The ingress misbehaves until it is `none` again; mending it makes what waited go out at once. */
  readonly ingress?: IngressFault;
  readonly add?: FaultParams;
  readonly remove?: string;
  readonly timeScale?: number;
}

export interface FaultsResult {
  readonly ingress: IngressFault;
  readonly faults: readonly RouterFault[];
  readonly timeScale: number;
}

export interface RevealParams {
  readonly component?: string;
  readonly field?: string;
  readonly topic?: string;
  readonly keyName?: 'key1' | 'key2';
}
