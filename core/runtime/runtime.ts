/** A running sidecar: its services, which the edges call directly, and the functions that start, stop and watch it as a whole. */
import type { RuntimeChanged } from '../contract/console.ts';
import type { Journal } from '../ports/journal.ts';
import type { TapObserver } from '../ports/tap.ts';
import type { EventSource, SidecarView } from './api.ts';
import type { RestartingApps } from './apps/restarting-apps.ts';
import type { UndoableRemoval } from './commands/undoable-removal.ts';
import type { DeliveryActions } from './commands/delivery-actions.ts';
import type { Marks } from './commands/marks.ts';
import type { PublishByHand } from './commands/publish-by-hand.ts';
import type { Rediscovery } from './commands/rediscovery.ts';
import type { ReplayJobs } from './commands/replay-jobs.ts';
import type { Replay } from './commands/replay.ts';
import type { RunningCalls } from './commands/running-calls.ts';
import type { SimulatedHealth } from './commands/simulated-health.ts';
import { AppMembership } from './lifecycle/app-membership.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import type { Figures } from './queries/figures.ts';
import type { Health } from './queries/health.ts';
import type { Messages } from './queries/messages.ts';
import type { Topology } from './queries/topology.ts';
import { buildServices } from './services.ts';
import type { RuntimePorts } from './services.ts';
import { RequestBodies } from '../domain/request-bodies.ts';
import { Sidecar } from './sidecar.ts';
import type { Holds } from './state/holds.ts';
import type { LogBook } from './telemetry/log-book.ts';

/** Public members of a class, so that another object can replace it. */
type Public<T> = Pick<T, keyof T>;

/** Commands and queries for the console. A refused call throws `Refusal` (domain/refusal.ts). */
export interface RuntimeApi {
  readonly journal: Journal;
  readonly events: EventSource;
  readonly deliveryActions: Public<DeliveryActions>;
  readonly runningCalls: Public<RunningCalls>;
  readonly holds: Pick<Holds, 'list' | 'add' | 'update' | 'restore'>;
  readonly marks: Public<Marks>;
  readonly publishByHand: Public<PublishByHand>;
  readonly replay: Public<Replay>;
  readonly replayJobs: Omit<ReplayJobs, 'close'>;
  readonly removals: Pick<UndoableRemoval, 'remove' | 'undo'>;
  readonly rediscovery: Public<Rediscovery>;
  readonly simulation: Public<SimulatedHealth>;
  readonly messages: Public<Messages>;
  readonly topology: Public<Topology>;
  readonly health: Pick<Health, 'of'>;
  readonly figures: Pick<Figures, 'counts' | 'metrics'>;
  readonly log: Pick<LogBook, 'page' | 'write'>;
  /** The result of the files of the resources folder, and of the start. */
  readonly resources: Pick<Lifecycle, 'problems' | 'subscriptionProblems' | 'files' | 'reload' | 'began'>;
  /** The numbers of the console's frame. */
  status(): RuntimeChanged;
  /** Resolves when all changes so far are on disk, or as soon as the disk refuses them for now. Never rejects. */
  written(): Promise<void>;
  /** Resolves true once the journal has all changes so far, false as soon as it refuses them for now. Speeds nothing up, never rejects. */
  caughtUp(): Promise<boolean>;
  /** As `caughtUp`, also for what has passed a tap, which is reported a little later. */
  tapsCaughtUp(): Promise<boolean>;
}

/** The runtime as the host composes it. */
export interface Runtime extends RuntimeApi {
  readonly removals: Pick<UndoableRemoval, 'remove' | 'undo' | 'removeAtOnce'>;
  readonly log: Pick<LogBook, 'page' | 'write' | 'output' | 'outputPage' | 'ownLines' | 'forget'>;
  /** Pauses the deliveries of apps whose process restarts. */
  readonly restarting: Pick<RestartingApps, 'begin' | 'expect'>;
  /** Adds and removes apps. */
  readonly membership: AppMembership;
  /** Receiver of the taps' reports. */
  readonly tapObserver: TapObserver;
  /** Bodies that the sidecars have received and not answered yet. */
  readonly bodies: RequestBodies;
  /** Why publishes are refused because the backlog is full; undefined: they are accepted. */
  readonly refuses: string | undefined;
  start(): Promise<void>;
  /** Refuses publishes, waits for attempts (at most `graceMs`), cancels the rest, flushes and closes. */
  stop(graceMs: number): Promise<void>;
  /** Stores a value for the next start. */
  keep(key: string, value: unknown): Promise<void>;
  /** @param appUrl address of one of several instances; absent: the first one's */
  sidecar(appId: string, appUrl?: string): SidecarView;
  /** Notes the address of a sidecar of the app; instances in order. The health probes count it as open from now on. */
  listening(appId: string, url: string, grpc?: string, asksForToken?: boolean): void;
  /** Called when one of the app's sidecars has closed its port; after the last one no delivery starts for the app. */
  closed(appId: string, url: string): void;
  /**
   * Called when the state of the app's process has changed.
   * @param notRunning why it does not run; undefined: it runs
   * @param listensAt ports on which it listens
   */
  processChanged(appId: string, notRunning: string | undefined, listensAt?: () => readonly number[]): void;
  /** Notifies consoles that lists other than messages have changed, so that they reload them. */
  touch(): void;
  /** Notifies consoles that the lists of one app, which may be tapped, have changed. */
  touchApp(appId: string): void;
}

export function createRuntime(ports: RuntimePorts): Runtime {
  const services = buildServices(ports);
  const { shared, apps, appOf, acceptance, figures } = services;
  const life = new Lifecycle(services, ports);
  const topologyChanged = (appId: string): void => shared.events.add({ type: 'topology.changed', appId });
  return {
    ...services,
    journal: shared.journal,
    events: shared.events,
    log: shared.log,
    resources: life,
    membership: new AppMembership(services, life),
    bodies: new RequestBodies(ports.backlogMemoryBytes ?? Infinity),
    get refuses() {
      return acceptance.refuses;
    },
    start: () => life.start(),
    stop: (graceMs) => life.stop(graceMs),
    status: () => figures.status(life),
    written: () => shared.writer.settled(),
    caughtUp: () => shared.writer.caughtUp(),
    tapsCaughtUp: async () => {
      await services.tapObserver.catchUp();
      return shared.writer.caughtUp();
    },
    keep: (key, value) => shared.writer.keep(key, value),
    sidecar: (appId, appUrl) => new Sidecar(shared, appOf(appId), services, appUrl),
    listening: (appId, url, grpc, asksForToken = false) =>
      appOf(appId).sidecarListens(url, grpc, asksForToken),
    closed: (appId, url) => {
      appOf(appId).sidecarClosed(url);
      topologyChanged(appId);
    },
    processChanged: (appId, notRunning, listensAt) => {
      appOf(appId).noteProcess(notRunning, listensAt);
      shared.events.add({ type: 'process.changed', appId });
    },
    touch: () => {
      for (const { appId } of apps.all) topologyChanged(appId);
    },
    touchApp: topologyChanged,
  };
}
