/** Builds the runtime's parts, once, in their order, and joins them. */
import type { Profile } from '../contract/profile.ts';
import type { Codec } from '../domain/codec.ts';
import type { SecretValues } from '../domain/secret-values.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { SettingsStore } from '../ports/settings-store.ts';
import { Admission } from './delivering/admit.ts';
import { AppHealth } from './apps/app-health.ts';
import { App } from './state/app.ts';
import type { AppSpec } from './state/app.ts';
import { Attempts } from './delivering/attempts.ts';
import { Bindings } from './bindings.ts';
import { Backlog } from './state/backlog.ts';
import { Bin } from './commands/bin.ts';
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
import { LateApps } from './apps/late-apps.ts';
import { LiveSet } from './state/live-set.ts';
import { LogBook } from './telemetry/log-book.ts';
import { Manual } from './commands/manual.ts';
import { Metrics } from './telemetry/metrics.ts';
import { Outcomes } from './delivering/outcome.ts';
import { Policies } from './state/policies.ts';
import { Publisher } from './publishing/publisher.ts';
import { Recorder } from './telemetry/recorder.ts';
import { ReplayJobs } from './commands/replay-jobs.ts';
import { Replay } from './commands/replay.ts';
import { Retention } from './persistence/retention.ts';
import { RunningCalls } from './commands/running-calls.ts';
import type { LaneWork } from './delivering/lane.ts';
import { Serving } from './apps/serving.ts';
import type { Shared } from './common.ts';
import { Signals } from './signals.ts';
import { Staged } from './publishing/staged.ts';
import { Targets } from './commands/targets.ts';
import { Timers } from './time/timers.ts';
import { OnReference } from './queries/on-reference.ts';
import { Topology } from './queries/topology.ts';
import { Writer } from './persistence/writer.ts';

export interface RuntimePorts {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly random: Random;
  readonly codec: Codec;
  readonly profile: Profile;
  readonly settings: SettingsStore;
  readonly journal: Journal;
  readonly log: Log;
  /** What no log line and no reason may show. */
  readonly secrets?: SecretValues;
  readonly components: ComponentSource;
  readonly apps: readonly AppSpec[];
  readonly version: string;
  readonly appApiToken?: string;
  /** Memory for what is unfinished, bodies not counted; absent: no limit of its own. */
  readonly backlogMemoryBytes?: number;
  /** How the journal was found: cut off, and with so many messages lost to damage. */
  readonly found?: { readonly wasCut: boolean; readonly lost: number };
  /** For declarative subscriptions, resiliency and templates. */
  readonly namespace?: string;
}

/** Everything the facade uses; see the file of each part. */
export function buildServices(ports: RuntimePorts) {
  const { clock } = ports;
  const journal = new HidingJournal(ports.journal);
  const recorder = new Recorder(ports.ids.uuid(), 0);
  const log = new LogBook(ports.log, clock, recorder, ports.secrets);
  const metrics = new Metrics(clock);
  const backlog = new Backlog({
    settings: ports.settings,
    metrics,
    memoryBytes: ports.backlogMemoryBytes ?? Infinity,
    journalBytes: journal.openBytes,
  });
  const apps = ports.apps.map((spec) => new App(spec, ports.profile.discoveryPath));
  const signals = new Signals();
  const onCaughtUp = (): void => {
    for (const of of apps) of.pumpAll();
  };
  const shared: Shared = {
    clock,
    ids: ports.ids,
    random: ports.random,
    codec: ports.codec,
    profile: ports.profile,
    settings: ports.settings,
    journal,
    writer: new Writer({ journal, clock, log, sequence: () => recorder.sequence, onCaughtUp }),
    recorder,
    log,
    metrics,
    timers: new Timers(clock),
    live: new LiveSet({ journal, codec: ports.codec, backlog }),
    callers: new Callers(),
    signals,
    version: ports.version,
    ...(ports.appApiToken === undefined ? {} : { appApiToken: ports.appApiToken }),
  };
  const app = (appId: string): App | undefined => apps.find((one) => one.appId === appId);
  const policies = new Policies(shared);
  const holds = new Holds(shared);
  const deliveries = new Deliveries(shared);
  const components = new Components(shared, ports.components, ports.secrets);
  const publisher = new Publisher(shared, { apps, components, deliveries, holds });
  const deadLetters = new DeadLetters(shared, publisher);
  const outcomes = new Outcomes(shared, { deliveries, deadLetters, policies, app });
  const admission = new Admission(shared, deliveries, outcomes, holds);
  const attempts = new Attempts(shared, { deliveries, outcomes, holds, policies, admission });
  const intake = new Intake(shared, { journal, deliveries, outcomes, deadLetters, policies, publisher });
  const work: LaneWork = {
    admit: (d) => admission.admit(d),
    single: (of, lane, d) => attempts.single(of, lane, d),
    bulk: (of, lane, batch) => attempts.bulk(of, lane, batch),
    stall: (d) => void deliveries.apply(d, { type: 'no-subscription' }),
    resume: (d) => {
      d.waits = false;
      void deliveries.changed(d);
    },
  };
  const serving = new Serving(shared, { components, intake, publisher, work });
  const discovery = new Discovery(shared, components, serving);
  const health = new Health(shared, components);
  const onReference = new OnReference(shared, { apps: () => apps, components, policies });
  const topology = new Topology(shared, () => apps, components, health, onReference);
  const bulkPublisher = new BulkPublisher(shared, publisher);
  const bindings = new Bindings(shared, { components, publisher, deliveries, intake });
  const targets = new Targets(shared);
  const staged = new Staged(shared, deliveries, publisher);
  const manual = new Manual(shared, {
    targets,
    deliveries,
    outcomes,
    attempts,
    deadLetters,
    staged,
    policies,
    serving,
    app,
  });
  const runningCalls = new RunningCalls(shared, {
    targets,
    policies,
    serving,
    apps,
    settled: attempts.settled,
  });
  const replay = new Replay(shared, { targets, publisher, intake, serving, deliveries, app });
  const bin = new Bin(shared, journal, deliveries);

  signals.on('ready', (d) => {
    const of = app(d.appId);
    if (of !== undefined) serving.laneOf(of, d).offer(d);
  });
  signals.on('heldAtPublish', ({ message, releaseAtMs }) => staged.arm(message, releaseAtMs));
  signals.on('refused', (of) => discovery.noticeRefused(of));

  return {
    shared,
    apps,
    app,
    policies,
    holds,
    deliveries,
    components,
    publisher,
    outcomes,
    attempts,
    intake,
    serving,
    discovery,
    appHealth: new AppHealth(shared),
    health,
    topology,
    onReference,
    bulkPublisher,
    bindings,
    targets,
    admission,
    staged,
    lateApps: new LateApps(shared, { deliveries, intake, serving }),
    manual,
    runningCalls,
    replay,
    bin,
    replayJobs: new ReplayJobs(shared, replay, bin),
    retention: new Retention(shared),
  };
}

export type Parts = ReturnType<typeof buildServices>;
