/** Shapes of the console's reports on routes, probes, counters and the product itself. */
import { DELIVERY_STATES } from './delivery.ts';
import { PROFILE_NAMES } from './profile.ts';
import { referenceHint } from './reference-hint.ts';
import { reroutedProblem } from './targets.ts';
import {
  Bool,
  dictionary,
  eachOf,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  Text,
  Union,
} from './schema.ts';
import type { Static } from './schema.ts';
import { appRow, componentRow, latency, stateCounts, topicRow } from './subscription.ts';

export const counts = eachOf(DELIVERY_STATES, Num());
export type Counts = Static<typeof counts>;

/** How one subscription routes an event. */
export const routeExplanation = members({
  appId: Text(),
  pubsubname: Text(),
  topic: Text(),
  source: oneOf(['programmatic', 'declarative', 'streaming']),
  raw: Bool(),
  bulk: Bool(),
  rules: list(
    members({
      index: Num(),
      match: Text(),
      path: Text(),
      /** How `match` was read, if that is not the meaning of its expression. */
      reading: Optional(Text()),
      value: oneOf(['true', 'false', 'error', 'not looked at']),
      error: Optional(Text()),
      /** Column at which the evaluation of the expression failed, from 1. */
      column: Optional(Num()),
      chosen: Bool(),
    }),
  ),
  default: Optional(
    members({
      path: Text(),
      chosen: Bool(),
    }),
  ),
  /** Why the event cannot be delivered to this subscription at all; its rules are then not evaluated. */
  unreadable: Optional(Text()),
  /** Why the subscription gets no event now, whatever its rules say; absent: it is in use. */
  unused: Optional(Text()),
  /** Path that was chosen; absent: none. */
  path: Optional(Text()),
  /** Differences on the reference sidecar for this subscription and this event; absent: none. */
  onReference: Optional(list(referenceHint)),
});
export type RouteExplanation = Static<typeof routeExplanation>;

export const healthProbe = members({
  healthy: Bool(),
  status: Union([Literal(204), Literal(500)]),
  since: Text(),
  parts: list(
    members({
      name: Text(),
      ok: Bool(),
      detail: Text(),
      counts: Bool(),
    }),
  ),
});
export type HealthProbe = Static<typeof healthProbe>;

/** A probe that changed its answer. */
export const healthChange = members({
  at: Text(),
  probe: oneOf(['healthz', 'outbound']),
  healthy: Bool(),
  /** The parts that decided, in words. */
  reason: Text(),
});
export type HealthChange = Static<typeof healthChange>;

/** Answer of a probe over HTTP. */
export const probeAnswer = members({
  url: Text(),
  at: Text(),
  tookMs: Num(),
  status: Num(),
  headers: dictionary(Text()),
  body: Text(),
});
export type ProbeAnswer = Static<typeof probeAnswer>;

export const healthReport = members({
  appId: Text(),
  healthz: healthProbe,
  outbound: healthProbe,
  simulated: orNull(Bool()),
  /** The last 50 changes of both probes, newest first. */
  changes: list(healthChange),
});
export type HealthReport = Static<typeof healthReport>;

/** One step of the history; rates are per second. */
export const metricsPoint = members({
  /** Start of the step. */
  at: Text(),
  published: Num(),
  /** Share of `published` that came in bulk publishes; left out if 0. */
  bulk: Optional(Num()),
  /** Deliveries per second that entered each state; a state with 0 is left out. */
  entered: stateCounts,
  /** Deliveries that had not ended when the step ended. */
  open: Num(),
  latency: Optional(latency),
});
export type MetricsPoint = Static<typeof metricsPoint>;

export const metricsHistory = members({
  stepMs: Num(),
  /** Steps of the history, oldest first, at most 120. */
  points: list(metricsPoint),
});
export type MetricsHistory = Static<typeof metricsHistory>;

export const metricsReport = members({
  at: Text(),
  published: Num(),
  attempts: Num(),
  rates: members({
    in: Num(),
    out: Num(),
  }),
  counts,
  topics: list(topicRow),
  /** History; only if a range was asked for. */
  history: Optional(metricsHistory),
});
export type MetricsReport = Static<typeof metricsReport>;

/** State of the journal that a start found from earlier runs, and what it did with it. */
export const startReport = members({
  at: Text(),
  /** Messages kept from earlier runs. */
  kept: Num(),
  /** Kept messages that were not finished and go on now. */
  unfinished: Num(),
  /** Number of deliveries whose call was cut and is repeated, rule `restart.requeued`. */
  requeued: Num(),
  /** Number of messages that are published to their component again, because it may not have received them. */
  republished: Num(),
  /** Whether the previous process ended without a shutdown: it was killed, or the power failed. */
  wasCut: Bool(),
  /** Deliveries that had ended and did not change. */
  ended: Num(),
  /** Deliveries and messages that go on from their earlier state. */
  wentOn: Num(),
  held: Num(),
  parked: Num(),
  /** Messages without a subscription that were not replayed. */
  none: Num(),
  /** Messages without a subscription that were replayed since. */
  replayed: Num(),
  /** Messages whose bytes on disk are damaged; they are not delivered. */
  damaged: Num(),
  /** The whole report as sentences. */
  text: Text(),
});
export type StartReport = Static<typeof startReport>;

export const systemDescription = members({
  version: Text(),
  /** Origin of the console over HTTP, with `/rpc` below it. A desktop window has another origin. */
  consoleUrl: Text(),
  profile: oneOf(PROFILE_NAMES),
  apps: list(appRow),
  components: list(componentRow),
  methods: list(Text()),
  /**
   * Warnings for a person, the newest first: ports that were taken, history that is not kept, publishes that are
   * refused at present.
   */
  banners: list(
    members({
      id: Text(),
      text: Text(),
      level: oneOf(['info', 'warn', 'error']),
      /** The app that it is about. */
      appId: Optional(Text()),
      /** Finds the messages that it is about. */
      filter: Optional(Text()),
      /** What ends the problem of the app: that its subscriptions are asked for again, or that the messages of `filter` are replayed. */
      help: Optional(oneOf(['discovery', 'replay'])),
      /** The problem of the app that `deliveries.reroute` ends. */
      reroute: Optional(reroutedProblem),
    }),
  ),
  ephemeral: Bool(),
  /** Whether `components.reveal` can show files in their folder, which only a desktop window can. */
  canReveal: Optional(Bool()),
  dataDir: Optional(Text()),
  /** Folder of the component files; absent: the built-in component is used. */
  folder: Optional(Text()),
  start: startReport,
});
export type SystemDescription = Static<typeof systemDescription>;
