/** Reports of the console: what routes, probes, counters and the product itself say. */
import { DELIVERY_STATES } from './delivery.ts';
import { PROFILE_NAMES } from './profile.ts';
import { referenceHint } from './reference-hint.ts';
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

/** What one subscription made of an event. */
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
      /** How `match` was read, where that is not the meaning of its expression. */
      reading: Optional(Text()),
      value: oneOf(['true', 'false', 'error', 'not looked at']),
      error: Optional(Text()),
      /** Where in the expression it could not be evaluated, from 1. */
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
  /** Why it cannot be delivered to this subscription at all; its rules are not looked at then. */
  unreadable: Optional(Text()),
  /** The path chosen; absent: none. */
  path: Optional(Text()),
  /** What would fail or differ on the reference sidecar, for this subscription and this event; absent: nothing. */
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

/** What a probe answered to a call over HTTP. */
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
  /** Deliveries that came into a state, per second; states without any are left out. */
  entered: stateCounts,
  /** Deliveries that had not ended, at the end of the step. */
  open: Num(),
  latency: Optional(latency),
});
export type MetricsPoint = Static<typeof metricsPoint>;

export const metricsHistory = members({
  stepMs: Num(),
  /** At most 120, oldest first. */
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
  /** Only when a range was asked for. */
  history: Optional(metricsHistory),
});
export type MetricsReport = Static<typeof metricsReport>;

/** What a start found in the journal: what earlier runs left, and what the start did with it. */
export const startReport = members({
  at: Text(),
  /** Messages kept from earlier runs. */
  kept: Num(),
  /** Kept messages that were not finished and are taken up again. */
  unfinished: Num(),
  /** Deliveries whose call was cut: made again, rule `restart.requeued`. */
  requeued: Num(),
  /** Messages whose component may not have had them: handed to it again. */
  republished: Num(),
  /** The process before did not end in order: it was killed, or the power went. */
  wasCut: Bool(),
  /** Deliveries that had ended, and stayed so. */
  ended: Num(),
  /** Deliveries and messages that go on from where they stood. */
  wentOn: Num(),
  held: Num(),
  parked: Num(),
  /** Messages whose bytes on the disk are not what was written: not delivered. */
  damaged: Num(),
  /** All of it as sentences. */
  text: Text(),
});
export type StartReport = Static<typeof startReport>;

export const systemDescription = members({
  version: Text(),
  /** Origin that the console is served at over HTTP, `/rpc` with it; a window of its own has another one. */
  consoleUrl: Text(),
  profile: oneOf(PROFILE_NAMES),
  apps: list(appRow),
  components: list(componentRow),
  methods: list(Text()),
  /** Things a person must know: ports that gave way, history not kept, publishes that are refused at present. */
  banners: list(
    members({
      id: Text(),
      text: Text(),
      level: oneOf(['info', 'warn', 'error']),
    }),
  ),
  ephemeral: Bool(),
  /** Whether files can be shown in their folder (`components.reveal`): in a desktop window only. */
  canReveal: Optional(Bool()),
  dataDir: Optional(Text()),
  /** Where component files come from; absent: the built-in component. */
  folder: Optional(Text()),
  start: startReport,
});
export type SystemDescription = Static<typeof systemDescription>;
