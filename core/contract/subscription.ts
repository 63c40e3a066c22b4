/** Subscriptions as the app's discovery route and the declarative files give them, and as the console lists them. */
import { count, name, texts } from './bounds.ts';
import { DELIVERY_STATES } from './delivery.ts';
import { PROTOCOLS } from './grpc.ts';
import { referenceHint } from './reference-hint.ts';
import {
  Bool,
  dictionary,
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
 * How a delivery is made, as its subscription said when the delivery came into being. A delivery keeps its settings, whatever the
 * app subscribes to later.
 */
export const deliverySettings = members({
  /** Present: the delivery goes out in batches. */
  bulk: Optional(bulkSubscribe),
  /** Present: the subscription takes raw payloads. */
  rawPayload: Optional(Literal(true)),
  deadLetterTopic: Optional(Text()),
});
export type DeliverySettings = Static<typeof deliverySettings>;

/** What a subscription with everything settled and its row have alike. */
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

/** A subscription with everything settled: what the runtime routes by. `rules` are in the order of evaluation, without the default. */
export interface Subscription extends Static<typeof settledMembers> {
  readonly rules: readonly { readonly match: string; readonly path: string }[];
  /** undefined: the value of `rawPayload` could not be read. */
  readonly rawPayload: boolean | undefined;
}

/** Something that is wrong with a subscription, a component file or a discovery answer. */
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
});
export type Problem = Static<typeof problem>;

export const stateCounts = someOf([...DELIVERY_STATES, 'none'], Num());
export type StateCounts = Static<typeof stateCounts>;

/** Duration of calls to the app, in ms; each figure is at most a fifth too high. */
export const latency = members({
  p50Ms: Num(),
  p95Ms: Num(),
  p99Ms: Num(),
  /** Calls that were measured. */
  calls: Num(),
});
export type Latency = Static<typeof latency>;

/** Row of `topics.list`. */
export const topicRow = members({
  pubsubname: Text(),
  topic: Text(),
  /** Ids of the apps that subscribe to it. */
  apps: list(Text()),
  subscriptions: Num(),
  published: Num(),
  /** Deliveries by state now; `none` counts messages of ours that nobody subscribed to. */
  counts: stateCounts,
  /** Messages per second over the last 5 s. */
  rate: Num(),
  /** Messages in each of the last 60 seconds, oldest first. */
  perSecond: list(Num()),
  lastAt: Optional(Text()),
  /** Calls to apps with messages of this topic, since the start. */
  latency: Optional(latency),
  bulk: Bool(),
  deadLetterTopic: Optional(Text()),
  /** Ids of tapped apps that showed messages of it: who else subscribes to it is not known here. */
  taps: Optional(list(Text())),
  /** Beside `taps`: whether messages were published to it here since the start. Absent: only here. */
  isOurs: Optional(Bool()),
});
export type TopicRow = Static<typeof topicRow>;

/** A rule of a subscription that is served. */
export const readRule = members({
  match: Text(),
  path: Text(),
  /** How `match` was read, where that is not the meaning of its expression: `compares event.type with the text order:created`. */
  reading: Optional(Text()),
});
export type ReadRule = Static<typeof readRule>;

/** How far a subscription is behind. */
export const subscriptionLag = members({
  /** Deliveries that are queued, held, being attempted or to be retried. */
  unfinished: Num(),
  /** When the message of the oldest of them was accepted; absent: there is none. */
  oldestAt: Optional(Text()),
  /** Deliveries that came, and that ended, per second over the last 5 s. */
  inPerSecond: Num(),
  outPerSecond: Num(),
});
export type SubscriptionLag = Static<typeof subscriptionLag>;

/** Row of `subscriptions.list`. */
export const subscriptionRow = members({
  ...settled,
  rules: list(readRule),
  rawPayload: orNull(Bool()),
  state: oneOf(['active', 'invalid', 'forbidden', 'inert']),
  reason: Optional(Text()),
  /** Times the component refused it; absent: none. */
  failedTries: Optional(Num()),
  /** When the component is asked again by itself. */
  nextTryAt: Optional(Text()),
  counts: stateCounts,
  /** Absent where nothing was ever delivered to it in this run. */
  lag: Optional(subscriptionLag),
  /** What would fail or differ on the reference sidecar; absent: nothing is known, or the profile is not `dapr`. */
  onReference: Optional(list(referenceHint)),
});
export type SubscriptionRow = Static<typeof subscriptionRow>;

/** Row of `components.list`. */
export const componentRow = members({
  name: Text(),
  type: Text(),
  /** Type that its file gives, where it is served from memory instead (`--local-pubsub`). */
  insteadOf: Optional(Text()),
  version: Text(),
  kind: oneOf(['pubsub', 'binding', 'secretstore', 'other']),
  state: oneOf(['ready', 'initialising', 'failed']),
  reason: Optional(Text()),
  /** Starts that failed since it was loaded; absent: none. */
  failedStarts: Optional(Num()),
  /** When it is started again by itself; absent: only a changed file helps. */
  nextStartAt: Optional(Text()),
  /** Set while the component's server, which was there, is away: publishes are refused, deliveries wait. The component is tried again by itself. */
  lost: Optional(
    members({
      since: Text(),
      reason: Text(),
      /** Tries since then that failed. */
      tries: Num(),
      nextTryAt: Optional(Text()),
    }),
  ),
  file: Optional(Text()),
  line: Optional(Num()),
  document: Optional(Num()),
  scopes: list(Text()),
  ignoreErrors: Bool(),
  capabilities: list(Text()),
  /** Settings after templates and secret references; secrets are masked. */
  metadata: dictionary(Text()),
  problems: list(problem),
  subscriptions: Num(),
});
export type ComponentRow = Static<typeof componentRow>;

/** One document of a resource file, and whether it is used. */
export const resourceDocument = members({
  kind: oneOf(['Component', 'Subscription', 'Resiliency']),
  /** "" = it has none. */
  name: Text(),
  /** Place in the file, both from 1. */
  document: Num(),
  line: Num(),
  used: Bool(),
  /** Why it is not used. */
  reason: Optional(Text()),
  /** What a subscription subscribes to; absent for other kinds, and where the document does not say. */
  of: Optional(members({ pubsubname: Text(), topic: Text() })),
});
export type ResourceDocument = Static<typeof resourceDocument>;

/** A file of the resources folder: its documents and everything wrong with it, with line and column. */
export const resourceFile = members({
  file: Text(),
  documents: list(resourceDocument),
  problems: list(problem),
});
export type ResourceFile = Static<typeof resourceFile>;

/** How the last discovery of an app went. */
export const discoveryState = members({
  state: oneOf(['waiting', 'asking', 'done', 'failed']),
  url: Text(),
  at: Optional(Text()),
  status: Optional(Num()),
  count: Num(),
  error: Optional(Text()),
  /** The beginning of what the app answered, when it failed. */
  body: Optional(Text()),
});
export type DiscoveryState = Static<typeof discoveryState>;

/** How the app answers the probe of the setting `app.health`. Deliveries wait while it is not healthy. */
export const appProbe = members({
  path: Text(),
  healthy: Bool(),
  /** Probes in a row that were not answered with 2xx. */
  failures: Num(),
  /** Number of failures in a row that make the app not healthy. */
  threshold: Num(),
  /** Moment of the last probe; absent before the first. */
  at: Optional(Text()),
  status: Optional(Num()),
  /** Why there was no answer. */
  error: Optional(Text()),
});
export type AppProbe = Static<typeof appProbe>;

/** Row of `apps.list`: one for each instance, so the id of an app with several is there several times. */
export const appRow = members({
  appId: Text(),
  sidecar: Text(),
  /** Where the sidecar listens for gRPC, `127.0.0.1:50001`; absent: it does not. */
  grpc: Optional(Text()),
  /** Where it is delivered to; absent: it has no address and only publishes. */
  app: Optional(Text()),
  /** What its deliveries travel as. */
  protocol: oneOf(PROTOCOLS),
  mock: Bool(),
  /** Address of the mock app that stands by for it, to which it can be turned back (setting `app.address`). */
  mockUrl: Optional(Text()),
  /** Added while the product ran (`apps.add`): it may be removed again. */
  added: Optional(Bool()),
  /** `none`: it has no address. */
  channel: oneOf(['unknown', 'answering', 'not-reachable', 'none']),
  healthy: Bool(),
  discovery: discoveryState,
  problems: list(problem),
  /** Absent while the setting `app.health` is off. */
  appHealth: Optional(appProbe),
});
export type AppRow = Static<typeof appRow>;

/** An app with a sidecar of its own, from now on. */
export const newApp = members({
  appId: name,
  /** Where its deliveries go; absent: to a mock app. */
  url: Optional(Text({ maxLength: 2000 })),
  /** Absent: the next free one. */
  sidecarPort: Optional(Integer({ minimum: 0, maximum: 65_535 })),
});
export type NewApp = Static<typeof newApp>;
