/** The event router's vocabulary on both sides of the wire: settings, codes, management records, topic records. */

/** Every code of the binding and the router, with what it means. */
export const EVR_CODES = {
  'EVR-CFG-02': 'a field is given twice',
  'EVR-CFG-10': 'the direction is not valid',
  'EVR-CFG-11': 'neither side is configured',
  'EVR-CFG-20': 'the access key is missing',
  'EVR-CFG-21': 'the access key contains a control character or is too long',
  'EVR-CFG-22': 'the topic endpoint is missing',
  'EVR-CFG-23': 'the topic endpoint is not a valid absolute https URL',
  'EVR-CFG-30': 'the tenant id is missing',
  'EVR-CFG-31': 'the tenant id has characters that are not allowed',
  'EVR-CFG-32': 'the subscription id is missing',
  'EVR-CFG-33': 'the subscription id has characters that are not allowed',
  'EVR-CFG-34': 'the client id is missing',
  'EVR-CFG-35': 'the client id is not a UUID',
  'EVR-CFG-36': 'the client secret is missing',
  'EVR-CFG-40': 'the subscriber endpoint is missing',
  'EVR-CFG-41': 'the subscriber endpoint is not a valid URL',
  'EVR-CFG-42': 'the subscriber endpoint does not use https',
  'EVR-CFG-43': 'the handshake port is missing',
  'EVR-CFG-44': 'the handshake port is not a quoted string',
  'EVR-CFG-45': 'the handshake port is not a port',
  'EVR-CFG-50': 'the scope is missing',
  'EVR-CFG-51': 'the scope has none of the four shapes',
  'EVR-CFG-52': 'the scope contains an unreplaced placeholder',
  'EVR-CFG-60': 'the event subscription name has a wrong length',
  'EVR-CFG-61': 'the event subscription name has characters that are not allowed',
  'EVR-CFG-62': 'no event subscription name can be derived from the component name',
  'EVR-CFG-90': 'a field is not known',
  'EVR-CFG-91': 'the topic endpoint uses http on this machine',
  'EVR-CFG-92': 'the tenant id is not a UUID',
  'EVR-CFG-93': 'the subscription id differs from the one in the scope',
  'EVR-CFG-94': 'the client secret looks like the id of a secret',
  'EVR-CFG-95': 'a value that is no string was taken as one',
  'EVR-CFG-96': 'an external router cannot reach an endpoint on this machine',
  'EVR-ID-01': 'the identity service could not be discovered',
  'EVR-ID-02': 'the published keys could not be read, or there are none',
  'EVR-ID-03': 'the published keys could not be reached during a verification',
  'EVR-ID-04': 'a discovered address is of another origin',
  'EVR-ID-10': 'the token request was refused',
  'EVR-NET-01': 'the port is in use',
  'EVR-NET-02': 'there is no permission to listen on the port',
  'EVR-NET-10': 'the connection was refused',
  'EVR-NET-11': 'the name was not found',
  'EVR-ING-01': 'the ingress cannot listen',
  'EVR-ING-03': 'the ingress answered 503',
  'EVR-TLS-01': 'the certificate has an unknown issuer',
  'EVR-TLS-02': 'the certificate is self-signed',
  'EVR-TLS-03': 'the certificate has expired',
  'EVR-TLS-04': 'the certificate is for another host',
  'EVR-TLS-05': 'the port does not speak TLS',
  'EVR-MGT-01': 'the management request is not valid',
  'EVR-MGT-02': 'the management token was not accepted',
  'EVR-MGT-03': 'a role is missing',
  'EVR-MGT-04': 'a resource was not found',
  'EVR-MGT-05': 'the request is in conflict with the state of the resource',
  'EVR-MGT-06': 'too many management requests',
  'EVR-MGT-07': 'the management service is not available',
  'EVR-MGT-08': 'the operation failed',
  'EVR-MGT-09': 'the operation did not end in time',
  'EVR-SEC-01': 'a key file can be read by others',
} as const satisfies Readonly<Record<string, string>>;

export type EvrCode = keyof typeof EVR_CODES;

export type ScopeKind = 'subscription' | 'resourceGroup' | 'resource' | 'topic';

export const PROVISIONING_STATES = [
  'Creating',
  'Updating',
  'Deleting',
  'Succeeded',
  'Canceled',
  'Failed',
  'AwaitingManualAction',
] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export const DELIVERY_SCHEMAS = ['EventGridSchema', 'CustomInputSchema', 'CloudEventSchemaV1_0'] as const;
export type DeliverySchema = (typeof DELIVERY_SCHEMAS)[number];

export const INPUT_SCHEMAS = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomEventSchema'] as const;
export type InputSchema = (typeof INPUT_SCHEMAS)[number];

/** Operators with `values` of strings, `values` of numbers, one number, ranges, one boolean, or nothing. */
export const FILTER_OPERATORS = {
  NumberIn: 'numbers',
  NumberNotIn: 'numbers',
  NumberLessThan: 'number',
  NumberLessThanOrEquals: 'number',
  NumberGreaterThan: 'number',
  NumberGreaterThanOrEquals: 'number',
  NumberInRange: 'ranges',
  NumberNotInRange: 'ranges',
  BoolEquals: 'boolean',
  StringIn: 'strings',
  StringNotIn: 'strings',
  StringBeginsWith: 'strings',
  StringNotBeginsWith: 'strings',
  StringEndsWith: 'strings',
  StringNotEndsWith: 'strings',
  StringContains: 'strings',
  StringNotContains: 'strings',
  IsNullOrUndefined: 'none',
  IsNotNull: 'none',
} as const satisfies Readonly<
  Record<string, 'numbers' | 'number' | 'ranges' | 'boolean' | 'strings' | 'none'>
>;
export type FilterOperator = keyof typeof FILTER_OPERATORS;

export interface AdvancedFilter {
  readonly operatorType: FilterOperator;
  readonly key: string;
  readonly value?: number | boolean;
  readonly values?: readonly string[] | readonly number[] | readonly (readonly number[])[];
}

export interface SubscriptionFilter {
  readonly subjectBeginsWith?: string;
  readonly subjectEndsWith?: string;
  /** Absent or ["All"]: every type. */
  readonly includedEventTypes?: readonly string[];
  readonly isSubjectCaseSensitive?: boolean;
  readonly enableAdvancedFilteringOnArrays?: boolean;
  readonly advancedFilters?: readonly AdvancedFilter[];
}

export type DeliveryAttributeMapping =
  | {
      readonly name: string;
      readonly type: 'Static';
      readonly properties: { readonly value: string; readonly isSecret?: boolean };
    }
  | {
      readonly name: string;
      readonly type: 'Dynamic';
      readonly properties: { readonly sourceField: string };
    };

export interface WebHookDestination {
  readonly endpointType: 'WebHook';
  readonly properties: {
    /** Only in what a client sends and what the router keeps; never in an answer. */
    readonly endpointUrl?: string;
    /** The endpoint without its query. */
    readonly endpointBaseUrl?: string;
    readonly maxEventsPerBatch?: number;
    readonly preferredBatchSizeInKilobytes?: number;
    readonly azureActiveDirectoryTenantId?: string;
    readonly azureActiveDirectoryApplicationIdOrUri?: string;
    readonly deliveryAttributeMappings?: readonly DeliveryAttributeMapping[];
  };
}

export interface OtherDestination {
  readonly endpointType: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface RetryPolicy {
  readonly maxDeliveryAttempts?: number;
  readonly eventTimeToLiveInMinutes?: number;
}

/** Where events go that could not be delivered: a folder (the service's blob container) or, locally, a topic. */
export interface DeadLetterDestination {
  readonly endpointType: string;
  readonly properties?: {
    readonly resourceId?: string;
    readonly blobContainerName?: string;
    readonly topic?: string;
  };
}

/** Properties of an event subscription as they stand on the management wire. */
export interface SubscriptionProperties {
  readonly topic?: string;
  readonly provisioningState?: ProvisioningState;
  readonly destination?: WebHookDestination | OtherDestination;
  readonly filter?: SubscriptionFilter;
  readonly labels?: readonly string[];
  readonly eventDeliverySchema?: DeliverySchema;
  readonly retryPolicy?: RetryPolicy;
  readonly deadLetterDestination?: DeadLetterDestination | null;
  readonly expirationTimeUtc?: string | null;
}

/** An event subscription as GET answers it. */
export interface SubscriptionRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly properties: SubscriptionProperties;
}

/** Maps a custom event's members to the event schema's. */
export interface InputSchemaMapping {
  readonly inputSchemaMappingType: 'Json';
  readonly properties: {
    readonly id?: { readonly sourceField?: string };
    readonly topic?: { readonly sourceField?: string };
    readonly eventTime?: { readonly sourceField?: string };
    readonly eventType?: { readonly sourceField?: string; readonly defaultValue?: string };
    readonly subject?: { readonly sourceField?: string; readonly defaultValue?: string };
    readonly dataVersion?: { readonly sourceField?: string; readonly defaultValue?: string };
  };
}

export interface TopicProperties {
  readonly endpoint: string;
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping?: InputSchemaMapping | null;
  readonly publicNetworkAccess: 'Enabled' | 'Disabled';
  readonly disableLocalAuth: boolean;
  readonly provisioningState: ProvisioningState;
  readonly metricResourceId: string;
}

/** A topic as GET answers it. */
export interface TopicRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties: TopicProperties;
}

/** Error body of management and topic endpoints. */
export interface RouterErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly { readonly code: string; readonly message: string }[];
  };
}
