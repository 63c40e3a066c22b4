/** Every name that depends on the brand word, once per profile; nothing else in the product spells one. */

export const PROFILE_NAMES = ['sidecar', 'dapr'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Other words for a profile, which is reported under its own name everywhere. */
export const PROFILE_ALIASES: Readonly<Record<string, ProfileName>> = { 'dapr-1.13': 'dapr' };

export interface Profile {
  readonly name: ProfileName;
  /** The word as it stands in messages, in a type name and in variable names. */
  readonly brandWord: string;
  readonly brandTitle: string;
  readonly brandUpper: string;
  /** Route of the app that lists its subscriptions. */
  readonly discoveryPath: string;
  /** Header that carries the API token, in both directions. */
  readonly tokenHeader: string;
  readonly appIdHeader: string;
  /** `type` of an event that names none. */
  readonly eventType: string;
  readonly bulkEventType: string;
  /** `source` of a caller's own CloudEvent that names none, and of raw wrappers. */
  readonly ownEventSource: string;
  readonly errorDomain: string;
  /** Stands before every `reason` of an ErrorInfo. */
  readonly reasonPrefix: string;
  /** What the metadata route reports; absent: the product's own version. */
  readonly runtimeVersion?: string;
  readonly extendedVersionKey: string;
  /** API group that templates write; any group loads. */
  readonly apiGroup: string;
  readonly env: {
    readonly httpPort: string;
    readonly httpEndpoint: string;
    readonly grpcPort: string;
    /** Goes before the port in every SDK, so a run never hands on an inherited one. */
    readonly grpcEndpoint: string;
    readonly apiToken: string;
    readonly appApiToken: string;
    /** Variables that start so are never handed to a component. */
    readonly prefix: string;
  };
  /** The event-router binding. */
  readonly binding: {
    readonly type: string;
    readonly tenantId: string;
    readonly subscriptionId: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** Member names of a subscription and the metadata keys of a publish match in any letter case. */
  readonly anyCaseNames: boolean;
  /** Release of the reference sidecar that hints compare with; absent: no hints are given. */
  readonly referenceRelease?: string;
  /** What `bulkSubscribe` without `enabled` means. */
  readonly bulkEnabledByDefault: boolean;
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  sidecar: {
    name: 'sidecar',
    brandWord: 'sidecar',
    brandTitle: 'Sidecar',
    brandUpper: 'SIDECAR',
    discoveryPath: '/sidecar/subscribe',
    tokenHeader: 'sidecar-api-token',
    appIdHeader: 'sidecar-app-id',
    eventType: 'com.sidecar.event.sent',
    bulkEventType: 'com.sidecar.event.sent.bulk',
    ownEventSource: 'Sidecar',
    errorDomain: 'sidecar.io',
    reasonPrefix: 'SIDECAR_PUBSUB_',
    extendedVersionKey: 'sidecarRuntimeVersion',
    apiGroup: 'sidecar.io',
    env: {
      httpPort: 'SIDECAR_HTTP_PORT',
      httpEndpoint: 'SIDECAR_HTTP_ENDPOINT',
      grpcPort: 'SIDECAR_GRPC_PORT',
      grpcEndpoint: 'SIDECAR_GRPC_ENDPOINT',
      apiToken: 'SIDECAR_API_TOKEN',
      appApiToken: 'APP_API_TOKEN',
      prefix: 'SIDECAR_',
    },
    binding: {
      type: 'bindings.cloud.eventrouter',
      tenantId: 'cloudTenantId',
      subscriptionId: 'cloudSubscriptionId',
      clientId: 'cloudClientId',
      clientSecret: 'cloudClientSecret',
    },
    anyCaseNames: false,
    bulkEnabledByDefault: true,
  },
  dapr: {
    name: 'dapr',
    brandWord: 'dapr',
    brandTitle: 'Dapr',
    brandUpper: 'DAPR',
    discoveryPath: '/dapr/subscribe',
    tokenHeader: 'dapr-api-token',
    appIdHeader: 'dapr-app-id',
    eventType: 'com.dapr.event.sent',
    bulkEventType: 'com.dapr.event.sent.bulk',
    ownEventSource: 'Dapr',
    errorDomain: 'dapr.io',
    reasonPrefix: 'DAPR_PUBSUB_',
    runtimeVersion: '1.13.6',
    extendedVersionKey: 'daprRuntimeVersion',
    apiGroup: 'dapr.io',
    env: {
      httpPort: 'DAPR_HTTP_PORT',
      httpEndpoint: 'DAPR_HTTP_ENDPOINT',
      grpcPort: 'DAPR_GRPC_PORT',
      grpcEndpoint: 'DAPR_GRPC_ENDPOINT',
      apiToken: 'DAPR_API_TOKEN',
      appApiToken: 'APP_API_TOKEN',
      prefix: 'DAPR_',
    },
    binding: {
      type: 'bindings.azure.eventgrid',
      tenantId: 'azureTenantId',
      subscriptionId: 'azureSubscriptionId',
      clientId: 'azureClientId',
      clientSecret: 'azureClientSecret',
    },
    anyCaseNames: true,
    referenceRelease: '1.13',
    bulkEnabledByDefault: false,
  },
};
