/** `eventRouter.*`: what goes in and what comes out. */
import type {
  EventRouterStatus,
  HandshakeReport,
  InputState,
  KeysReport,
  ManagementToken,
  TokenVerdict,
} from './components.ts';
import type {
  DeliverySchema,
  EvrCode,
  ProvisioningState,
  SubscriptionProperties,
  SubscriptionRecord,
} from './wire.ts';
import type {
  CertificateStatus,
  FaultParams,
  IdentityStatus,
  IngressFault,
  IngressStatus,
  RouterFault,
  TokenFault,
} from './local-router-status.ts';
import type { SimulateParams, SimulateResult } from './simulate.ts';
import type {
  BreakpointsParams,
  DeadLetterFile,
  RouterAct,
  RouterBreakpoint,
  RouterDelivery,
  RouterDeliveryQuery,
  RouterDeliveryRow,
  RouterHandshake,
  RouterSubscription,
  RouterTopic,
} from './local-router.ts';

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
 * with `raw` it is sent as it is. With `remove`: takes an example away that was added where there is no folder.
 */
export interface CreateParams {
  readonly remove?: boolean;
  readonly component?: string;
  readonly data?: unknown;
  readonly type?: string;
  readonly subject?: string;
  readonly source?: string;
  readonly raw?: boolean;
}

export interface CreateResult {
  readonly component: string;
  /** File of the example. */
  readonly file?: string;
  /** Why the example lives as long as this run; absent: it is kept. */
  readonly notKept?: string;
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
  /** Result of `test`: whether the event passes the filter. */
  readonly matches?: boolean;
  readonly because?: string;
}

export interface DeliveriesParams extends RouterDeliveryQuery {
  readonly component?: string;
  /** One in full, in `delivery`. */
  readonly deliveryId?: string;
  /** `dead-letters`: the files instead. */
  readonly of?: 'deliveries' | 'dead-letters';
  /** One of those files, its content in `deadLetter`. */
  readonly deadLetterFile?: string;
}

export interface DeliveriesResult {
  readonly items: readonly RouterDeliveryRow[];
  readonly nextCursor: string | null;
  readonly total: number;
  readonly timeScale: number;
  readonly delivery?: RouterDelivery;
  readonly deadLetters?: readonly DeadLetterFile[];
  readonly deadLetter?: string;
}

/** Exactly one of `deliveryId`, `deliveryIds`, `matching`, `component` (all of it that may), `deadLetterFile`. */
export interface RouterActParams {
  readonly act: RouterAct | 'replay' | 'delete';
  readonly deliveryId?: string;
  readonly deliveryIds?: readonly string[];
  readonly component?: string;
  /** Every delivery that the same query lists, from a state in which the act is possible. */
  readonly matching?: Pick<RouterDeliveryQuery, 'states' | 'text'>;
  readonly deadLetterFile?: string;
  /** For `replay`: the event to send instead, with a new id. */
  readonly event?: string;
  /** For `replay`: another event subscription's record. */
  readonly subscriptionId?: string;
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
  /** Verdicts on tokens, the newest request first, at most 20; also on requests without a token. */
  readonly verdicts: readonly TokenVerdict[];
}

export interface TokenResult {
  readonly items: readonly TokenReport[];
  /** The embedded router's identity service. */
  readonly identity?: IdentityStatus;
  /** The new secret after `rotate-secret`: shown once. */
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

/** `sas`: not the topic's key but a signature token made with it, valid for an hour. */
export interface RevealParams {
  readonly sas?: boolean;
  readonly component?: string;
  readonly field?: string;
  readonly topic?: string;
  readonly keyName?: 'key1' | 'key2';
}

/** The methods. A row per method, as in console.ts. */
export interface EventRouterMethods {
  'eventRouter.status': { params: { component?: string }; result: EventRouterStatus };
  'eventRouter.handshake': { params: { component: string; act?: HandshakeAct }; result: HandshakeResult };
  'eventRouter.emulate': { params: EmulateParams; result: EmulateResult };
  'eventRouter.create': { params: CreateParams; result: CreateResult };
  'eventRouter.subscriptions': { params: SubscriptionsParams; result: SubscriptionsResult };
  'eventRouter.deliveries': { params: DeliveriesParams; result: DeliveriesResult };
  'eventRouter.act': { params: RouterActParams; result: RouterActResult };
  'eventRouter.breakpoints': {
    params: BreakpointsParams;
    result: { items: readonly RouterBreakpoint[] };
  };
  'eventRouter.topics': { params: TopicsParams; result: { items: readonly RouterTopic[] } };
  'eventRouter.token': { params: TokenParams; result: TokenResult };
  'eventRouter.certificate': { params: CertificateParams; result: CertificateResult };
  'eventRouter.faults': { params: FaultsParams; result: FaultsResult };
  'eventRouter.simulate': { params: SimulateParams; result: SimulateResult };
  'eventRouter.reveal': { params: RevealParams; result: { value: string } };
}
