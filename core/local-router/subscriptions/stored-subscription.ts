/** An event subscription as the router stores it, and as its answers show it. */
import type { ProvisioningState, SubscriptionRecord } from '../../contract/event-router/wire.ts';
import type { FullProperties } from '../rules/record-body.ts';
import type { Scope } from '../../router-protocol/scope.ts';

/** The callback for validation by hand. Only the digest of its token is stored. */
export interface Callback {
  readonly id: string;
  readonly digest: string;
  readonly startedAt: string;
  readonly untilMs: number;
}

export interface StoredSubscription {
  /** Id as written at its creation. */
  readonly id: string;
  /** Identity of the subscription: its id in lower case. */
  readonly key: string;
  readonly name: string;
  readonly scope: Scope;
  readonly state: ProvisioningState;
  /** Properties of the last request. */
  readonly desired: FullProperties;
  /** Properties for deliveries; absent: they were never validated. */
  readonly active?: FullProperties;
  readonly error?: { readonly code: string; readonly message: string };
  readonly allowedRate?: number;
  readonly callback?: Callback;
}

/** The record on the wire, without secrets and without the endpoint's query. */
export function recordOf(kept: StoredSubscription, namespace: string): SubscriptionRecord {
  const { destination, batching: _batching, ...rest } = kept.desired;
  const { endpointUrl: _url, deliveryAttributeMappings = [], ...webhook } = destination.properties;
  return {
    id: kept.id,
    name: kept.name,
    type: `${namespace}/eventSubscriptions`,
    properties: {
      topic: kept.scope.text,
      provisioningState: kept.state,
      ...rest,
      destination: {
        endpointType: 'WebHook',
        properties: { ...webhook, deliveryAttributeMappings: maskedMappings(deliveryAttributeMappings) },
      },
    },
  };
}

type Mappings = NonNullable<FullProperties['destination']['properties']['deliveryAttributeMappings']>;

/** The mappings with secret values replaced by `Hidden`. */
export function maskedMappings(mappings: Mappings): Mappings {
  return mappings.map((mapping) =>
    mapping.type === 'Static' && mapping.properties.isSecret === true
      ? { ...mapping, properties: { value: 'Hidden', isSecret: true } }
      : mapping,
  );
}

/** Whether a handshake is needed before deliveries may use `after`. */
export function needsHandshake(before: FullProperties | undefined, after: FullProperties): boolean {
  if (before === undefined) return true;
  const one = before.destination.properties;
  const other = after.destination.properties;
  return (
    one.endpointUrl !== other.endpointUrl ||
    one.azureActiveDirectoryTenantId !== other.azureActiveDirectoryTenantId ||
    one.azureActiveDirectoryApplicationIdOrUri !== other.azureActiveDirectoryApplicationIdOrUri ||
    before.eventDeliverySchema !== after.eventDeliverySchema
  );
}

export function isKeptSubscription(value: unknown): value is StoredSubscription {
  return typeof value === 'object' && value !== null && 'desired' in value && 'scope' in value;
}

/** Whether the subscription has expired: it receives no events any more. */
export function isOver(kept: StoredSubscription, nowMs: number): boolean {
  const until = kept.desired.expirationTimeUtc;
  return typeof until === 'string' && Date.parse(until) <= nowMs;
}
