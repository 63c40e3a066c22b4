/** Creates the runtime's services once, in order, and connects them. */
import type { Problem } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { SecretValues } from '../domain/secret-values.ts';
import { StepTurns } from '../domain/step-turns.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { Log } from '../ports/log.ts';
import { RestartingApps } from './apps/restarting-apps.ts';
import { BeforeAttempt } from './delivering/before-attempt.ts';
import { AppHealth } from './apps/app-health.ts';
import { awaitsAttempt } from './state/live.ts';
import type { LiveDelivery } from './state/live.ts';
import { newApp } from './state/app.ts';
import type { App, AppSpec } from './state/app.ts';
import { Apps } from './state/apps.ts';
import { Attempts } from './delivering/attempts.ts';
import { Bindings } from './bindings.ts';
import { Backlog } from './state/backlog.ts';
import { UndoableRemoval } from './commands/undoable-removal.ts';
import { BulkPublisher } from './publishing/bulk-publisher.ts';
import { Callers } from './publishing/callers.ts';
import { Components } from './components/components.ts';
import { DeadLetters } from './delivering/dead-letters.ts';
import { Deliveries } from './state/delivery.ts';
import { Discovery } from './apps/discovery.ts';
import { Health } from './queries/health.ts';
import { HidingJournal } from './persistence/hiding-journal.ts';
import { Holds } from './state/holds.ts';
import { Intake } from './delivering/intake.ts';
import { ExpectedHandOvers } from './state/expected-hand-overs.ts';
import { LateApps } from './apps/late-apps.ts';
import { DroppedBefore } from './apps/dropped-before.ts';
import { BatchAnswers } from './apps/batch-answers.ts';
import { CallAnswers } from './apps/call-answers.ts';
import { MissingRoutes } from './apps/missing-routes.ts';
import { missingRoutes } from './apps/route-mistakes.ts';
import { LeftOver } from './apps/left-over.ts';
import { MissingLists } from './apps/missing-lists.ts';
import { NearTopics } from './apps/near-topics.ts';
import { OldRoutes } from './apps/old-routes.ts';
import { LiveSet } from './state/live-set.ts';
import { LogBook } from './telemetry/log-book.ts';
import { Marks } from './commands/marks.ts';
import { Messages } from './queries/messages.ts';
import { Figures } from './queries/figures.ts';
import { PublishByHand } from './commands/publish-by-hand.ts';
import { Rediscovery } from './commands/rediscovery.ts';
import { SimulatedHealth } from './commands/simulated-health.ts';
import { noApp, noOwnApp } from './state/not-found.ts';
import { DeliveryActions } from './commands/delivery-actions.ts';
import { Metrics } from './telemetry/metrics.ts';
import { ObservedTopics } from './telemetry/observed-topics.ts';
import { Backpressure } from './state/backpressure.ts';
import { BodyTurns } from './state/body-turns.ts';
import type { NextTurn } from './state/body-turns.ts';
import { OtherProtocol } from './delivering/other-protocol.ts';
import { Outcomes } from './delivering/outcome.ts';
import { Policies } from './state/policies.ts';
import { PublishAgain } from './lifecycle/publish-again.ts';
import { Acceptance } from './publishing/acceptance.ts';
import { ComponentPublish } from './publishing/component-publish.ts';
import { PublishChecks } from './publishing/publish-checks.ts';
import { Publisher } from './publishing/publisher.ts';
import { EventRing } from './telemetry/event-ring.ts';
import { ReplayJobs } from './commands/replay-jobs.ts';
import { Replay } from './commands/replay.ts';
import { Retention } from './persistence/retention.ts';
import { RunningCalls } from './commands/running-calls.ts';
import type { LaneWork } from './delivering/lane.ts';
import { LastSubscriptions } from './apps/last-subscriptions.ts';
import { Serving } from './apps/serving.ts';
import type { CommonPorts, SharedServices } from './common-services.ts';
import { Signals } from './signals.ts';
import { HeldAtPublish } from './publishing/held-at-publish.ts';
import { otherStream, Streams, waitsElsewhere } from './apps/streams.ts';
import { Targets } from './commands/targets.ts';
import { Waits } from './time/waits.ts';
import { Timers } from './time/timers.ts';
import { ObservedMessages } from './tapping/observed-messages.ts';
import { Observer } from './tapping/observer.ts';
import { OnReference } from './queries/on-reference.ts';
import { Topology } from './queries/topology.ts';
import { Writer } from './persistence/writer.ts';

export interface RuntimePorts extends CommonPorts {
  readonly log: Log;
  /** Values that no log line and no reason may contain. */
  readonly secrets?: SecretValues;
  readonly components: ComponentSource;
  readonly apps: readonly AppSpec[];
  /** Memory for unfinished messages without bodies; absent: no limit of its own. */
  readonly backlogMemoryBytes?: number;
  /** Memory for bodies of unfinished messages that the journal has too; absent: the default of the live set. */
  readonly bodyBudgetBytes?: number;
  /** `setImmediate`, which this room does not have; absent: large messages take no turns. */
  readonly nextTurn?: NextTurn;
  readonly found?: FoundJournal;
  /** Namespace that decides which subscription and resiliency files apply, and that fills templates. */
  readonly namespace?: string;
}

/** State of the journal at the start. */
export interface FoundJournal {
  /** The process before did not close it. */
  readonly wasCut: boolean;
  /** Messages lost to damage. */
  readonly lost: number;
  /** True when records could not be taken in: nobody knows whether messages are missing. A warning says which. */
  readonly mayMiss: boolean;
}

/** Creates every service of the runtime, in an order in which each needs only earlier ones. */
export function buildServices(ports: RuntimePorts) {
  const apps = new Apps(ports.apps.map((spec) => newApp(spec, ports.profile.discoveryPath)));
  const { shared, journal } = buildShared(ports, apps);
  const { app, appOf } = lookupIn(apps);
  const accepting = buildPublishing(shared, ports, apps);
  const sending = buildDelivering(shared, { ...accepting, journal, apps, app });
  const { policies, deliveries, components, checks, acceptance, publisher } = accepting;
  const { attempts, intake, serving, problemsOf } = sending;
  const discovery = new Discovery(shared, components, serving);
  const health = new Health(shared, components, appOf);
  const ofApps = { apps: () => apps.all, components, policies };
  const onReference = new OnReference(shared, ofApps);
  const heldAtPublish = new HeldAtPublish(shared, accepting);
  shared.signals.on('ready', (d) => offer(d, { serving, deliveries, app }));
  shared.signals.on('heldAtPublish', ({ message, releaseAtMs }) => heldAtPublish.arm(message, releaseAtMs));
  shared.signals.on('refused', (of) => discovery.noticeRefused(of));
  const targets = new Targets(shared);
  const tapObserver = observerOf(shared, { ...accepting, ...sending, targets });
  const replay = new Replay(shared, { ...accepting, ...sending, targets, app, taps: tapObserver });
  const removals = new UndoableRemoval(shared, journal, deliveries);
  const topology = new Topology(shared, { ...ofApps, health, onReference, problemsOf });
  const publishAgain = new PublishAgain(shared, { ...accepting, ...sending });
  const { settled } = attempts;
  const runningCalls = new RunningCalls(shared, { targets, policies, serving, apps, settled });
  const bulkPublisher = new BulkPublisher(shared, { checks, acceptance, publisher });
  return {
    shared,
    apps,
    app,
    appOf,
    ...accepting,
    ...sending,
    discovery,
    streams: new Streams(shared, components, serving),
    tapObserver,
    restarting: new RestartingApps(shared, discovery, appOf),
    appHealth: new AppHealth(shared),
    health,
    topology,
    onReference,
    bulkPublisher,
    bindings: new Bindings(shared, { components, acceptance, deliveries, intake }),
    targets,
    heldAtPublish,
    lateApps: new LateApps(shared, { components, deliveries, intake, serving }),
    publishAgain,
    deliveryActions: new DeliveryActions(shared, { ...accepting, ...sending, targets, heldAtPublish, app }),
    runningCalls,
    replay,
    removals,
    replayJobs: new ReplayJobs(shared, replay, removals),
    retention: new Retention(shared),
    marks: new Marks(targets, deliveries, shared.live),
    messages: new Messages(shared, { policies, intake, publishAgain, app }),
    publishByHand: new PublishByHand({ publisher, bulkPublisher, appOf }),
    rediscovery: new Rediscovery({ discovery, topology, apps, appOf, problemsOf }),
    simulation: new SimulatedHealth(shared, health, appOf),
    figures: new Figures(shared, { apps, health, topology, waiting: () => runningCalls.waiting().length }),
  };
}

/** All problems of an app: of its connection, of its subscriptions, of their routes, and those that other parts have of it. */
function problemsWith(
  parts: readonly { problems(of: App): readonly Problem[] }[],
): (of: App) => readonly Problem[] {
  return (of) => [...of.problems, ...missingRoutes(of), ...parts.flatMap((part) => part.problems(of))];
}

/** Queues a delivery in the lane of its subscription. If its app does not exist, it waits for it and its row says so. */
function offer(
  d: LiveDelivery,
  deps: {
    readonly serving: Serving;
    readonly deliveries: Deliveries;
    readonly app: (appId: string) => App | undefined;
  },
): void {
  // Another sidecar sends observed deliveries.
  if (d.message.row.tap !== undefined) return;
  const of = deps.app(d.appId);
  if (of !== undefined) deps.serving.laneOf(of, d).offer(d);
  else if (!d.waitsForSubscription && awaitsAttempt(d) && d.subscription.source !== 'binding')
    deps.deliveries.move(d, { type: 'no-subscription' });
}

/** Receiver of the taps' reports. */
function observerOf(
  shared: SharedServices,
  parts: Omit<ConstructorParameters<typeof Observer>[1], 'messages'> &
    ConstructorParameters<typeof ObservedMessages>[1],
): Observer {
  return new Observer(shared, { ...parts, messages: new ObservedMessages(shared, parts) });
}

/** Finds apps by id. `appOf` returns the first one without an id, and throws Refusal NOT_FOUND. */
function lookupIn(apps: Apps): {
  readonly app: (appId: string) => App | undefined;
  readonly appOf: (appId: string | undefined) => App;
} {
  const app = (appId: string): App | undefined => apps.find(appId);
  const appOf = (appId: string | undefined): App => {
    const found = appId === undefined ? apps.all[0] : app(appId);
    if (found === undefined) throw appId === undefined || appId === '' ? noOwnApp() : noApp(appId);
    return found;
  };
  return { app, appOf };
}

/** Delay of a timer that runs in the next turn of the event loop. */
const NEXT_TURN_MS = 1;

/** Creates the dependencies of every part, and the journal that hides messages being removed. */
function buildShared(
  ports: RuntimePorts,
  apps: Apps,
): { readonly shared: SharedServices; readonly journal: HidingJournal } {
  const { clock, ids, random, codec, profile, settings, version } = ports;
  const journal = new HidingJournal(ports.journal, { codec, clock });
  const events = new EventRing(ids.uuid(), 0);
  const log = new LogBook(ports.log, clock, events, ports.secrets);
  const metrics = new Metrics(clock);
  const backlog = new Backlog({
    settings,
    memoryBytes: ports.backlogMemoryBytes ?? Infinity,
    journalBytes: journal.openBytes,
  });
  const onCaughtUp = (): void => {
    for (const app of apps.all) app.pumpAll();
  };
  const timers = new Timers(clock);
  const writer = new Writer({ journal, clock, log, sequence: () => events.sequence, onCaughtUp });
  // Deliveries of a message that is hidden go on, so its body is found: until its removal is final it may come back.
  const { whole } = journal;
  const live = new LiveSet({ journal: whole, codec, backlog, bodyBudgetBytes: ports.bodyBudgetBytes });
  const shared: SharedServices = {
    clock,
    ids,
    random,
    codec,
    profile,
    settings,
    journal,
    writer,
    events,
    log,
    metrics,
    observedTopics: new ObservedTopics({ clock, timers, writer, topics: () => metrics.observedTopics() }),
    timers,
    turns: new StepTurns((run) => timers.at(clock.now() + NEXT_TURN_MS, run)),
    bodyTurns: new BodyTurns(ports.nextTurn, clock),
    backpressure: new Backpressure({
      clock,
      timers,
      apps,
      concurrency: () => settings.current['delivery.concurrency'],
    }),
    live,
    expected: new ExpectedHandOvers({ clock, timers, live }),
    callers: new Callers(),
    signals: new Signals(),
    version,
    ...withoutUndefined({ appApiToken: ports.appApiToken, hostNames: ports.hostNames }),
  };
  return { shared, journal };
}

/** Creates the services from a request to an accepted message, and those needed to start deliveries. */
function buildPublishing(shared: SharedServices, ports: RuntimePorts, apps: Apps) {
  const policies = new Policies(shared);
  const holds = new Holds(shared);
  const deliveries = new Deliveries(shared);
  const components = new Components(shared, ports.components, ports.secrets, ports.apps.length > 0);
  const waits = new Waits(shared.clock);
  const componentPublish = new ComponentPublish(shared, { apps, components, deliveries, policies, waits });
  const acceptance = new Acceptance(shared, { deliveries, holds, componentPublish, waits });
  const checks = new PublishChecks(shared, components);
  const publisher = new Publisher(shared, { checks, acceptance });
  return { policies, holds, deliveries, components, checks, componentPublish, acceptance, publisher };
}

/** Creates the services from an accepted message to the end of its deliveries. */
function buildDelivering(
  shared: SharedServices,
  deps: ReturnType<typeof buildPublishing> & {
    readonly journal: HidingJournal;
    readonly apps: Apps;
    readonly app: (appId: string) => App | undefined;
  },
) {
  const { journal, app, policies, holds, deliveries, components, checks, acceptance } = deps;
  const deadLetters = new DeadLetters(shared, { journal: journal.whole, checks, acceptance });
  const outcomes = new Outcomes(shared, { deliveries, deadLetters, policies, app });
  const beforeAttempt = new BeforeAttempt(shared, deliveries, outcomes, holds);
  const droppedBefore = new DroppedBefore(shared, journal);
  const ofCalls = { batchAnswers: new BatchAnswers(shared), callAnswers: new CallAnswers(shared) };
  const attempts = new Attempts(shared, {
    deliveries,
    outcomes,
    holds,
    policies,
    beforeAttempt,
    missingRoutes: new MissingRoutes(shared, droppedBefore),
    ...ofCalls,
  });
  const intake = new Intake(shared, { journal, deliveries, outcomes, deadLetters, policies, acceptance });
  const { log, signals } = shared;
  const otherProtocol = new OtherProtocol({ log, signals, deliveries, intake });
  const work: LaneWork = {
    reroute: (of, lane, d) => void otherProtocol.reroute(of, lane, d),
    admit: (d) => beforeAttempt.admit(d),
    single: (of, lane, d, over) => attempts.single(of, lane, d, over),
    bulk: (of, lane, batch) => attempts.bulk(of, lane, batch),
    stall: (d) => deliveries.move(d, { type: 'no-subscription' }),
    otherStream,
    waitsElsewhere,
    join: (d) => deliveries.move(d, { type: 'joined' }),
    resume: (delivery) => {
      delivery.subscribedAgain();
      void deliveries.changed(delivery);
    },
  };
  const lastSubscriptions = new LastSubscriptions(shared, components);
  const serving = new Serving(shared, { components, intake, acceptance, lastSubscriptions, work });
  const oldRoutes = new OldRoutes(shared);
  const leftOver = new LeftOver(shared, { apps: deps.apps, components, hiding: journal });
  const others = [new NearTopics(shared, deps.apps), new MissingLists(shared, deps.apps), leftOver];
  const problemsOf = problemsWith([droppedBefore, ...Object.values(ofCalls), oldRoutes, ...others]);
  return {
    deadLetters,
    outcomes,
    beforeAttempt,
    attempts,
    intake,
    lastSubscriptions,
    serving,
    oldRoutes,
    droppedBefore,
    leftOver,
    problemsOf,
  };
}
