/** Every name that depends on the brand word, by profile. No other file of the product spells one. */
import type { ReferenceHintId } from './words.ts';

export const PROFILE_NAMES = ['sidecar', 'dapr', 'dapr-1.18'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Brand whose names a profile uses. */
export type Brand = 'sidecar' | 'dapr';

/** Aliases of profiles. A profile is reported under its own name everywhere. */
export const PROFILE_ALIASES: Readonly<Record<string, ProfileName>> = { 'dapr-1.13': 'dapr' };

/**
 * Differences of another release of the reference from a row of the error table. Absent members are as in
 * that row.
 */
export interface ErrorChange {
  readonly errorCode?: string;
  readonly says?: string;
  /** Reason without the profile's prefix. */
  readonly reason?: string;
  /** The whole message describes the resource. */
  readonly wholeDescription?: true;
}

/**
 * Differences between releases of the reference, which answer the same request differently. Each has a member
 * of its own; rooms read the member and never a name or a version.
 */
export interface Differences {
  /** Which value of a repeated metadata parameter of a publish counts. */
  readonly repeatedMetadata: 'first' | 'last';
  /** Treatment of a metadata parameter with `;` or a broken escape: left out, or taken as text. */
  readonly oddParameter: 'left-out' | 'text';
  /**
   * When a body over the limit is refused. `at-once`: before any other check, with a line of text.
   * `by-route`: by the route in its turn, with an error of its own.
   */
  readonly tooLarge: 'at-once' | 'by-route';
  /** Whether a publish or binding call with an unreadable `baggage` header is answered 400. */
  readonly refusesUnreadableBaggage: boolean;
  /** Which of the two `details` of an error comes first. */
  readonly firstDetail: 'ErrorInfo' | 'ResourceInfo';
  /** Whether the gRPC error for a missing component has the metadata of the request in its details. */
  readonly grpcNotFoundMetadata: boolean;
  /** Other codes, texts and reasons, by code or by `code/variant` of the error table. */
  readonly errors: Readonly<Record<string, ErrorChange>>;
  /** Name of the member that carries the cause when one event of a gRPC bulk publish is no CloudEvent. */
  readonly grpcBulkCause: 'err' | 'error';
  /** Words for a JSON body that ends too early: for an empty one, and for one that is cut off. */
  readonly endOfJson: { readonly empty: string; readonly cut: string };
  /** Whether text after the JSON of a bulk publish or a binding call is refused or ignored. */
  readonly textAfterJson: 'refused' | 'ignored';
  /**
   * Whether `/v1.0/publish/bulk/{component}/{topic}` publishes to a component named `bulk` while one is
   * loaded.
   */
  readonly componentNamedBulk: boolean;
  /** Whether files of another API group load. */
  readonly anyApiGroup: boolean;
  /** Whether only the last of several subscription files with one name counts. */
  readonly subscriptionNameIsIdentity: boolean;
  /** Whether a subscription file of another namespace is ignored. */
  readonly namespaceOfSubscriptions: boolean;
  /** Path to which a v1alpha1 subscription without a route delivers; undefined: it does not deliver. */
  readonly missingRoute: string | undefined;
  /**
   * Whether a message that the app answers with 404 is also copied to the dead-letter topic. It is dropped
   * either way.
   */
  readonly notFoundCopies: boolean;
  /** Whether the path of a route is cleaned before the call: `//`, `.`, `..` and a slash at the end. */
  readonly cleanedRoutes: boolean;
  /**
   * Source of the metadata that become headers of a delivery from memory: the subscription or the message.
   */
  readonly memoryHeaders: 'subscription' | 'message';
  /** Whether TLS of Redis is verified unless the component says otherwise. */
  readonly redisVerifiesTls: boolean;
  /** Whether the health route names the parts that are not ready. */
  readonly namesWhatIsNotReady: boolean;
  /** Kind of subscription that the metadata list first. */
  readonly firstListed: 'programmatic' | 'declarative';
  /** Value of `enabledFeatures` in the metadata. */
  readonly enabledFeatures: readonly string[];
  /** Value of `actorRuntime.placement` in the metadata; undefined: the metadata do not have the member. */
  readonly placement: string | undefined;
  /** Hints about the reference that are wrong for this release. */
  readonly untrueHints: readonly ReferenceHintId[];
  /**
   * Headers and methods that a preflight of a web page may ask for, and whether it is answered before the
   * token is checked.
   */
  readonly preflight: {
    readonly beforeToken: boolean;
    readonly methods: readonly string[];
    readonly headers: readonly string[] | 'any';
  };
}

export interface Profile {
  readonly name: ProfileName;
  readonly brand: Brand;
  /** Behaviour in which releases of the reference differ. */
  readonly differences: Differences;
  /** The brand word in messages, in a type name and in variable names. */
  readonly brandWord: string;
  readonly brandTitle: string;
  readonly brandUpper: string;
  /** Route of the app that lists its subscriptions. */
  readonly discoveryPath: string;
  /** Header that carries the API token, in both directions. */
  readonly tokenHeader: string;
  readonly appIdHeader: string;
  /** `type` of an event that the publisher gave none. */
  readonly eventType: string;
  readonly bulkEventType: string;
  /** `source` of a caller's own CloudEvent that has none, and of wrapped raw payloads. */
  readonly ownEventSource: string;
  readonly errorDomain: string;
  /** Prefix of every `reason` of an ErrorInfo. */
  readonly reasonPrefix: string;
  /** Version that the metadata route reports; absent: the product's own version. */
  readonly runtimeVersion?: string;
  readonly extendedVersionKey: string;
  /** API group in templates; files of any group load. */
  readonly apiGroup: string;
  readonly env: {
    readonly httpPort: string;
    readonly httpEndpoint: string;
    readonly grpcPort: string;
    /** Variable that every SDK prefers to the port. A run therefore does not pass on an inherited one. */
    readonly grpcEndpoint: string;
    readonly apiToken: string;
    readonly appApiToken: string;
    /** Prefix of variables that are never passed to a component. */
    readonly prefix: string;
  };
  /** Names of the event-router binding. */
  readonly binding: {
    readonly type: string;
    readonly tenantId: string;
    readonly subscriptionId: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  /** Whether member names of a subscription and metadata keys of a publish match in any letter case. */
  readonly anyCaseNames: boolean;
  /** Release of the reference sidecar that hints compare with; absent: there are no hints. */
  readonly referenceRelease?: string;
  /** Value of `enabled` that `bulkSubscribe` assumes. */
  readonly bulkEnabledByDefault: boolean;
}

/** Differences as the interface and release 1.13 of the reference have them. */
const LAW: Differences = {
  repeatedMetadata: 'last',
  oddParameter: 'text',
  tooLarge: 'at-once',
  refusesUnreadableBaggage: false,
  firstDetail: 'ErrorInfo',
  grpcNotFoundMetadata: true,
  errors: {},
  grpcBulkCause: 'err',
  endOfJson: { empty: 'unexpected end of JSON input', cut: 'unexpected end of JSON input' },
  textAfterJson: 'refused',
  componentNamedBulk: true,
  anyApiGroup: true,
  subscriptionNameIsIdentity: false,
  namespaceOfSubscriptions: true,
  missingRoute: '/',
  notFoundCopies: false,
  cleanedRoutes: false,
  memoryHeaders: 'subscription',
  redisVerifiesTls: false,
  namesWhatIsNotReady: false,
  firstListed: 'programmatic',
  enabledFeatures: [],
  placement: undefined,
  untrueHints: ['lost-after-one-attempt', 'batch-also-to-root'],
  preflight: {
    beforeToken: false,
    methods: ['GET', 'POST', 'HEAD'],
    headers: ['origin', 'accept', 'content-type'],
  },
};

const EVENT_TEXT =
  'error when marshalling cloud event envelope for topic {topic} pubsub {pubsubname}: {reason}';

/** Differences as release 1.18 of the reference has them. */
const RELEASE_1_18: Differences = {
  repeatedMetadata: 'first',
  oddParameter: 'left-out',
  tooLarge: 'by-route',
  refusesUnreadableBaggage: true,
  firstDetail: 'ResourceInfo',
  grpcNotFoundMetadata: false,
  errors: {
    ERR_TOPIC_EMPTY: { errorCode: 'ERR_TOPIC_NAME_EMPTY', reason: 'TOPIC_NAME_EMPTY' },
    'ERR_PUBSUB_NOT_FOUND/bulk': { reason: 'TEST_NOT_FOUND' },
    'ERR_PUBSUB_NOT_FOUND/bulk-not-ready': { reason: 'TEST_NOT_FOUND' },
    'ERR_PUBSUB_EVENTS_SER/event': { says: EVENT_TEXT, reason: 'MARSHAL_ENVELOPE', wholeDescription: true },
    'ERR_PUBSUB_EVENTS_SER/entry': { wholeDescription: true },
  },
  grpcBulkCause: 'error',
  endOfJson: { empty: 'EOF', cut: 'unexpected EOF' },
  textAfterJson: 'ignored',
  componentNamedBulk: false,
  anyApiGroup: false,
  subscriptionNameIsIdentity: true,
  namespaceOfSubscriptions: false,
  missingRoute: undefined,
  notFoundCopies: true,
  cleanedRoutes: true,
  memoryHeaders: 'message',
  redisVerifiesTls: true,
  namesWhatIsNotReady: true,
  firstListed: 'declarative',
  enabledFeatures: ['HotReload', 'WorkflowsRemoteActivityReminder'],
  placement: 'placement: disconnected',
  untrueHints: ['trace-not-text', 'redis-redelivery'],
  preflight: {
    beforeToken: true,
    methods: ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    headers: 'any',
  },
};

const SIDECAR: Profile = {
  name: 'sidecar',
  brand: 'sidecar',
  differences: LAW,
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
};

const DAPR: Profile = {
  name: 'dapr',
  brand: 'dapr',
  differences: LAW,
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
};

/** First release of the reference that has the rules of 1.18. */
const LATER_RULES = { major: 1, minor: 17 } as const;

/** The profile for a sidecar, by the answer of its metadata route; undefined: the answer does not show it. */
export function profileOfMetadata(metadata: unknown): ProfileName | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const { runtimeVersion, extended } = metadata as {
    readonly runtimeVersion?: unknown;
    readonly extended?: unknown;
  };
  if (
    typeof extended === 'object' &&
    extended !== null &&
    Object.hasOwn(extended, SIDECAR.extendedVersionKey)
  )
    return 'sidecar';
  const [, major, minor] =
    typeof runtimeVersion === 'string' ? (/^v?(\d+)\.(\d+)/.exec(runtimeVersion) ?? []) : [];
  if (major === undefined || minor === undefined) return undefined;
  const isLater =
    Number(major) > LATER_RULES.major ||
    (Number(major) === LATER_RULES.major && Number(minor) >= LATER_RULES.minor);
  return isLater ? 'dapr-1.18' : 'dapr';
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  sidecar: SIDECAR,
  dapr: DAPR,
  'dapr-1.18': {
    ...DAPR,
    name: 'dapr-1.18',
    differences: RELEASE_1_18,
    runtimeVersion: '1.18.3',
    referenceRelease: '1.18',
  },
};
