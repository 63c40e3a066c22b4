/**
 * The event router's shapes on the wire, shared by both sides: settings, codes, management records, topic
 * records.
 */
import { name } from '../bounds.ts';
import {
  DELIVERY_SCHEMAS,
  EVR_CODES,
  FILTER_OPERATORS,
  INPUT_SCHEMAS,
  PROVISIONING_STATES,
} from './words.ts';
import {
  Bool,
  dictionary,
  keysOf,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  Text,
  Union,
  Unknown,
} from '../schema.ts';
import type { Static } from '../schema.ts';

export type { EvrCode, ProvisioningState, DeliverySchema, InputSchema, FilterOperator } from './words.ts';

/** Code of an error; EVR_CODES explains each. */
export const evrCode = oneOf(keysOf(EVR_CODES));

export const scopeKind = oneOf(['subscription', 'resourceGroup', 'resource', 'topic']);
export type ScopeKind = Static<typeof scopeKind>;

export const advancedFilter = members({
  operatorType: oneOf(keysOf(FILTER_OPERATORS)),
  key: name,
  value: Optional(Union([Num(), Bool()])),
  values: Optional(
    Union([
      list(Text(), { maxItems: 100 }),
      list(Num(), { maxItems: 100 }),
      list(list(Num(), { maxItems: 2 }), { maxItems: 100 }),
    ]),
  ),
});
export type AdvancedFilter = Static<typeof advancedFilter>;

export const subscriptionFilter = members({
  subjectBeginsWith: Optional(name),
  subjectEndsWith: Optional(name),
  /** Types of events that match; absent or ["All"]: every type. */
  includedEventTypes: Optional(list(name, { maxItems: 1000 })),
  isSubjectCaseSensitive: Optional(Bool()),
  enableAdvancedFilteringOnArrays: Optional(Bool()),
  advancedFilters: Optional(list(advancedFilter, { maxItems: 100 })),
});
export type SubscriptionFilter = Static<typeof subscriptionFilter>;

export const deliveryAttributeMapping = Union([
  members({
    name: Text(),
    type: Literal('Static'),
    properties: members({
      value: Text(),
      isSecret: Optional(Bool()),
    }),
  }),
  members({
    name: Text(),
    type: Literal('Dynamic'),
    properties: members({
      sourceField: Text(),
    }),
  }),
]);
export type DeliveryAttributeMapping = Static<typeof deliveryAttributeMapping>;

export const webHookDestination = members({
  endpointType: Literal('WebHook'),
  properties: members({
    /** The endpoint with its query: clients send it and the router keeps it, but no answer has it. */
    endpointUrl: Optional(Text()),
    /** The endpoint without its query. */
    endpointBaseUrl: Optional(Text()),
    maxEventsPerBatch: Optional(Num()),
    preferredBatchSizeInKilobytes: Optional(Num()),
    azureActiveDirectoryTenantId: Optional(Text()),
    azureActiveDirectoryApplicationIdOrUri: Optional(Text()),
    deliveryAttributeMappings: Optional(list(deliveryAttributeMapping)),
  }),
});
export type WebHookDestination = Static<typeof webHookDestination>;

export const otherDestination = members({
  endpointType: Text(),
  properties: Optional(dictionary(Unknown())),
});

export const retryPolicy = members({
  maxDeliveryAttempts: Optional(Num()),
  eventTimeToLiveInMinutes: Optional(Num()),
});
export type RetryPolicy = Static<typeof retryPolicy>;

/**
 * Destination of events that could not be delivered: a folder (the service's blob container) or, locally, a
 * topic.
 */
export const deadLetterDestination = members({
  endpointType: name,
  properties: Optional(
    members({
      resourceId: Optional(name),
      blobContainerName: Optional(name),
      topic: Optional(name),
    }),
  ),
});
export type DeadLetterDestination = Static<typeof deadLetterDestination>;

/** Properties of an event subscription on the management wire. */
export const subscriptionProperties = members({
  topic: Optional(Text()),
  provisioningState: Optional(oneOf(PROVISIONING_STATES)),
  destination: Optional(Union([webHookDestination, otherDestination])),
  filter: Optional(subscriptionFilter),
  labels: Optional(list(name, { maxItems: 100 })),
  eventDeliverySchema: Optional(oneOf(DELIVERY_SCHEMAS)),
  retryPolicy: Optional(retryPolicy),
  deadLetterDestination: Optional(orNull(deadLetterDestination)),
  expirationTimeUtc: Optional(orNull(Text())),
});
export type SubscriptionProperties = Static<typeof subscriptionProperties>;

/** An event subscription as the answer to GET has it. */
export const subscriptionRecord = members({
  id: Text(),
  name: Text(),
  type: Text(),
  properties: subscriptionProperties,
});
export type SubscriptionRecord = Static<typeof subscriptionRecord>;

/** Maps a custom event's members to the event schema's. */
export const inputSchemaMapping = members({
  inputSchemaMappingType: Literal('Json'),
  properties: members({
    id: Optional(
      members({
        sourceField: Optional(Text()),
      }),
    ),
    topic: Optional(
      members({
        sourceField: Optional(Text()),
      }),
    ),
    eventTime: Optional(
      members({
        sourceField: Optional(Text()),
      }),
    ),
    eventType: Optional(
      members({
        sourceField: Optional(Text()),
        defaultValue: Optional(Text()),
      }),
    ),
    subject: Optional(
      members({
        sourceField: Optional(Text()),
        defaultValue: Optional(Text()),
      }),
    ),
    dataVersion: Optional(
      members({
        sourceField: Optional(Text()),
        defaultValue: Optional(Text()),
      }),
    ),
  }),
});
export type InputSchemaMapping = Static<typeof inputSchemaMapping>;

export const topicProperties = members({
  endpoint: Text(),
  inputSchema: oneOf(INPUT_SCHEMAS),
  inputSchemaMapping: Optional(orNull(inputSchemaMapping)),
  publicNetworkAccess: oneOf(['Enabled', 'Disabled']),
  disableLocalAuth: Bool(),
  provisioningState: oneOf(PROVISIONING_STATES),
  metricResourceId: Text(),
});

/** A topic as the answer to GET has it. */
export const topicRecord = members({
  id: Text(),
  name: Text(),
  type: Text(),
  location: Text(),
  tags: Optional(dictionary(Text())),
  properties: topicProperties,
});
export type TopicRecord = Static<typeof topicRecord>;

/** Error body of management and topic endpoints. */
export const routerErrorBody = members({
  error: members({
    code: Text(),
    message: Text(),
    details: list(
      members({
        code: Text(),
        message: Text(),
      }),
    ),
  }),
});
export type RouterErrorBody = Static<typeof routerErrorBody>;
