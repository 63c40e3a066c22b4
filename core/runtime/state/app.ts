/** State of one app in the runtime: its channel, its lanes, its discovered subscriptions, whether calls may start now. */
import type { DeliveryTurn } from '../../contract/message.ts';
import type {
  AppProbe,
  AppRow,
  DeliverySettings,
  DiscoveryState,
  Problem,
  Subscription,
} from '../../contract/subscription.ts';
import { APP_METHODS } from '../../contract/grpc.ts';
import type { AppHealthSettings, SettingValues } from '../../domain/settings.ts';
import type { AppChannel } from '../../ports/app-channel.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from './live.ts';
import { ByteBudget } from './byte-budget.ts';

/** Settings of one app alone; absent members come from the general settings and the start options. */
export interface AppOwn {
  /** 0 = no limit. */
  readonly maxConcurrency?: number;
  readonly health?: AppHealthSettings;
  /** Sent with every call to the app. */
  readonly appApiToken?: string;
  /** For declarative subscriptions and resiliency. */
  readonly namespace?: string;
}

/** How an app is reached; `sidecar` is filled in once the HTTP edge listens. */
export interface AppSpec {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock?: MockApp;
  /** True for an app that was added while Sidelight ran: it may be removed again. */
  readonly added?: boolean;
  readonly own?: AppOwn;
}

/** Interface of a subscription's queue for its app and for the parts that fill it. */
export interface Lane {
  readonly key: LaneKey;
  /** The subscription and its settings; undefined: it has ended, and open deliveries wait. */
  active: ActiveSubscription | undefined;
  /** The stream that its deliveries go to; undefined: they go to the app, or wait for a stream. */
  channel: AppChannel | undefined;
  /** Deliveries that wait for a call. */
  readonly waiting: number;
  /** True if the subscription has ended and nothing waits here. */
  readonly isIdle: boolean;
  /**
   * `served`: attempts may start. `opening`: the component is opening the subscription. `ended`: the subscription has ended or the
   * component refused it; deliveries wait, and their rows give the reason.
   */
  standing: 'served' | 'opening' | 'ended';
  /** Whether the subscription allows an attempt to start. */
  readonly mayAttempt: boolean;
  /** Queues a delivery that may be attempted now; a queued one stays queued once. */
  offer(d: LiveDelivery): void;
  /** Starts all calls that may start. Cheap if none may. */
  pump(): void;
  /** Gives waiting deliveries to another stream of the topic, which has opened. */
  lookAgain(): void;
  /** Why a delivery in its queue waits now; undefined: it is not in the queue. */
  turnOf(d: LiveDelivery): DeliveryTurn | undefined;
}

/** A subscription of a stream. */
export interface StreamSlot {
  readonly subscription: Subscription;
  /** undefined: the stream was lost, and the subscription waits for the next one. */
  readonly channel: AppChannel | undefined;
}

/** Memory for the bodies of one app's running calls; further calls wait for room. */
const CALL_BODIES_BYTES = 64 * 1024 * 1024;

/** Codes of problems whose reason is that the app did not answer discovery. */
const OF_NO_ANSWER: ReadonlySet<string> = new Set(['discovery-slow', 'discovery-failed']);

export class App {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock: MockApp | undefined;
  readonly added: boolean;
  readonly own: AppOwn;
  readonly lanes = new Map<string, Lane>();
  /** Lanes that could start a call if the app had room, longest waiting first. */
  readonly #wanting = new Set<Lane>();
  /** Addresses of its sidecars in the order of the instances; "" where the port no longer listens. */
  readonly sidecars: string[] = [];
  /** gRPC addresses of the sidecars, `127.0.0.1:50001`, in the same order; undefined: that one has none. */
  readonly grpcAddresses: (string | undefined)[] = [];
  inFlight = 0;
  /** Memory for the bodies of running calls. */
  readonly bodies = new ByteBudget(CALL_BODIES_BYTES);
  /** Deliveries whose call waits for memory for its bodies, in order of request, each with the batch of that call. */
  readonly waitingForRoom = new Map<LiveDelivery, readonly LiveDelivery[]>();
  /** Deliveries of a batch that is split into several calls, while an earlier call of the batch is running. */
  readonly waitingForEarlierCall = new Set<LiveDelivery>();
  /** True while the app is asked for its subscriptions again; no delivery starts then. */
  asking = false;
  /** Result of app health checks: whether any of its instances is healthy; undefined: not checked. */
  appHealthy: boolean | undefined;
  /** Last result of these checks, by instance. */
  readonly probes: (AppProbe | undefined)[] = [];
  stopping = false;
  /** True while its process restarts; deliveries wait for the new one. */
  away = false;
  /** Why the process that this run starts for the app does not run; undefined: it runs, or this run starts none. */
  notRunning: string | undefined;
  /** True after the app was removed: discovery and health checks have ended. */
  gone = false;
  reached: AppRow['channel'] = 'unknown';
  discovery: DiscoveryState;
  /** True after the first discovery has ended, even if it failed: messages no longer wait for it. */
  discovered = false;
  /** True if discovery was skipped because the app has no component to subscribe to. */
  unasked = false;
  /** Components that are being replaced; messages published to them wait for this app. */
  suspended: ReadonlySet<string> = new Set();
  /** Subscriptions of open streams, and of lost ones that may come back. */
  streams: readonly StreamSlot[] = [];
  programmatic: readonly Subscription[] = [];
  declared: readonly Subscription[] = [];
  /** Names of the Resiliency documents that apply to it. */
  resiliencies: readonly string[] = [];
  /** Problem that no program has listened at the app's address for some time; undefined: one listens. */
  absence: Problem | undefined;
  /** Problem that the app fails its health check; undefined: it does not. */
  illness: Problem | undefined;
  /** Problems of its discovery answer; `mergeProblems`: problems of the answer and the files together. */
  answerProblems: readonly Problem[] = [];
  mergeProblems: readonly Problem[] = [];
  /** All subscriptions, including refused and unused ones. */
  rows: {
    readonly subscription: Subscription;
    readonly state: 'active' | 'forbidden' | 'inert';
    readonly reason?: string;
    /** Number of attempts to subscribe that the component refused, and time of the next one, ms since 1970. */
    readonly failedTries?: number;
    readonly nextTryMs?: number;
  }[] = [];
  /** Attributes that were added to the metadata of the app's sidecar. */
  readonly attributes = new Map<string, string>();
  simulatedHealth: boolean | null = null;

  constructor(spec: AppSpec, discoveryPath: string) {
    this.appId = spec.appId;
    this.channel = spec.channel;
    this.mock = spec.mock;
    this.added = spec.added === true;
    this.own = spec.own ?? {};
    const path = spec.channel.protocol === 'grpc' ? APP_METHODS.listTopicSubscriptions : discoveryPath;
    const url = spec.channel.url === '' ? '' : spec.channel.url + path;
    this.discovery = { state: 'waiting', url, count: 0 };
    if (!this.hasAddress) this.reached = 'none';
  }

  /** False for an app that only publishes: it is never asked, and nothing waits for it. */
  get hasAddress(): boolean {
    return this.channel.url !== '';
  }

  /** Calls to it at the same time; 0 = no limit. */
  maxConcurrency(settings: SettingValues): number {
    return this.own.maxConcurrency ?? settings['app.maxConcurrency'];
  }

  health(settings: SettingValues): AppHealthSettings {
    return this.own.health ?? settings['app.health'];
  }

  /**
   * Token that every call carries, by which the app recognises its sidecar; undefined: none.
   * @param ofAll the token given at the start
   */
  token(ofAll: string | undefined): string | undefined {
    return this.own.appApiToken ?? ofAll;
  }

  /** Whether its calls go to a mock app in this process now. */
  get isMocked(): boolean {
    return this.mock !== undefined && this.mock.url === this.channel.url;
  }

  /**
   * Whether a call may start now; never before the first discovery has ended. A stream is open whatever the app's port says.
   * @param maxConcurrency 0 = no limit
   */
  mayStart(maxConcurrency: number, lane?: Pick<Lane, 'channel'>): boolean {
    if (lane?.channel !== undefined) return !this.stopping;
    if (!this.discovered || this.asking || this.stopping || this.away) return false;
    if (this.appHealthy === false) return false;
    return maxConcurrency === 0 || this.inFlight < maxConcurrency;
  }

  /** Address of the first sidecar that listens; "" while there is none. */
  get sidecarUrl(): string {
    return this.sidecars.find((url) => url !== '') ?? '';
  }

  get problems(): readonly Problem[] {
    const standing = [this.absence, this.illness].filter((one) => one !== undefined);
    // If no program listens, a missing answer has the same reason and needs no sentence of its own.
    const answer = this.answerProblems.filter(
      ({ code }) => this.absence === undefined || code === undefined || !OF_NO_ANSWER.has(code),
    );
    return [...standing, ...answer, ...this.mergeProblems];
  }

  wantsSlot(lane: Lane): void {
    this.#wanting.add(lane);
  }

  /** Gives each waiting lane its turn, until one has to wait again because the app has no free slot. */
  slotFreed(): void {
    for (;;) {
      const [lane] = this.#wanting;
      if (lane === undefined) return;
      this.#wanting.delete(lane);
      lane.pump();
      if (this.#wanting.has(lane)) return;
    }
  }

  pumpAll(): void {
    this.#wanting.clear();
    for (const lane of this.lanes.values()) lane.pump();
  }
}

/** Settings of a delivery: those of its subscription when it was created, or (older history) the present ones; undefined: unknown. */
export function settingsOf(
  { subscription }: Pick<LiveDelivery, 'subscription'>,
  lane: Pick<Lane, 'active'> | undefined,
): DeliverySettings | undefined {
  return subscription.settings ?? lane?.active?.settings;
}
