/** What the console and scripts see of event-router components: fields, steps, handshakes, tokens, calls. */
import type { EvrCode, ScopeKind } from './wire.ts';
import type { LocalRouterStatus } from './local-router-status.ts';
import type { Problem } from '../subscription.ts';

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
  /** What the step found or why it failed, in one line. */
  readonly message?: string;
  readonly nextAttemptAt?: string;
}

/** One setting of a component: `value` is `***` for a secret. */
export interface FieldReport {
  readonly field: string;
  readonly value?: string;
  readonly secret: boolean;
  /** True when a side that is on needs the field. */
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
  /** Set for a component that was added here and can be removed; `notKept` says why it lasts only as long as this run. */
  readonly added?: { readonly notKept?: string };
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
  /** Name of an external router: `public`, `government`, `china`, or the host of its management address. */
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
