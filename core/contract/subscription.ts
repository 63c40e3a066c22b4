/**
 * Shapes of subscriptions: as the app's discovery route and the declarative files have them, and as the
 * console lists them.
 */
import { count, name, texts } from './bounds.ts';
import { DELIVERY_STATES } from './delivery.ts';
import { PROTOCOLS } from './grpc.ts';
import { referenceHint } from './reference-hint.ts';
import {
  Bool,
  dictionary,
  extend,
  Integer,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  someOf,
  Text,
} from './schema.ts';
import type { Static } from './schema.ts';

/** One rule of `routes.rules`. An absent or empty `match` always holds. */
export const routeRule = members({
  match: Optional(Text()),
  path: Text(),
});
export type RouteRule = Static<typeof routeRule>;

/** Element of the discovery answer; member names as on the wire. */
export const wireSubscription = members({
  pubsubname: name,
  topic: name,
  route: Optional(name),
  routes: Optional(
    orNull(members({ rules: Optional(list(routeRule, { maxItems: 1000 })), default: Optional(name) })),
  ),
  metadata: Optional(orNull(texts)),
  bulkSubscribe: Optional(
    orNull(
      members({
        enabled: Optional(Bool()),
        maxMessagesCount: Optional(Num()),
        maxAwaitDurationMs: Optional(Num()),
      }),
    ),
  ),
  deadLetterTopic: Optional(orNull(name)),
});
export type WireSubscription = Static<typeof wireSubscription>;

export const bulkSubscribe = members({
  maxMessagesCount: count,
  maxAwaitDurationMs: count,
});
export type BulkSubscribe = Static<typeof bulkSubscribe>;

/**
 * Settings of a delivery, copied from its subscription when the delivery is created. A delivery keeps them,
 * whatever the app subscribes to later.
 */
export const deliverySettings = members({
  /** Present: the delivery goes out in batches. */
  bulk: Optional(bulkSubscribe),
  /** Present: the subscription takes raw payloads. */
  rawPayload: Optional(Literal(true)),
  deadLetterTopic: Optional(Text()),
  /** Present: the app was called over gRPC, so its route is no path of HTTP. */
  protocol: Optional(Literal('grpc')),
});
export type DeliverySettings = Static<typeof deliverySettings>;

/** Members that a subscription with all defaults filled in and its row share. */
const settled = {
  appId: Text(),
  pubsubname: Text(),
  topic: Text(),
  source: oneOf(['programmatic', 'declarative', 'streaming']),
  /** Number among the streams of one topic, from 2; absent: the first, or no stream. */
  stream: Optional(Num()),
  file: Optional(Text()),
  /** Document within the file, from 1. */
  document: Optional(Num()),
  defaultPath: Optional(Text()),
  metadata: dictionary(Text()),
  bulk: Optional(bulkSubscribe),
  deadLetterTopic: Optional(Text()),
};
const settledMembers = members(settled);

/**
 * A subscription with all defaults filled in, by which the runtime routes. `rules` are in the order of
 * evaluation, without the default.
 */
export interface Subscription extends Static<typeof settledMembers> {
  readonly rules: readonly { readonly match: string; readonly path: string }[];
  /** undefined: the value of `rawPayload` could not be read. */
  readonly rawPayload: boolean | undefined;
}

/** A name as long as an app may give it in its subscriptions. */
const givenName = Text({ maxLength: 16_384 });

/** The deliveries of an app's subscription that have one route. */
export const deliveriesAt = members({
  appId: name,
  pubsubname: givenName,
  /** Topic of the subscription, which may be a pattern. */
  topic: givenName,
  /** "" over gRPC, where an app may have one handler for all events. */
  path: givenName,
});
export type DeliveriesAt = Static<typeof deliveriesAt>;

/** A problem in a subscription, a component file or a discovery answer. */
export const problem = members({
  file: Optional(Text()),
  /** Document within the file, from 1. */
  document: Optional(Num()),
  line: Optional(Num()),
  column: Optional(Num()),
  code: Optional(Text()),
  field: Optional(Text()),
  message: Text(),
  severity: Optional(oneOf(['error', 'warning'])),
  /** Finds the messages that it is about. */
  filter: Optional(Text()),
  /** Topic of the subscription that cannot be used; absent: it names none, or the problem is about something else. */
  topic: Optional(Text()),
  /** The deliveries that it is about; `deliveries.reroute` takes them with the code of the problem. */
  deliveries: Optional(deliveriesAt),
  /** Where the app takes the topic of these deliveries now, in words such as "at /orders"; absent: they keep no old route. */
  pathsNow: Optional(Text()),
  /** True: it is about the list that the app gave, so that another discovery ends it once the app is corrected. */
  ofList: Optional(Bool()),
});
export type Problem = Static<typeof problem>;

export const stateCounts = someOf([...DELIVERY_STATES, 'none'], Num());
export type StateCounts = Static<typeof stateCounts>;

/** Duration of calls to the app, in ms. Each figure is too high by a fifth at most. */
export const latency = members({
  p50Ms: Num(),
  p95Ms: Num(),
  p99Ms: Num(),
  /** Number of measured calls. */
  calls: Num(),
});
export type Latency = Static<typeof latency>;

/** Row of `topics.list`. */
export const topicRow = members({
  pubsubname: Text(),
  topic: Text(),
  /** Ids of the apps that subscribe to the topic. */
  apps: list(Text()),
  subscriptions: Num(),
  published: Num(),
  /**
   * Deliveries in each state now. `none` counts messages without a subscription that were not
   * replayed, apart from those that others may have got.
   */
  counts: stateCounts,
  /** Messages that no app got when they were published, and that were replayed since; absent: none. */
  replayed: Optional(Num()),
  /** Messages per second over the last 5 s. */
  rate: Num(),
  /** Messages in each of the last 60 seconds, oldest first. */
  perSecond: list(Num()),
  lastAt: Optional(Text()),
  /** Duration of calls to apps with messages of this topic, since the start. */
  latency: Optional(latency),
  bulk: Bool(),
  deadLetterTopic: Optional(Text()),
  /** Ids of tapped apps that showed messages of the topic. Its other subscribers are unknown here. */
  taps: Optional(list(Text())),
  /**
   * Whether messages were also published to the topic here since the start; only with `taps`. Absent: they
   * were only published here.
   */
  isOurs: Optional(Bool()),
});
export type TopicRow = Static<typeof topicRow>;

/** A rule of an active subscription. */
export const readRule = members({
  match: Text(),
  path: Text(),
  /**
   * How `match` was read, if that is not the meaning of its expression: `compares event.type with the text
   * order:created`.
   */
  reading: Optional(Text()),
});
export type ReadRule = Static<typeof readRule>;

/** Backlog of a subscription. */
export const subscriptionLag = members({
  /** Number of deliveries that are queued, held, attempting or retrying. */
  unfinished: Num(),
  /** Unfinished deliveries that are held, or whose answer is; absent: none. */
  held: Optional(Num()),
  /** Unfinished deliveries whose call waits for the answer of a person; absent: none. */
  asked: Optional(Num()),
  /** When the message of the oldest unfinished delivery was accepted; absent: there is none. */
  oldestAt: Optional(Text()),
  /** Deliveries that became unfinished, and that ended or were parked, per second over the last 5 s. */
  inPerSecond: Num(),
  outPerSecond: Num(),
});
export type SubscriptionLag = Static<typeof subscriptionLag>;

/** A route of a subscription at which its app serves nothing: it answered 404, or UNIMPLEMENTED over gRPC, each time. */
export const missingRoute = members({
  path: Text(),
  /** `404` or `UNIMPLEMENTED`. */
  answer: Text(),
  /** Number of deliveries that were answered so. */
  times: Num(),
});
export type MissingRoute = Static<typeof missingRoute>;

/** Row of `subscriptions.list`. */
export const subscriptionRow = members({
  ...settled,
  rules: list(readRule),
  rawPayload: orNull(Bool()),
  state: oneOf(['active', 'invalid', 'forbidden', 'inert']),
  reason: Optional(Text()),
  /** Number of times that the component refused the subscription; absent: none. */
  failedTries: Optional(Num()),
  /** Time at which the component is asked again. */
  nextTryAt: Optional(Text()),
  counts: stateCounts,
  /** Absent: nothing was delivered to the subscription in this run. */
  lag: Optional(subscriptionLag),
  /** Absent: the app serves each of its routes, or was not called there yet. */
  missingRoutes: Optional(list(missingRoute)),
  /** Differences on the reference sidecar; absent: none known, or the profile is not `dapr`. */
  onReference: Optional(list(referenceHint)),
});
export type SubscriptionRow = Static<typeof subscriptionRow>;

/** Row of `components.list`. */
export const componentRow = members({
  name: Text(),
  type: Text(),
  /** Type in the component's file, if the component is served from memory instead (`--local-pubsub`). */
  insteadOf: Optional(Text()),
  version: Text(),
  kind: oneOf(['pubsub', 'binding', 'secretstore', 'other']),
  state: oneOf(['ready', 'initialising', 'failed']),
  reason: Optional(Text()),
  /** Present if its file has no mistake, and it waits for the file with the secrets of its secret store. */
  awaitsSecrets: Optional(Literal(true)),
  /** Number of failed starts since the component was loaded; absent: none. */
  failedStarts: Optional(Num()),
  /** Time of the next start; absent: only a change of the file helps. */
  nextStartAt: Optional(Text()),
  /**
   * Set while the connection to the component's server is lost. Publishes are refused and deliveries wait;
   * the component tries again by itself.
   */
  lost: Optional(
    members({
      since: Text(),
      reason: Text(),
      /** Number of failed tries since then. */
      tries: Num(),
      nextTryAt: Optional(Text()),
    }),
  ),
  file: Optional(Text()),
  line: Optional(Num()),
  document: Optional(Num()),
  scopes: list(Text()),
  /** Line of the key `scopes` in the file; absent: there is none. */
  scopesLine: Optional(Num()),
  /** Present if `scopes` are not those of the file: the apps that have its folder, and the scopes of the file. */
  limitedBy: Optional(members({ folderApps: list(Text()), fileScopes: list(Text()) })),
  ignoreErrors: Bool(),
  capabilities: list(Text()),
  /** Settings of the component, with templates and secret references resolved; secrets are masked. */
  metadata: dictionary(Text()),
  problems: list(problem),
  subscriptions: Num(),
});
export type ComponentRow = Static<typeof componentRow>;

/** One document of a resource file, and whether the document is used. */
export const resourceDocument = members({
  kind: oneOf(['Component', 'Subscription', 'Resiliency']),
  /** Name of the resource; "" = none. */
  name: Text(),
  /** Position of the document in the file, both from 1. */
  document: Num(),
  line: Num(),
  used: Bool(),
  /** Why the document is not used. */
  reason: Optional(Text()),
  /** Present if a subscription is not used because its component is not ready. */
  awaitsComponent: Optional(Literal(true)),
  /** Present if nothing is wrong: its `scopes`, in this line, name none of the running apps. */
  leftOut: Optional(members({ scopes: list(Text()), line: Optional(Num()) })),
  /**
   * Component and topic of a subscription; absent for other kinds, and if the document does not name them.
   */
  of: Optional(members({ pubsubname: Text(), topic: Text() })),
});
export type ResourceDocument = Static<typeof resourceDocument>;

/** A file of the resources folder: its documents and all its problems, with line and column. */
export const resourceFile = members({
  file: Text(),
  documents: list(resourceDocument),
  problems: list(problem),
});
export type ResourceFile = Static<typeof resourceFile>;

/** Result of the last discovery of an app. */
export const discoveryState = members({
  state: oneOf(['waiting', 'asking', 'done', 'failed']),
  url: Text(),
  at: Optional(Text()),
  status: Optional(Num()),
  count: Num(),
  /** Number of subscriptions in the app's answer that cannot be used; absent: none. */
  unused: Optional(Num()),
  /** Why it failed, or why the app is not asked, or not yet. */
  error: Optional(Text()),
  /** Beginning of the app's answer, if the discovery failed. */
  body: Optional(Text()),
});
export type DiscoveryState = Static<typeof discoveryState>;

export const appDiscovery = extend(discoveryState, { appId: Text() });
export type AppDiscovery = Static<typeof appDiscovery>;

/**
 * Answers of the app to the health probe (setting `app.health`). Deliveries wait while the app is not
 * healthy.
 */
export const appProbe = members({
  path: Text(),
  healthy: Bool(),
  /** Probes in a row without a 2xx answer. */
  failures: Num(),
  /** Failures in a row after which the app counts as not healthy. */
  threshold: Num(),
  /** Moment of the last probe; absent before the first. */
  at: Optional(Text()),
  status: Optional(Num()),
  /** Why there was no answer. */
  error: Optional(Text()),
});
export type AppProbe = Static<typeof appProbe>;

/** Row of `apps.list`: one for each instance, so the id of an app with several instances is repeated. */
export const appRow = members({
  appId: Text(),
  sidecar: Text(),
  /** Address at which the sidecar listens for gRPC, such as `127.0.0.1:50001`; absent: it does not. */
  grpc: Optional(Text()),
  /** Whether callers of the sidecar have to send an API token, which Sidelight has from its environment and shows nowhere. */
  asksForToken: Optional(Bool()),
  /** Address to which deliveries go; absent: the app has no address and only publishes. */
  app: Optional(Text()),
  /** What gave this address at the start, as it was written: `--app-url`; absent: it was set later, or by a setting. */
  addressFrom: Optional(Text()),
  /** Protocol of the deliveries to the app. */
  protocol: oneOf(PROTOCOLS),
  mock: Bool(),
  /** Address of the mock app that can replace it (setting `app.address`). */
  mockUrl: Optional(Text()),
  /** Whether the app was added while the product ran (`apps.add`). Such an app can be removed. */
  added: Optional(Bool()),
  /** Whether the app answers. `none`: the app has no address. */
  channel: oneOf(['unknown', 'answering', 'not-reachable', 'none']),
  healthy: Bool(),
  /** True while its sidecar is not healthy only because the app has not answered yet. */
  waitsForApp: Optional(Bool()),
  discovery: discoveryState,
  problems: list(problem),
  /** Absent while the setting `app.health` is off. */
  appHealth: Optional(appProbe),
});
export type AppRow = Static<typeof appRow>;

/** An app to add at run time, with a sidecar of its own. */
export const newApp = members({
  appId: name,
  /** Address to which its deliveries go; absent: a mock app. */
  url: Optional(Text({ maxLength: 2000 })),
  /** Port of its sidecar; absent: the next free one. */
  sidecarPort: Optional(Integer({ minimum: 0, maximum: 65_535 })),
});
export type NewApp = Static<typeof newApp>;
