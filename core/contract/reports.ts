/** Reports of the console: what routes, probes, counters and the product itself say. */
import type { DeliveryState } from './delivery.ts';
import type { ReferenceHint } from './reference-hint.ts';
import type { AppRow, ComponentRow, Latency, StateCounts, TopicRow } from './subscription.ts';

export type Counts = Readonly<Record<DeliveryState, number>>;

/** What one subscription made of an event. */
export interface RouteExplanation {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly source: 'programmatic' | 'declarative' | 'streaming';
  readonly raw: boolean;
  readonly bulk: boolean;
  readonly rules: readonly {
    readonly index: number;
    readonly match: string;
    readonly path: string;
    /** How `match` was read, where that is not the meaning of its expression. */
    readonly reading?: string;
    readonly value: 'true' | 'false' | 'error' | 'not looked at';
    readonly error?: string;
    /** Where in the expression it could not be evaluated, from 1. */
    readonly column?: number;
    readonly chosen: boolean;
  }[];
  readonly default?: { readonly path: string; readonly chosen: boolean };
  /** Why it cannot be delivered to this subscription at all; its rules are not looked at then. */
  readonly unreadable?: string;
  /** The path chosen; absent: none. */
  readonly path?: string;
  /** What would fail or differ on the reference sidecar, for this subscription and this event; absent: nothing. */
  readonly onReference?: readonly ReferenceHint[];
}

export interface HealthProbe {
  readonly healthy: boolean;
  readonly status: 204 | 500;
  readonly since: string;
  readonly parts: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly detail: string;
    readonly counts: boolean;
  }[];
}

/** A probe that changed its answer. */
export interface HealthChange {
  readonly at: string;
  readonly probe: 'healthz' | 'outbound';
  readonly healthy: boolean;
  /** The parts that decided, in words. */
  readonly reason: string;
}

/** What a probe answered to a call over HTTP. */
export interface ProbeAnswer {
  readonly url: string;
  readonly at: string;
  readonly tookMs: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HealthReport {
  readonly appId: string;
  readonly healthz: HealthProbe;
  readonly outbound: HealthProbe;
  readonly simulated: boolean | null;
  /** The last 50 changes of both probes, newest first. */
  readonly changes: readonly HealthChange[];
}

/** One step of the history; rates are per second. */
export interface MetricsPoint {
  /** Start of the step. */
  readonly at: string;
  readonly published: number;
  /** Deliveries that came into a state, per second; states without any are left out. */
  readonly entered: StateCounts;
  /** Deliveries that had not ended, at the end of the step. */
  readonly open: number;
  readonly latency?: Latency;
}

export interface MetricsHistory {
  readonly stepMs: number;
  /** At most 120, oldest first. */
  readonly points: readonly MetricsPoint[];
}

export interface MetricsReport {
  readonly at: string;
  readonly published: number;
  readonly attempts: number;
  readonly rates: { readonly in: number; readonly out: number };
  readonly counts: Counts;
  readonly topics: readonly TopicRow[];
  /** Only when a range was asked for. */
  readonly history?: MetricsHistory;
}

/** What a start found in the journal: what earlier runs left, and what was made of it. */
export interface StartReport {
  readonly at: string;
  /** Messages kept from earlier runs. */
  readonly kept: number;
  /** Kept messages that were not finished and are taken up again. */
  readonly unfinished: number;
  /** Deliveries whose call was cut: made again, rule `restart.requeued`. */
  readonly requeued: number;
  /** Messages whose component may not have had them: handed to it again. */
  readonly republished: number;
  /** The process before did not end in order: it was killed, or the power went. */
  readonly wasCut: boolean;
  /** Deliveries that had ended, and stayed so. */
  readonly ended: number;
  /** Deliveries and messages that go on from where they stood. */
  readonly wentOn: number;
  readonly held: number;
  readonly parked: number;
  /** Messages whose bytes on the disk are not what was written: not delivered. */
  readonly damaged: number;
  /** All of it as sentences. */
  readonly text: string;
}

export interface SystemDescription {
  readonly version: string;
  /** Origin that the console is served at over HTTP, `/rpc` with it; a window of its own has another one. */
  readonly consoleUrl: string;
  readonly profile: 'sidecar' | 'dapr';
  readonly apps: readonly AppRow[];
  readonly components: readonly ComponentRow[];
  readonly methods: readonly string[];
  /** Things a person must know: ports that gave way, history not kept, publishes that are refused at present. */
  readonly banners: readonly {
    readonly id: string;
    readonly text: string;
    readonly level: 'info' | 'warn' | 'error';
  }[];
  readonly ephemeral: boolean;
  /** Whether files can be shown in their folder (`components.reveal`): in a desktop window only. */
  readonly canReveal?: boolean;
  readonly dataDir?: string;
  /** Where component files come from; absent: the built-in component. */
  readonly folder?: string;
  readonly start: StartReport;
}
