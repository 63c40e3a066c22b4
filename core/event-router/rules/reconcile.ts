/** Compares an event subscription with the one that its component needs, and makes the body of the put. */
import type { SubscriptionProperties, SubscriptionRecord } from '../../contract/event-router/wire.ts';

export interface WantedSubscription {
  /** Endpoint with its query, if it has one. */
  readonly subscriberEndpoint: string;
  readonly tenantId: string;
  readonly clientId: string;
}

export interface Difference {
  readonly field: string;
  readonly stored: string;
  readonly wanted: string;
}

const SCHEMA = 'CloudEventSchemaV1_0';
const BAD_STATES: ReadonlySet<string> = new Set(['Failed', 'Canceled', 'AwaitingManualAction']);
/** Members that an answer has and a request must not have. */
const READ_ONLY: ReadonlySet<string> = new Set(['provisioningState', 'topic', 'systemData']);

/** The address without its query. */
function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/**
 * Members that differ; [] = no put is needed. Filter, retry policy, dead-letter destination, labels and expiry are not compared.
 * @param fullUrl the endpoint with its query, if it was read
 */
export function differences(
  record: SubscriptionRecord,
  wanted: WantedSubscription,
  fullUrl?: string,
): readonly Difference[] {
  // The answer of another program may lack members that the type requires.
  const properties: SubscriptionProperties | null | undefined = record.properties;
  if (properties === undefined || properties === null)
    return [{ field: 'properties', stored: 'nothing', wanted: 'properties' }];
  const found: Difference[] = [];
  const differs = (field: string, stored: unknown, want: string): void => {
    if (stored !== want)
      found.push({
        field,
        stored: typeof stored === 'string' ? stored : (JSON.stringify(stored) ?? 'nothing'),
        wanted: want,
      });
  };
  differs('eventDeliverySchema', properties.eventDeliverySchema, SCHEMA);
  const { destination } = properties;
  differs('destination.endpointType', destination?.endpointType, 'WebHook');
  if (destination?.endpointType === 'WebHook') {
    const held: Readonly<Record<string, unknown>> = { ...destination.properties };
    const endpoint = fullUrl ?? held['endpointUrl'];
    if (endpoint === undefined) {
      differs(
        'destination.endpointBaseUrl',
        held['endpointBaseUrl'],
        withoutQuery(wanted.subscriberEndpoint),
      );
    } else differs('destination.endpointUrl', endpoint, wanted.subscriberEndpoint);
    differs(
      'destination.azureActiveDirectoryApplicationIdOrUri',
      held['azureActiveDirectoryApplicationIdOrUri'],
      wanted.clientId,
    );
    differs(
      'destination.azureActiveDirectoryTenantId',
      held['azureActiveDirectoryTenantId'],
      wanted.tenantId,
    );
  }
  const state = properties.provisioningState;
  if (state !== undefined && BAD_STATES.has(state))
    found.push({ field: 'provisioningState', stored: state, wanted: 'Succeeded' });
  return found;
}

/** Properties for the body: those of a new subscription, or the stored ones with only Sidelight's members changed. */
export function propertiesToPut(
  record: SubscriptionRecord | null,
  wanted: WantedSubscription,
): SubscriptionProperties {
  const ours = {
    endpointUrl: wanted.subscriberEndpoint,
    azureActiveDirectoryTenantId: wanted.tenantId,
    azureActiveDirectoryApplicationIdOrUri: wanted.clientId,
  };
  const kept: SubscriptionProperties = { ...record?.properties };
  const others = Object.fromEntries(
    Object.entries(kept).filter(([name, value]) => !READ_ONLY.has(name) && value !== null),
  );
  const old = kept.destination;
  const inherited =
    old?.endpointType === 'WebHook'
      ? Object.fromEntries(
          Object.entries({ ...old.properties }).filter(([name]) => name !== 'endpointBaseUrl'),
        )
      : {};
  return {
    ...others,
    destination: { endpointType: 'WebHook', properties: { ...inherited, ...ours } },
    eventDeliverySchema: SCHEMA,
  };
}
