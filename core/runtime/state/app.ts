/** One app as the runtime knows it: its channel, its lanes, what discovery said, whether calls may start now. */
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

/** The queue of one subscription, as its app and those who fill it know it. */
export interface Lane {
  readonly key: LaneKey;
  /** What the app subscribes to and how; undefined: nobody subscribes any more, and what is open waits. */
  active: ActiveSubscription | undefined;
  /** The stream that its deliveries go to; undefined: they go to the app, or wait for a stream. */
  channel: AppChannel | undefined;
  /** Deliveries that wait for a call. */
  readonly waiting: number;
  /** True when nobody subscribes and nothing waits here. */
  readonly isIdle: boolean;
  /**
   * `served`: attempts may start. `opening`: the component is asked for the subscription. `ended`: nobody subscribes, or the
   * component refused it; deliveries wait, and their rows say for what.
   */
  standing: 'served' | 'opening' | 'ended';
  /** An attempt may start as far as the subscription goes. */
  readonly mayAttempt: boolean;
  /** Queues a delivery that may be attempted now. Twice is once. */
  offer(d: LiveDelivery): void;
  /** Starts what may start. Cheap when nothing may. */
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

/** Bodies of one app's calls at the same time: a large one more than one of them waits for the others. */
const CALL_BODIES_BYTES = 64 * 1024 * 1024;

/** Codes of problems that say that the app was asked and did not answer. */
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
  /** Memory for the bodies of calls under way. */
  readonly bodies = new ByteBudget(CALL_BODIES_BYTES);
  /** Deliveries whose call waits for room for its bodies, in the order of asking, each with those of the same call. */
  readonly waitingForRoom = new Map<LiveDelivery, readonly LiveDelivery[]>();
  /** Deliveries of a batch that goes in several calls, while one before their own has not ended. */
  readonly waitingForEarlierCall = new Set<LiveDelivery>();
  /** True while the app is asked for its subscriptions again; no delivery starts then. */
  asking = false;
  /** Result of app health checks: whether any of its instances is healthy; undefined: not checked. */
  appHealthy: boolean | undefined;
  /** What the last of those checks found, by instance. */
  readonly probes: (AppProbe | undefined)[] = [];
  stopping = false;
  /** True while its process is ended and started again here: deliveries wait for the next one. */
  away = false;
  /** Why the process that is started for it here does not run; undefined: it runs, or none is started here. */
  notRunning: string | undefined;
  /** True when the app was removed: nobody follows it any more. */
  gone = false;
  reached: AppRow['channel'] = 'unknown';
  discovery: DiscoveryState;
  /** The first discovery has ended, well or not: messages no longer wait for it. */
  discovered = false;
  /** True when the app was not asked, because there was no component it could subscribe to. */
  unasked = false;
  /** Components that are being replaced: what is published to them waits for this app. */
  suspended: ReadonlySet<string> = new Set();
  /** Subscriptions of streams: of those that are open, and of those that were lost and may come back. */
  streams: readonly StreamSlot[] = [];
  programmatic: readonly Subscription[] = [];
  declared: readonly Subscription[] = [];
  /** Names of the Resiliency documents that hold for it. */
  resiliencies: readonly string[] = [];
  /** Problem that nobody has listened at the app's address for some time; undefined: somebody does. */
  absence: Problem | undefined;
  /** Problem that the app fails its health check; undefined: it does not. */
  illness: Problem | undefined;
  /** What is wrong with its discovery answer, and with what that answer and the files say together. */
  answerProblems: readonly Problem[] = [];
  mergeProblems: readonly Problem[] = [];
  /** Everything that was subscribed to, refused and inert ones included. */
  rows: {
    readonly subscription: Subscription;
    readonly state: 'active' | 'forbidden' | 'inert';
    readonly reason?: string;
    /** Tries to subscribe that the component refused, and when the next one comes, ms since 1970. */
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

  /** What every call to it carries so that it knows its sidecar; undefined: nothing. @param ofAll the token of the start */
  token(ofAll: string | undefined): string | undefined {
    return this.own.appApiToken ?? ofAll;
  }

  /** Whether its calls go to a mock app of this process now. */
  get isMocked(): boolean {
    return this.mock !== undefined && this.mock.url === this.channel.url;
  }

  /**
   * Whether a call may start now: never before the app said once what it subscribes to. A stream is there whatever the app's port
   * says. @param maxConcurrency 0 = no limit
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
    // Where nobody listens, an answer that did not come has the same reason and needs no sentence of its own.
    const answer = this.answerProblems.filter(
      ({ code }) => this.absence === undefined || code === undefined || !OF_NO_ANSWER.has(code),
    );
    return [...standing, ...answer, ...this.mergeProblems];
  }

  wantsSlot(lane: Lane): void {
    this.#wanting.add(lane);
  }

  /** Gives each lane that waits its turn, until one of them waits again because there is no room. */
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

/** How a delivery is made: as its subscription said at that time, else (an older history) as it says now; undefined: not known. */
export function settingsOf(
  { subscription }: Pick<LiveDelivery, 'subscription'>,
  lane: Pick<Lane, 'active'> | undefined,
): DeliverySettings | undefined {
  return subscription.settings ?? lane?.active?.settings;
}
