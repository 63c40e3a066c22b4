/** Subscriptions as the app's discovery route and the declarative files give them, and as the console lists them. */

import type { Protocol } from './grpc.ts';
import type { ReferenceHint } from './reference-hint.ts';

/** One rule of `routes.rules`. An absent or empty `match` always holds. */
export interface RouteRule {
  readonly match?: string;
  readonly path: string;
}

/** Element of the discovery answer; member names as on the wire. */
export interface WireSubscription {
  readonly pubsubname: string;
  readonly topic: string;
  readonly route?: string;
  readonly routes?: { readonly rules?: readonly RouteRule[]; readonly default?: string } | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly bulkSubscribe?: {
    readonly enabled?: boolean;
    readonly maxMessagesCount?: number;
    readonly maxAwaitDurationMs?: number;
  } | null;
  readonly deadLetterTopic?: string | null;
}

export interface BulkSubscribe {
  readonly maxMessagesCount: number;
  readonly maxAwaitDurationMs: number;
}

/**
 * How a delivery is made, as its subscription said when the delivery came into being. A delivery keeps its settings, whatever the
 * app subscribes to later.
 */
export interface DeliverySettings {
  /** Present: the delivery goes out in batches. */
  readonly bulk?: BulkSubscribe;
  /** Present: the subscription takes raw payloads. */
  readonly rawPayload?: true;
  readonly deadLetterTopic?: string;
}

/** A subscription with everything settled: what the runtime routes by. `rules` are in the order of evaluation, without the default. */
export interface Subscription {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly source: 'programmatic' | 'declarative' | 'streaming';
  /** Place among the streams of one topic, from 2; absent: the first, or no stream. */
  readonly stream?: number;
  readonly file?: string;
  /** Document within the file, from 1. */
  readonly document?: number;
  readonly rules: readonly { readonly match: string; readonly path: string }[];
  readonly defaultPath?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** undefined: the value of `rawPayload` could not be read. */
  readonly rawPayload: boolean | undefined;
  readonly bulk?: BulkSubscribe;
  readonly deadLetterTopic?: string;
}

/** Something that is wrong with a subscription, a component file or a discovery answer. */
export interface Problem {
  readonly file?: string;
  /** Document within the file, from 1. */
  readonly document?: number;
  readonly line?: number;
  readonly column?: number;
  readonly code?: string;
  readonly field?: string;
  readonly message: string;
  readonly severity?: 'error' | 'warning';
}

export type StateCounts = Readonly<Partial<Record<import('./delivery.ts').DeliveryState | 'none', number>>>;

/** Duration of calls to the app, in ms; each figure is at most a fifth too high. */
export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Calls that were measured. */
  readonly calls: number;
}

/** Row of `topics.list`. */
export interface TopicRow {
  readonly pubsubname: string;
  readonly topic: string;
  /** Ids of the apps that subscribe to it. */
  readonly apps: readonly string[];
  readonly subscriptions: number;
  readonly published: number;
  /** Deliveries by state now; `none` counts messages nobody subscribed to. */
  readonly counts: StateCounts;
  /** Messages per second over the last 60 s. */
  readonly rate: number;
  /** Messages in each of the last 60 seconds, oldest first. */
  readonly perSecond: readonly number[];
  readonly lastAt?: string;
  /** Calls to apps with messages of this topic, since the start. */
  readonly latency?: Latency;
  readonly bulk: boolean;
  readonly deadLetterTopic?: string;
}

/** A rule of a subscription that is served. */
export interface ReadRule {
  readonly match: string;
  readonly path: string;
  /** How `match` was read, where that is not the meaning of its expression: `compares event.type with the text order:created`. */
  readonly reading?: string;
}

/** Row of `subscriptions.list`. */
export interface SubscriptionRow extends Omit<Subscription, 'rawPayload' | 'rules'> {
  readonly rules: readonly ReadRule[];
  readonly rawPayload: boolean | null;
  readonly state: 'active' | 'invalid' | 'forbidden' | 'inert';
  readonly reason?: string;
  /** Times the component refused it; absent: none. */
  readonly failedTries?: number;
  /** When the component is asked again by itself. */
  readonly nextTryAt?: string;
  readonly counts: StateCounts;
  /** What would fail or differ on the reference sidecar; absent: nothing is known, or the profile is not `dapr`. */
  readonly onReference?: readonly ReferenceHint[];
}

/** Row of `components.list`. */
export interface ComponentRow {
  readonly name: string;
  readonly type: string;
  /** Type that its file gives, where it is served from memory instead (`--local-pubsub`). */
  readonly insteadOf?: string;
  readonly version: string;
  readonly kind: 'pubsub' | 'binding' | 'secretstore' | 'other';
  readonly state: 'ready' | 'initialising' | 'failed';
  readonly reason?: string;
  /** Starts that failed since it was loaded; absent: none. */
  readonly failedStarts?: number;
  /** When it is started again by itself; absent: only a changed file helps. */
  readonly nextStartAt?: string;
  /** Set while the component's server, which was there, is away: publishes are refused, deliveries wait. The component is tried again by itself. */
  readonly lost?: {
    readonly since: string;
    readonly reason: string;
    /** Tries since then that failed. */
    readonly tries: number;
    readonly nextTryAt?: string;
  };
  readonly file?: string;
  readonly line?: number;
  readonly document?: number;
  readonly scopes: readonly string[];
  readonly ignoreErrors: boolean;
  readonly capabilities: readonly string[];
  /** Settings after templates and secret references; secrets are masked. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  readonly subscriptions: number;
}

/** One document of a resource file and what came of it. */
export interface ResourceDocument {
  readonly kind: 'Component' | 'Subscription' | 'Resiliency';
  /** "" = it has none. */
  readonly name: string;
  /** Place in the file, both from 1. */
  readonly document: number;
  readonly line: number;
  readonly used: boolean;
  /** Why it is not used. */
  readonly reason?: string;
  /** What a subscription subscribes to; absent for other kinds, and where the document does not say. */
  readonly of?: { readonly pubsubname: string; readonly topic: string };
}

/** A file of the resources folder: its documents and everything wrong with it, with line and column. */
export interface ResourceFile {
  readonly file: string;
  readonly documents: readonly ResourceDocument[];
  readonly problems: readonly Problem[];
}

/** Row of `apps.list`: one for each instance, so the id of an app with several is there several times. */
export interface AppRow {
  readonly appId: string;
  readonly sidecar: string;
  /** Where the sidecar listens for gRPC, `127.0.0.1:50001`; absent: it does not. */
  readonly grpc?: string;
  /** Where it is delivered to; absent: it has no address and only publishes. */
  readonly app?: string;
  /** What its deliveries travel as. */
  readonly protocol: Protocol;
  readonly mock: boolean;
  /** Address of the mock app that stands by for it, to which it can be turned back (setting `app.address`). */
  readonly mockUrl?: string;
  /** Added while the product ran (`apps.add`): it may be taken away again. */
  readonly added?: boolean;
  /** `none`: it has no address. */
  readonly channel: 'unknown' | 'answering' | 'not-reachable' | 'none';
  readonly healthy: boolean;
  readonly discovery: DiscoveryState;
  readonly problems: readonly Problem[];
  /** Absent while the setting `app.health` is off. */
  readonly appHealth?: AppProbe;
}

/** An app with a sidecar of its own, from now on. */
export interface NewApp {
  readonly appId: string;
  /** Where its deliveries go; absent: to a mock app. */
  readonly url?: string;
  /** Absent: the next free one. */
  readonly sidecarPort?: number;
}

/** How the app answers the probe of the setting `app.health`. Deliveries wait while it is not healthy. */
export interface AppProbe {
  readonly path: string;
  readonly healthy: boolean;
  /** Probes in a row that were not answered with 2xx. */
  readonly failures: number;
  /** So many failures in a row make it not healthy. */
  readonly threshold: number;
  /** Moment of the last probe; absent before the first. */
  readonly at?: string;
  readonly status?: number;
  /** Why there was no answer. */
  readonly error?: string;
}

/** How the last discovery of an app went. */
export interface DiscoveryState {
  readonly state: 'waiting' | 'asking' | 'done' | 'failed';
  readonly url: string;
  readonly at?: string;
  readonly status?: number;
  readonly count: number;
  readonly error?: string;
  /** The beginning of what the app answered, when it failed. */
  readonly body?: string;
}
