/**
 * Interfaces of the binding's client for an event router, embedded or real: management, tokens, publishing.
 */
import type { SubscriptionProperties, SubscriptionRecord } from '../../contract/event-router/wire.ts';
import type { ShownToken } from '../../contract/event-router/local-router.ts';
import type { Scope } from '../../router-protocol/scope.ts';

/** Operation that a PUT started; `statusUrl` absent: it has ended. */
export interface OperationHandle {
  readonly scope: Scope;
  readonly name: string;
  readonly statusUrl?: string;
  readonly record?: SubscriptionRecord;
}

/** Management of event subscriptions. Its methods reject with an error that has an EVR code. */
export interface EventRouterControlPlane {
  getSubscription(scope: Scope, name: string, signal: AbortSignal): Promise<SubscriptionRecord | null>;
  putSubscription(
    scope: Scope,
    name: string,
    properties: SubscriptionProperties,
    signal: AbortSignal,
  ): Promise<OperationHandle>;
  awaitOperation(handle: OperationHandle, signal: AbortSignal): Promise<SubscriptionRecord>;
  deleteSubscription(scope: Scope, name: string, signal: AbortSignal): Promise<void>;
}

/** Verdict on a token. `status` is the status of the webhook's answer. */
export type Verdict =
  | { readonly ok: true; readonly token: ShownToken; readonly warning?: string }
  | {
      readonly ok: false;
      readonly status: 400 | 401 | 503;
      /** Code of the library or of Sidelight, and the sentence for people. */
      readonly code: string;
      readonly reason: string;
      readonly token?: ShownToken;
    };

/** Verifies the token of a delivery against published keys. Never rejects. */
export interface TokenVerifier {
  verify(authorizationHeader: string | undefined): Promise<Verdict>;
}

/** A value that prints as `***`. */
export interface Secret {
  reveal(): string;
}

export interface EventPublisher {
  publish(
    endpoint: URL,
    key: Secret,
    body: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: string }>;
}
