/** Connects the stores of one window to one link to the host. */
import type { TextPipe } from '../../core/contract/rpc.ts';
import { createLink, type Link } from '../client/link.ts';
import { createRpcClient, type RpcClient } from '../client/rpc-client.ts';
import { createStreamClient } from '../client/stream-client.ts';
import { FRAME } from '../copy/frame.ts';
import { setTimeZone } from '../format/clock-time.ts';
import { noteActs, type ActsMade } from './act-history.ts';
import { createActing, type Acting } from './acting.ts';
import { createCommandsStore, type CommandsStore } from './commands.ts';
import { createConnectionStore, type ConnectionStore } from './connection.ts';
import { createDetailStore, type DetailStore } from './detail.ts';
import { createEventRouterStores, type EventRouterStores } from '../views/event-router/state.ts';
import { startFileChanges } from './file-changes.ts';
import { createHealthStores, type HealthStores } from './health.ts';
import { createHeldNext, type HeldNext } from './held-next.ts';
import { createHolds, type Holds } from './holds.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createLogs, type Logs } from './logs.ts';
import { createMessages, type Messages } from './messages.ts';
import { createMockApps, type MockApps } from './mock-app.ts';
import { watchBackAgain, type Found } from './back-again.ts';
import { browserOutside, startNotifier } from './notifier.ts';
import { createNavigation, type AddressBar, type Navigation } from './navigation.ts';
import { createListSpeed, type ListSpeedWatch } from './list-speed.ts';
import { createPayloads, type Payloads } from './payloads.ts';
import { createDrafts, type Drafts } from './publish-drafts.ts';
import { createProcesses, type Processes } from './processes.ts';
import { createPublishRuns, type PublishRuns } from './publish-run.ts';
import { endRecordingOfCopy, endRecordingsOfOthers } from './recording-end.ts';
import { createRecordings, type Recordings } from './recordings.ts';
import { asFailure, createResource, type ResourceStore } from './resource.ts';
import { createSaved, type Saved } from './saved.ts';
import { nextFrame, type NextFrame } from './store.ts';
import { createToasts, type Toasts } from './toasts.ts';
import { createSavedViews, type SavedViews } from './saved-views.ts';
import { createTopology, type Topology } from './topology.ts';
import { createUiStore, type Keep, type UiStore } from './ui.ts';
import type { Result } from '../../core/contract/console.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';

/** Everything that a view can read or do. */
export interface Console {
  readonly call: RpcClient['call'];
  /** Changes that this window made, as automation calls. */
  readonly made: ActsMade;
  readonly link: Pick<Link, 'state' | 'tryNow'>;
  readonly connection: ConnectionStore;
  readonly ui: UiStore;
  readonly toasts: Toasts;
  readonly navigation: Navigation;
  readonly messages: Messages;
  readonly listSpeed: ListSpeedWatch;
  readonly detail: DetailStore;
  readonly payloads: Payloads;
  readonly drafts: Drafts;
  readonly publishRuns: PublishRuns;
  readonly topology: Topology;
  readonly processes: Processes;
  readonly mockApps: MockApps;
  readonly holds: Holds;
  readonly saved: Saved;
  readonly health: HealthStores;
  readonly eventRouter: EventRouterStores;
  readonly logs: Logs;
  readonly recordings: Recordings;
  readonly settings: ResourceStore<Result<'settings.get'>>;
  readonly commands: CommandsStore;
  readonly acting: Acting;
  readonly savedViews: SavedViews;
  readonly jobs: Jobs;
  /** True if links of this page can open in a new window. */
  readonly opensWindows: boolean;
  /** Why nothing can be changed here, as in a recording; absent: changes are possible. */
  readonly readOnly?: string;
  /** The recording that is shown; absent: the live history. */
  readonly recordingId?: string;
  dispose(): void;
}

export interface ConsolePorts {
  readonly open: () => Promise<TextPipe>;
  readonly bar: AddressBar;
  /** Storage that all windows share. */
  readonly keep?: Keep;
  /** Storage of this window; absent: there is one window, which has `keep`. */
  readonly windowKeep?: Keep;
  /** Calls back if this window is a copy of another one; returns what ends that. */
  readonly noticeCopy?: (onCopy: () => void) => Stop;
  readonly frame?: NextFrame;
  readonly opensWindows?: boolean;
}

/** All parts of a console except its link and its end. */
type Fed = Omit<Console, 'link' | 'dispose'>;

type HostStores = Omit<
  Fed,
  'call' | 'made' | 'connection' | 'ui' | 'acting' | 'publishRuns' | 'savedViews' | 'jobs' | 'opensWindows'
>;

/** The stores that need only the host and the browser's storage. */
function createStores(rpc: RpcClient, ports: ConsolePorts, ui: UiStore): HostStores {
  const messages = createMessages(rpc, ports.frame ?? nextFrame);
  return {
    toasts: createToasts(),
    navigation: createNavigation(ports.bar),
    messages,
    listSpeed: createListSpeed(messages.store),
    detail: createDetailStore(rpc),
    payloads: createPayloads(rpc),
    drafts: createDrafts(ports.windowKeep ?? ports.keep),
    topology: createTopology(rpc),
    processes: createProcesses(rpc),
    mockApps: createMockApps(rpc, () => ui.getState().appId || undefined),
    holds: createHolds(rpc),
    saved: createSaved(rpc),
    health: createHealthStores(rpc),
    eventRouter: createEventRouterStores(rpc),
    logs: createLogs(rpc),
    recordings: createRecordings(rpc, ports.frame ?? nextFrame),
    settings: createResource(() => rpc.call('settings.get', {})),
    commands: createCommandsStore(),
  };
}

/** Requests everything again that may have changed. */
function everythingMayHaveChanged(fed: Fed): void {
  fed.savedViews.list.invalidate();
  void fed.messages.unread.refresh();
  fed.messages.unsubscribed.invalidate();
  fed.topology.onChange();
  fed.processes.onChange();
  fed.mockApps.onChange();
  fed.holds.onChange();
  fed.health.onTick();
  fed.eventRouter.onChange();
  fed.logs.onTick();
  fed.settings.invalidate();
  fed.saved.onChange();
  fed.detail.refresh();
}

function describe({ call, connection }: Fed): void {
  call('system.describe', {}).then(
    (system) => connection.setState({ system }),
    // The connection bar reports a missing answer; the next opening tries again.
    (reason: unknown) => {
      const failure = asFailure(reason);
      if (failure.code !== 'CONNECTION_LOST') connection.setState({ streamFailure: failure.message });
    },
  );
}

type Stop = () => void;

/** Follows the link and the reports of the host. */
function feedFromHost(fed: Fed, rpc: RpcClient, link: Link): readonly Stop[] {
  const { connection, messages, mockApps } = fed;
  return [
    link.onState((state) => {
      const isOpen = state.status === 'open';
      connection.setState(({ wasOpen, openings }) => ({
        link: state,
        wasOpen: wasOpen || isOpen,
        openings: isOpen ? openings + 1 : openings,
      }));
      if (!isOpen) return;
      describe(fed);
      fed.drafts.connect(rpc.call);
      fed.jobs.find();
      messages.reopen();
      fed.recordings.reopen();
      everythingMayHaveChanged(fed);
    }),
    rpc.on('runtime.changed', (runtime) => {
      connection.setState({ runtime });
      fed.listSpeed.look();
      messages.unread.invalidate();
      messages.unsubscribed.invalidate();
      fed.detail.onTick();
      fed.topology.onTick();
      mockApps.onTick();
      fed.holds.onTick();
      fed.health.onTick();
      fed.eventRouter.onChange();
      fed.logs.onTick();
    }),
    // A call that was answered and repeated leaves all counts unchanged, so the store is updated here.
    rpc.on('view.changed', () => mockApps.onTick()),
  ];
}

/** Connects stores that follow another one. */
function feedFromStores({ detail, messages, mockApps, navigation, toasts, ui }: Fed): readonly Stop[] {
  return [
    messages.store.subscribe(({ current }, before) => {
      if (current !== before.current && current !== undefined && messages.rows.rowOf(current) !== undefined)
        detail.near(current);
    }),
    // The request is sent before the screen is drawn, so that the answer comes earlier.
    navigation.store.subscribe(({ path }, before) => {
      if (path !== before.path) toasts.leave();
      const messageId = path === '/messages' ? navigation.param('m') : undefined;
      if (messageId !== undefined) detail.open(messageId);
    }),
    ui.subscribe((state, before) => {
      setTimeZone(state.times);
      if (state.appId === before.appId) return;
      mockApps.onChange();
    }),
  ];
}

/**
 * Opens the stream of events and passes them to the stores.
 * @returns closes it
 */
function openStream(fed: Fed, rpc: RpcClient, link: Link, heldNext: HeldNext): Stop {
  const { connection, detail, eventRouter, holds, messages, mockApps, topology } = fed;
  let epochSeen: string | undefined;
  const stream = createStreamClient(rpc, link, {
    events(events) {
      connection.setState({ streamFailure: undefined });
      messages.onEvents(events);
      detail.onEvents(events);
      heldNext.onEvents(events);
      if (events.some(({ type }) => type === 'topology.changed')) {
        topology.onChange();
        eventRouter.onChange();
        mockApps.onChange();
      }
      if (events.some(({ type }) => type === 'process.changed')) fed.processes.onChange();
      if (events.some(({ type }) => type === 'hold.changed')) holds.onChange();
    },
    reset(_snapshot, epoch) {
      const again = epochSeen !== undefined;
      const isSameHistory = epochSeen === epoch;
      epochSeen = epoch;
      connection.setState({ streamFailure: undefined, reloaded: again && !isSameHistory, epoch });
      if (!again) return;
      messages.reopen(isSameHistory);
      everythingMayHaveChanged(fed);
    },
    failed(reason) {
      const failure = asFailure(reason);
      if (failure.code !== 'CONNECTION_LOST') connection.setState({ streamFailure: failure.message });
    },
  });
  return () => stream.close();
}

/** Starts notifications, and toasts about changed files and apps that are back. */
function startWatching({ call, connection, navigation, toasts, topology, ui }: Fed): readonly Stop[] {
  const outside = browserOutside();
  const find = (filter: string, limit: number, cursor?: string): Promise<Found | undefined> =>
    call('messages.list', { filter, limit, ...withoutUndefined({ cursor }) }).then(
      (found) => found,
      // The list on the screen reports why it cannot be read.
      () => undefined,
    );
  const newest = async (filter: string): Promise<string | undefined> =>
    (await find(filter, 1))?.items[0]?.messageId;
  return [
    watchBackAgain({ connection, toasts, navigation, find }),
    startNotifier({ connection, ui, toasts, navigation, newest, ...(outside && { outside }) }),
    endRecordingsOfOthers({ connection, toasts, ui }),
    startFileChanges({ components: topology.components.store, toasts, navigation }),
  ];
}

/** Makes the console of one window: connects, opens the stream, and updates every store until `dispose`. */
export function createConsole(ports: ConsolePorts): Console {
  const link = createLink({ open: ports.open });
  const client = createRpcClient(link, {
    lost: FRAME.lostCall,
    away: FRAME.unsentCall,
    noAnswer: FRAME.noAnswer,
  });
  const { rpc, made } = noteActs(client);
  const ui = createUiStore(ports.keep, ports.windowKeep);
  setTimeZone(ui.getState().times);
  const connection = createConnectionStore(link.state());
  const stores = createStores(rpc, ports, ui);
  const jobs = createJobs({ call: rpc.call, toasts: stores.toasts });

  const parts = { ...stores, call: rpc.call, made, connection, ui };
  const heldNext = createHeldNext(rpc, stores.toasts);
  const acting = createActing({ ...parts, heldNext });
  const publishRuns = createPublishRuns({ ...parts, acting });
  const savedViews = createSavedViews({ call: rpc.call, toasts: stores.toasts, run: acting.run });

  const fed: Fed = {
    ...parts,
    acting,
    publishRuns,
    savedViews,
    jobs,
    opensWindows: ports.opensWindows ?? false,
  };
  const stops = [
    // A change between the answer with a list and the start of the stream would be in neither of both.
    openStream(fed, rpc, link, heldNext),
    ...feedFromHost(fed, rpc, link),
    ...feedFromStores(fed),
    ...startWatching(fed),
    ...(ports.noticeCopy === undefined ? [] : [ports.noticeCopy(() => endRecordingOfCopy(fed))]),
  ];
  return {
    ...fed,
    link,
    dispose() {
      for (const stop of stops) stop();
      stores.messages.dispose();
      stores.listSpeed.dispose();
      jobs.dispose();
      publishRuns.dispose();
      stores.drafts.dispose();
      stores.navigation.dispose();
      rpc.close();
      link.close();
    },
  };
}
