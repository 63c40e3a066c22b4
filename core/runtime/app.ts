/** One app as the runtime knows it: its channel, its lanes, what discovery said, whether calls may start now. */
import type { AppRow, DiscoveryState, Problem, Subscription } from '../contract/subscription.ts';
import type { AppChannel } from '../ports/app-channel.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from './live.ts';

/** How an app is reached; `sidecar` is filled in once the HTTP edge listens. */
export interface AppSpec {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock?: MockApp;
}

/** The queue of one subscription, as its app and those who fill it know it. */
export interface Lane {
  readonly key: LaneKey;
  /** undefined: nobody subscribes any more; what is open still goes out. */
  active: ActiveSubscription | undefined;
  /** Deliveries that wait for a call. */
  readonly waiting: number;
  /** Queues a delivery that may be attempted now. Twice is once. */
  offer(d: LiveDelivery): void;
  /** Starts what may start. Cheap when nothing may. */
  pump(): void;
}

export class App {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock: MockApp | undefined;
  readonly lanes = new Map<string, Lane>();
  /** Address of its sidecar; "" until the port listens. */
  sidecarUrl = '';
  inFlight = 0;
  /** Nothing starts while it is asked for its subscriptions again. */
  asking = false;
  /** Set by app health checks; undefined: not checked. */
  appHealthy: boolean | undefined;
  stopping = false;
  reached: AppRow['channel'] = 'unknown';
  discovery: DiscoveryState;
  /** The first discovery has ended, well or not: messages no longer wait for it. */
  discovered = false;
  programmatic: readonly Subscription[] = [];
  declared: readonly Subscription[] = [];
  problems: readonly Problem[] = [];
  /** Everything that was subscribed to, refused and inert ones included. */
  rows: {
    readonly subscription: Subscription;
    readonly state: 'active' | 'forbidden' | 'inert';
    readonly reason?: string;
  }[] = [];
  extended: Record<string, string> = {};
  simulatedHealth: boolean | null = null;

  constructor(spec: AppSpec, discoveryPath: string) {
    this.appId = spec.appId;
    this.channel = spec.channel;
    this.mock = spec.mock;
    this.discovery = { state: 'waiting', url: spec.channel.url + discoveryPath, count: 0 };
  }

  /** Whether a call may start now. @param maxConcurrency 0 = no limit */
  mayStart(maxConcurrency: number): boolean {
    if (this.asking || this.stopping || this.appHealthy === false) return false;
    return maxConcurrency === 0 || this.inFlight < maxConcurrency;
  }

  pumpAll(): void {
    for (const lane of this.lanes.values()) lane.pump();
  }
}
