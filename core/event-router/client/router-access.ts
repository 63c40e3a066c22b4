/** How event-router components find their router: addresses and trust, nothing else. Who gives them is the host's business. */
import type { Secret } from './router-client.ts';

export interface RouterEndpoints {
  /** Base address of the identity service. */
  readonly authority: string;
  /** Base address of the management API. */
  readonly management: string;
  /** Scope of a token = this + "/.default". */
  readonly managementAudience: string;
  readonly apiVersion: string;
  /** The router's own, as it is in scopes and paths. */
  readonly namespace: string;
  /** Caller that delivery tokens must name. */
  readonly routerApplicationId: string;
}

/** What a component needs its router for. */
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
  /** Audiences beside the client id. */
  readonly audiences: readonly string[];
  /** [] = any. */
  readonly allowedOrigins: readonly string[];
  readonly forwardRouterHeaders: boolean;
  readonly selfProbe: boolean;
}

export interface SubscriptionName {
  readonly scope: string;
  readonly name: string;
}

export interface KnownSubscription extends SubscriptionName {
  /** One of an earlier configuration that nobody deleted. */
  readonly previous?: SubscriptionName;
}

export interface RouterAccess {
  /**
   * Makes the router ready for a component and says where it is. Idempotent; asked again after trouble.
   * Rejects RouterTrouble where there is no router to be had.
   */
  prepare(guest: RouterGuest): Promise<RouterEndpoints>;
  /** Certificates that are trusted, as PEM. They may change while everything runs. */
  anchors(): readonly string[];
  rules(): WebhookRules;
  /** The subscription that a component had when it was last put; undefined: never. */
  remembered(component: string): Promise<KnownSubscription | undefined>;
  remember(component: string, subscription: KnownSubscription): Promise<void>;
}
