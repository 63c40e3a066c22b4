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
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { AppHealthSettings, SettingValues } from '../../domain/settings.ts';
import type { AppChannel } from '../../ports/app-channel.ts';
import type { MockApp } from '../../ports/mock-app.ts';
import type { ActiveSubscription, LaneKey, LiveDelivery } from './live.ts';
import { ByteBudget } from './byte-budget.ts';
import { RouteAnswers } from './route-answers.ts';
import { StreamSlots } from './stream-slots.ts';
import type { StreamSlot } from './stream-slots.ts';

/** Settings of one app alone; absent members come from the general settings and the start options. */
export interface AppOwn {
  /** 0 = no limit. */
  readonly maxConcurrency?: number;
  readonly health?: AppHealthSettings;
  /** Sent with every call to the app. */
  readonly appApiToken?: string;
  /** Namespace that decides which subscription and resiliency files apply. */
  readonly namespace?: string;
}

/** How an app is reached; `sidecar` is filled in once the HTTP edge listens. */
export interface AppSpec {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock?: MockApp;
  /** True for an app that was added while Sidelight ran: it may be removed again. */
  readonly added?: boolean;
  /** What gave the address at the start, as a person wrote it: `--app-url`. */
  readonly addressFrom?: string;
  /** Path of the file of several apps that describes it. */
  readonly runFile?: string;
  /** Where the address of each instance was given, in order; only if several share the app id. */
  readonly addressesFrom?: readonly (string | undefined)[];
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

/** Memory for the bodies of one app's running calls; further calls wait for room. */
const CALL_BODIES_BYTES = 64 * 1024 * 1024;

/** Answer of an app that was asked for its subscriptions. */
interface DiscoveryAnswer {
  /** ISO time. */
  readonly at: string;
  readonly status?: number;
  /** Why the app was not asked. */
  readonly error?: string;
  readonly subscriptions?: readonly Subscription[];
  readonly problems?: readonly Problem[];
  /** Number of subscriptions in it that cannot be used. */
  readonly unused?: number;
}

/** Codes of problems whose reason is that the app did not answer discovery. */
const OF_NO_ANSWER: ReadonlySet<string> = new Set(['discovery-slow', 'discovery-failed']);

/** An app. Its members are set only in this file: elsewhere they are readonly, and each change is a method that says what has happened. */
export interface App extends Readonly<AppState> {}

type Row = AppState['rows'][number];

class AppState {
  readonly appId: string;
  readonly channel: AppChannel;
  readonly mock: MockApp | undefined;
  readonly added: boolean;
  readonly addressFrom: string | undefined;
  readonly runFile: string | undefined;
  readonly addressesFrom: readonly (string | undefined)[];
  readonly own: AppOwn;
  readonly lanes = new Map<string, Lane>();
  /** Lanes that could start a call if the app had room, longest waiting first. */
  readonly #wanting = new Set<Lane>();
  /** Addresses of its sidecars in the order of the instances; "" where the port no longer listens. */
  sidecars: readonly string[] = [];
  /** gRPC addresses of the sidecars, `127.0.0.1:50001`, in the same order; undefined: that one has none. */
  grpcAddresses: readonly (string | undefined)[] = [];
  /** Whether callers of its sidecar have to send an API token. */
  asksForToken = false;
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
  probes: readonly (AppProbe | undefined)[] = [];
  stopping = false;
  /** True while its process restarts; deliveries wait for the new one. */
  isRestarting = false;
  /** Why the process that this run starts for the app does not run; undefined: it runs, or this run starts none. */
  notRunning: string | undefined;
  /** True while a process that Sidelight started for it runs. */
  runsHere = false;
  /** Ports on which that process listens, as far as the system says. */
  listensAt: () => readonly number[] = () => [];
  /** True after the app was removed: discovery and health checks have ended. */
  isRemoved = false;
  reached: AppRow['channel'] = 'unknown';
  discovery: DiscoveryState;
  /** True after the first discovery at its address has ended, even if it failed. */
  discovered = false;
  /** True while the app is asked and its address has given no list yet. */
  #isAskedForFirst = false;
  /** True if discovery was skipped because the app has no component to subscribe to. */
  unasked = false;
  /** Components that are being replaced; messages published to them wait for this app. */
  suspended: ReadonlySet<string> = new Set();
  /** Subscriptions of open streams, and of lost ones that may come back. */
  readonly #streams = new StreamSlots();
  /** Place of each subscription among the rows. */
  #places: ReadonlyMap<Subscription, number> = new Map();
  programmatic: readonly Subscription[] = [];
  /** Address that gave `programmatic`; undefined: none has yet. */
  listedBy: { readonly url: string; readonly isMock: boolean } | undefined;
  /** Address that gave the list before that one; undefined: there was none. */
  listedBefore: AppState['listedBy'];
  /** Answers of the app at its routes since Sidelight last asked it for its subscriptions. */
  readonly routeAnswers = new RouteAnswers();
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
  rows: readonly {
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
    this.addressFrom = spec.addressFrom;
    this.runFile = spec.runFile;
    this.addressesFrom = spec.addressesFrom ?? [spec.addressFrom];
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

  /** Whether published messages wait for it: only its answer shows what it subscribes to. */
  get isListAwaited(): boolean {
    return !this.discovered || this.#isAskedForFirst;
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
    if (!this.discovered || this.asking || this.stopping || this.isRestarting) return false;
    if (this.appHealthy === false) return false;
    return maxConcurrency === 0 || this.inFlight < maxConcurrency;
  }

  /** Address of the first sidecar that listens; "" while there is none. */
  get sidecarUrl(): string {
    return this.sidecars.find((url) => url !== '') ?? '';
  }

  /** It was found to speak another protocol than its address says. */
  get speaksOther(): boolean {
    return this.answerProblems.some(({ code }) => code === 'other-scheme');
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

  /** Called when discovery begins: no delivery starts until `endAsking`. At a new address another app may listen, so it is the first one. */
  beginAsking(url: string): void {
    this.asking = true;
    this.#isAskedForFirst = this.listedBy?.url !== this.channel.url;
    if (url === this.discovery.url) this.routeAnswers.mayBeAnew();
    else {
      this.discovered = false;
      this.routeAnswers.clear();
    }
    this.answerProblems = [];
    this.discovery = { ...this.discovery, url, state: 'asking' };
  }

  /** @param unasked true: there is no component it could subscribe to */
  noteUnasked(unasked: boolean): void {
    this.unasked = unasked;
  }

  /**
   * Sets the subscriptions of its discovery answer.
   * @param answer its `status` is absent if the app was not asked
   */
  subscribes(answer: DiscoveryAnswer): void {
    const { at, status, error, subscriptions = [], problems = [], unused } = answer;
    const { url } = this.discovery;
    this.programmatic = subscriptions;
    this.listedBefore = this.listedBy;
    this.listedBy = { url: this.channel.url, isMock: this.isMocked };
    this.answerProblems = problems;
    const counts = { count: subscriptions.length, ...withoutUndefined({ unused }) };
    this.discovery = { state: 'done', url, at, ...withoutUndefined({ status, error }), ...counts };
  }

  /** Called when discovery failed. The earlier subscriptions stay, so that no message is lost because of one bad answer. */
  askingFailed(
    seen: { readonly at: string; readonly error: string; readonly status?: number; readonly body?: string },
    problem: Problem,
  ): void {
    const { url } = this.discovery;
    const { at, ...rest } = seen;
    this.discovery = { state: 'failed', url, at, count: 0, ...rest };
    this.answerProblems = [problem];
  }

  /** Sets the problem of its answer in place of earlier ones. */
  noteAnswerProblem(problem: Problem): void {
    this.answerProblems = [problem];
  }

  endAsking(): void {
    // If a person asks an app that was never reached, this is not its first discovery, and messages go on waiting for it.
    if (this.reached === 'answering' || this.discovery.status !== undefined || !this.hasAddress)
      this.discovered = true;
    this.asking = false;
    this.#isAskedForFirst = false;
  }

  /**
   * @param error why an app that listens is not asked yet; undefined: no reason any more
   * @returns whether that is new
   */
  waitsToBeAsked(error: string | undefined): boolean {
    if (this.discovery.state !== 'waiting' || this.discovery.error === error) return false;
    const { error: _before, ...rest } = this.discovery;
    this.discovery = { ...rest, ...withoutUndefined({ error }) };
    return true;
  }

  noteReached(reached: AppRow['channel']): void {
    this.reached = reached;
  }

  noteAbsence(absence: Problem | undefined): void {
    this.absence = absence;
  }

  noteIllness(illness: Problem | undefined): void {
    this.illness = illness;
  }

  /** @param healthy undefined: not checked */
  noteHealth(healthy: boolean | undefined): void {
    this.appHealthy = healthy;
  }

  noteInstances(count: number): void {
    this.probes = Array.from({ length: count }, (_, index) => this.probes[index]);
  }

  noteProbe(index: number, probe: AppProbe | undefined): void {
    this.probes = this.probes.with(index, probe);
  }

  simulateHealth(healthy: boolean | null): void {
    this.simulatedHealth = healthy;
  }

  /** @param names components that are being replaced; empty: all are back */
  suspend(names: ReadonlySet<string>): void {
    this.suspended = names;
  }

  /** Sets the subscriptions and policies that files declare for it. */
  declare({
    subscriptions,
    resiliencies,
  }: {
    readonly subscriptions: readonly Subscription[];
    readonly resiliencies: readonly string[];
  }): void {
    this.declared = subscriptions;
    this.resiliencies = resiliencies;
  }

  /** @param problems of its answer and the files taken together */
  serve(rows: readonly Row[], problems: readonly Problem[]): void {
    this.rows = rows;
    this.#places = new Map(rows.map(({ subscription }, at) => [subscription, at]));
    this.routeAnswers.keepOnly(rows.map(({ subscription }) => subscription));
    this.mergeProblems = problems;
  }

  /** Changes the row of a subscription, if there is one. */
  changeRow(row: Row): void {
    const at = this.#places.get(row.subscription);
    const before = at === undefined ? undefined : this.rows[at];
    // A shortcut: most rows are active before and after, and an app may have thousands of them.
    if (at === undefined || before === undefined || (before.state === 'active' && row.state === 'active'))
      return;
    this.rows = this.rows.with(at, row);
  }

  get streams(): Pick<StreamSlots, 'all' | 'channelOf' | 'has' | 'lost' | 'of'> {
    return this.#streams;
  }

  addStream(slot: StreamSlot): void {
    this.#streams.add(slot);
  }

  removeStream(slot: StreamSlot): void {
    this.#streams.remove(slot);
  }

  beginRestart(): void {
    this.isRestarting = true;
  }

  endRestart(): void {
    this.isRestarting = false;
  }

  /**
   * @param notRunning why the process that is started for it here does not run; undefined: it runs
   * @param listensAt ports on which it listens
   */
  noteProcess(notRunning: string | undefined, listensAt: () => readonly number[] = () => []): void {
    this.listensAt = listensAt;
    this.notRunning = notRunning;
    this.runsHere = notRunning === undefined;
  }

  sidecarListens(url: string, grpcAddress: string | undefined, asksForToken: boolean): void {
    this.asksForToken = asksForToken;
    this.sidecars = [...this.sidecars, url];
    this.grpcAddresses = [...this.grpcAddresses, grpcAddress];
  }

  /** Notes that a sidecar no longer listens. Without any no call to the app starts. */
  sidecarClosed(url: string): void {
    const at = this.sidecars.indexOf(url);
    if (at >= 0) {
      this.sidecars = this.sidecars.with(at, '');
      this.grpcAddresses = this.grpcAddresses.with(at, undefined);
    }
    if (this.sidecarUrl === '') this.stopping = true;
  }

  beginCall(): void {
    this.inFlight += 1;
  }

  endCall(): void {
    this.inFlight -= 1;
  }

  /** Stops calls to the app: none starts from now on. */
  stop(): void {
    this.stopping = true;
  }

  /** Called when the app is removed. Its subscriptions stay until its calls have ended. */
  remove(): void {
    this.stopping = true;
    this.isRemoved = true;
  }

  dropSubscriptions(): void {
    this.programmatic = [];
    this.declared = [];
  }
}

export function newApp(spec: AppSpec, discoveryPath: string): App {
  return new AppState(spec, discoveryPath);
}

/** Settings of a delivery: those of its subscription when it was created, or (older history) the present ones; undefined: unknown. */
export function settingsOf(
  { subscription }: Pick<LiveDelivery, 'subscription'>,
  lane: Pick<Lane, 'active'> | undefined,
): DeliverySettings | undefined {
  return subscription.settings ?? lane?.active?.settings;
}
