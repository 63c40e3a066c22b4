/** What the embedded event router shows of its own parts: listeners, ingress, certificates, directory, faults. */
import type { DeliveryState } from '../delivery.ts';
import type { EvrCode } from './wire.ts';

export const INGRESS_FAULTS = ['none', '503', 'wrong-host', 'self-signed', 'expired', 'pause'] as const;
/** `pause` and `503`: the upstream is not asked and 503 is answered, `pause` as if it were down. */
export type IngressFault = (typeof INGRESS_FAULTS)[number];

export interface IngressRule {
  readonly host: string;
  readonly path: string;
  readonly upstream: string;
  readonly rewrite?: string;
  /** State of the upstream at the last request through this rule. */
  readonly upstreamState: 'unknown' | 'up' | 'down';
}

export interface CertInfo {
  readonly subject: string;
  readonly issuer: string;
  readonly names: readonly string[];
  readonly notBefore: string;
  readonly notAfter: string;
  readonly daysLeft: number;
  /** SHA-256, hex with colons. */
  readonly fingerprint: string;
  readonly verdict: 'ok' | EvrCode;
}

export interface IngressStatus {
  readonly listening: boolean;
  readonly url?: string;
  readonly fault: IngressFault;
  readonly rules: readonly IngressRule[];
  readonly certificate?: CertInfo;
  readonly error?: { readonly code: EvrCode; readonly message: string };
}

export interface TrustHint {
  readonly runtime: string;
  readonly text: string;
}

export interface CertificateStatus {
  readonly ca: CertInfo;
  readonly caFile?: string;
  readonly leaf: CertInfo;
  readonly hints: readonly TrustHint[];
}

/** What the next delivery tokens shall be. */
export const TOKEN_FAULTS = [
  'valid',
  'none',
  'expired',
  'not-yet-valid',
  'wrong-audience',
  'wrong-issuer',
  'wrong-caller',
  'unknown-kid',
  'bad-signature',
] as const;
export type TokenFault = (typeof TOKEN_FAULTS)[number];

export interface DirectoryClient {
  readonly tenantId: string;
  readonly clientId: string;
  readonly displayName: string;
  /** Last characters of each secret. */
  readonly secrets: readonly { readonly hint: string; readonly expiresAt?: string }[];
  readonly grants: readonly { readonly role: string; readonly scope: string }[];
}

export interface IdentityStatus {
  readonly authority: string;
  readonly tenants: readonly string[];
  readonly clients: readonly DirectoryClient[];
  readonly keys: readonly { readonly kid: string; readonly since: string; readonly current: boolean }[];
  readonly clockSkewMs: number;
  readonly nextTokens: { readonly kind: TokenFault; readonly times: number };
  /** Newest first, at most 20. */
  readonly requests: readonly {
    readonly at: string;
    readonly tenantId: string;
    readonly clientId: string;
    readonly audience?: string;
    readonly status: number;
    readonly error?: string;
    readonly code?: number;
  }[];
}

export const FAULT_TARGETS = ['ingress', 'topic', 'identity', 'management'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

export type FaultParams =
  | {
      readonly target: FaultTarget;
      /** Requests it applies to. */
      readonly times: number;
      readonly status?: number;
      readonly delayMs?: number;
      readonly drop?: boolean;
      readonly slowBodyMs?: number;
    }
  | { readonly target: 'identity'; readonly clockSkewMinutes: number };

export interface RouterFault {
  readonly faultId: string;
  readonly params: FaultParams;
  readonly left: number;
}

/** A request that a listener of the router refused. Nothing of its query, headers or body is kept. */
export interface RouterRefusal {
  readonly time: string;
  readonly at: FaultTarget;
  /** Absent where no request could be read. */
  readonly method?: string;
  readonly path?: string;
  /** Absent: closed without an answer. */
  readonly status?: number;
  readonly code: string;
  readonly reason: string;
}

export interface LocalRouterStatus {
  readonly running: boolean;
  readonly addresses: RouterAddresses;
  readonly namespace: string;
  readonly timeScale: number;
  readonly counts: Readonly<Partial<Record<DeliveryState, number>>>;
  readonly topics: number;
  readonly subscriptions: number;
  readonly ingress: IngressStatus;
  readonly remote: boolean;
  /** Newest first, at most 50. */
  readonly refusals: readonly RouterRefusal[];
  /** What the router did by itself and what a person should know; newest last, at most 100. */
  readonly notes: readonly { readonly at: string; readonly text: string; readonly code?: EvrCode }[];
}

export interface RouterAddresses {
  /** https base of identity, management and topics. */
  readonly router: string;
  readonly ingress: string;
  readonly topicPorts: Readonly<Record<string, string>>;
}
