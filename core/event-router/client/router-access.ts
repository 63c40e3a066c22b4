/**
 * Access of event-router components to their router: addresses and trust. The host decides where they come
 * from.
 */
import type { Secret } from './router-client.ts';

export interface RouterEndpoints {
  /** Base address of the identity service. */
  readonly authority: string;
  /** Base address of the management API. */
  readonly management: string;
  /** Audience of management tokens; the scope is this + "/.default". */
  readonly managementAudience: string;
  readonly apiVersion: string;
  /** Namespace of the router in scopes and paths. */
  readonly namespace: string;
  /** Caller that delivery tokens have to name. */
  readonly routerApplicationId: string;
}

/** A component's requirements for its router. */
export interface RouterGuest {
  readonly component: string;
  readonly output?: { readonly topicEndpoint: string; readonly accessKey: Secret };
  readonly input?: {
    readonly tenantId: string;
    readonly subscriptionId: string;
    readonly clientId: string;
    readonly clientSecret: Secret;
    readonly scope: string;
    readonly subscriberEndpoint: string;
    readonly handshakePort: number;
  };
}

export interface WebhookRules {
  readonly callerCheck: 'enforce' | 'warn' | 'off';
  readonly handshakeAuth: 'optional' | 'required' | 'none';
  readonly acceptV1Tokens: boolean;
  readonly requireRole: boolean;
  /** Accepted audiences beside the client id. */
  readonly audiences: readonly string[];
  /** Accepted origins; [] = any. */
  readonly allowedOrigins: readonly string[];
  readonly forwardRouterHeaders: boolean;
  readonly selfProbe: boolean;
}

export interface SubscriptionName {
  readonly scope: string;
  readonly name: string;
}

export interface KnownSubscription extends SubscriptionName {
  /** Subscription of an earlier configuration that still exists. */
  readonly previous?: SubscriptionName;
}

export interface RouterAccess {
  /**
   * Prepares the router for a component and returns its addresses. Idempotent; called again after an error.
   * Rejects RouterTrouble if no router is available.
   */
  prepare(guest: RouterGuest): Promise<RouterEndpoints>;
  /** Trusted certificates as PEM. They may change at run time. */
  anchors(): readonly string[];
  rules(): WebhookRules;
  /** The subscription of a component at its last put; undefined: none yet. */
  remembered(component: string): Promise<KnownSubscription | undefined>;
  remember(component: string, subscription: KnownSubscription): Promise<void>;
}
