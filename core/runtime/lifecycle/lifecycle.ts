/** Starts, reloads and stops the services in their order. */
import type { StartReport } from '../../contract/reports.ts';
import type { Problem, ResourceFile } from '../../contract/subscription.ts';
import { CUT_BY_END } from '../../contract/cause-sentences.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { LoggedReasons } from '../../domain/logged-reasons.ts';
import type { Resources } from '../../ports/component-source.ts';
import { pollUntil } from '../../ports/poll-until.ts';
import type { AppHealth } from '../apps/app-health.ts';
import type { LastSubscriptions } from '../apps/last-subscriptions.ts';
import type { DroppedBefore } from '../apps/dropped-before.ts';
import type { LeftOver } from '../apps/left-over.ts';
import type { OldRoutes } from '../apps/old-routes.ts';
import type { Discovery } from '../apps/discovery.ts';
import type { LateApps } from '../apps/late-apps.ts';
import type { Intake } from '../delivering/intake.ts';
import type { RestartingApps } from '../apps/restarting-apps.ts';
import type { Bindings } from '../bindings.ts';
import type { ReplayJobs } from '../commands/replay-jobs.ts';
import type { UndoableRemoval } from '../commands/undoable-removal.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { Components } from '../components/components.ts';
import type { Retention } from '../persistence/retention.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { Health } from '../queries/health.ts';
import type { OnReference } from '../queries/on-reference.ts';
import type { Topology } from '../queries/topology.ts';
import type { Loaded } from '../components/component-row.ts';
import { declaredFor, describeProblem, levelOf, onlyOnce, withPath } from '../components/declared.ts';
import type { Declared } from '../components/declared.ts';
import { filesOf } from '../components/files.ts';
import type { RuntimePorts } from '../services.ts';
import { cutCalls, recover } from './recovery.ts';
import type { RecoveryDependencies } from './recovery.ts';
import { NOTHING_FOUND, startReport } from './start-report.ts';
import { OBSERVED_TOPICS, readObservedTopics } from '../telemetry/observed-topics.ts';
import type { Observer } from '../tapping/observer.ts';
import { iso } from '../time/time.ts';

const FLUSH_MS = 10_000;
/** Maximum wait for dead-letter copies that are being published at a stop. */
const COPY_MS = 1_000;
const POLL_INTERVAL_MS = 5;
const STATS_EVERY_MS = 500;

/** Parts that are started, loaded again or stopped. */
export interface LifecycleDependencies extends RecoveryDependencies {
  readonly shared: SharedServices;
  readonly apps: Apps;
  readonly acceptance: Pick<Acceptance, 'continueFrom' | 'stop'>;
  readonly components: Pick<Components, 'pathOf' | 'load' | 'startAgain' | 'pubsubs' | 'close'>;
  readonly discovery: Pick<Discovery, 'follow' | 'ask' | 'stop'>;
  readonly appHealth: Pick<AppHealth, 'follow' | 'wake' | 'stop'>;
  readonly lastSubscriptions: Pick<LastSubscriptions, 'load' | 'continueWith'>;
  readonly intake: Pick<Intake, 'pauseRules'>;
  readonly oldRoutes: Pick<OldRoutes, 'stop'>;
  readonly droppedBefore: Pick<DroppedBefore, 'stop'>;
  readonly leftOver: Pick<LeftOver, 'stop'>;
  readonly health: Pick<Health, 'report'>;
  readonly topology: Pick<Topology, 'components' | 'subscriptions'>;
  readonly bindings: Pick<Bindings, 'listenFor' | 'close'>;
  readonly lateApps: Pick<LateApps, 'serve'>;
  readonly onReference: Pick<OnReference, 'log' | 'logNew'>;
  readonly restarting: Pick<RestartingApps, 'stop'>;
  readonly retention: Pick<Retention, 'start' | 'stop'>;
  readonly tapObserver: Pick<Observer, 'stop'>;
  readonly replayJobs: Pick<ReplayJobs, 'close'>;
  readonly removals: Pick<UndoableRemoval, 'close'>;
}

type LifecyclePorts = Pick<RuntimePorts, 'components' | 'settings' | 'profile' | 'namespace' | 'found'>;

export class Lifecycle {
  readonly #deps: LifecycleDependencies;
  readonly #ports: LifecyclePorts;
  #started = false;
  #stopped: Promise<void> | undefined;
  #removers: (() => void)[] = [];
  #reloading: Promise<void> = Promise.resolve();
  problems: readonly Problem[] = [];
  #ended = 0;
  /** Messages without a subscription that the journal had at the start. */
  #none = 0;
  #replayed = 0;
  /** Problems of subscription documents. */
  subscriptionProblems: readonly Problem[] = [];
  began: StartReport = startReport(NOTHING_FOUND, iso(0));
  #resources: Pick<Resources, 'subscriptions' | 'resiliency'> = { subscriptions: [], resiliency: [] };
  /** Messages in the journal, refreshed twice a second. */
  kept = 0;
  /** Bytes of the journal on disk, refreshed together with `kept`. */
  keptBytes = 0;
  /** Why those two could not be read, which is tried twice a second. */
  readonly #reasons = new LoggedReasons();

  constructor(deps: LifecycleDependencies, ports: LifecyclePorts) {
    this.#deps = deps;
    this.#ports = ports;
  }

  /** Loads components, holds and unfinished messages; then follows every app. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const { shared, acceptance, holds, components, apps, lastSubscriptions } = this.#deps;
    const stats = await shared.journal.stats();
    this.kept = stats.messages;
    this.keptBytes = stats.bytes;
    const maybeElsewhere = readObservedTopics(await shared.journal.kept(OBSERVED_TOPICS));
    const totals = await shared.journal.totals(maybeElsewhere);
    shared.metrics.restored(totals, maybeElsewhere);
    this.#replayed = totals.reduce((sum, { replayed }) => sum + replayed, 0);
    const { processed, dropped, expired, 'dead-lettered': copied } = shared.metrics.counts();
    this.#ended = processed + dropped + expired + copied;
    this.#none = shared.metrics.topics().reduce((sum, { none }) => sum + none, 0);
    acceptance.continueFrom(stats.lastNumber);
    this.#deps.serving.continueFrom(stats.lastNumber);
    shared.events.continueFrom(await shared.journal.lastSequence());
    await holds.load();
    shared.signals.on('startDue', (one) => {
      this.#reloading = this.#reloading.then(() => this.#startAgain(one));
    });
    shared.signals.on('connection', () => {
      for (const { appId } of apps.all) shared.events.add({ type: 'topology.changed', appId });
      void this.#deps.publishAgain.goOn('connection');
    });
    const { resources } = await components.load();
    this.#take(resources);
    await lastSubscriptions.load();
    // Rules may take 20 ms for each of thousands of messages, and a start would be over only after them.
    const goOn = this.#deps.intake.pauseRules();
    await this.#recover(stats.messages);
    lastSubscriptions.continueWith(apps.all.map(({ appId }) => appId));
    shared.signals.on('discovered', (app) => this.#discovered(app));
    for (const app of apps.all) this.follow(app);
    this.#noteHealth();
    this.#deps.retention.start();
    this.#removers = [
      this.#ports.components.watch(() => void this.reload()),
      this.#ports.settings.onChange((key) => this.#settingChanged(key)),
    ];
    this.#refreshStats();
    goOn();
  }

  /** Starts to ask the app for its subscriptions, and to probe it. */
  follow(app: App): void {
    void this.#deps.discovery.follow(app);
    void this.#deps.appHealth.follow(app);
  }

  async #recover(messages: number): Promise<void> {
    const { shared } = this.#deps;
    const { found } = this.#ports;
    const recovered = await recover(shared, this.#deps);
    const damaged = (shared.journal.damaged ?? 0) + (found?.lost ?? 0);
    const wasCut = found?.wasCut ?? false;
    this.began = startReport(
      {
        kept: messages,
        wasCut,
        ended: this.#ended,
        none: this.#none,
        replayed: this.#replayed,
        ...recovered,
        damaged,
      },
      iso(shared.clock.now()),
      { sync: this.#ports.settings.current['journal.sync'], mayMiss: found?.mayMiss },
    );
    if (messages === 0) return;
    shared.log.write(damaged > 0 || wasCut ? 'warn' : 'info', 'recovery', this.began.text);
  }

  /** Reloads the resources; unchanged ones stay as they are. A second call follows the running one. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  /**
   * Stops: refuses publishes, lets running attempts finish for `graceMs`, then cancels the rest; those are repeated after the next start.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  /** The result of every file of the resources folder. */
  files(): readonly ResourceFile[] {
    const { apps, topology } = this.#deps;
    return filesOf({
      resources: this.#resources,
      components: topology.components(),
      subscriptions: topology.subscriptions(),
      declared: apps.all.flatMap((app) => app.declared),
      appIds: apps.all.map(({ appId }) => appId),
      problems: this.problems,
    });
  }

  /** Starts a failed component again, and then serves the apps that wait for it as after a reload. */
  async #startAgain(one: Loaded): Promise<void> {
    if (this.#stopped !== undefined) return;
    const { components, apps, shared } = this.#deps;
    try {
      // Until each app is served, what is published waits for those that are not.
      for (const app of apps.all) app.suspend(new Set([one.spec.name]));
      const isReady = await components.startAgain(one);
      for (const app of apps.all) {
        if (isReady) await this.#alignAgain(app);
        else shared.events.add({ type: 'topology.changed', appId: app.appId });
      }
      if (isReady) await this.#deps.publishAgain.goOn('component');
      this.#noteHealth();
    } catch (error) {
      const reason = errorText(error);
      shared.log.write(
        'error',
        'components',
        `The sidecar could not serve ${one.spec.name} again: ${reason}`,
      );
    } finally {
      for (const app of apps.all) app.suspend(new Set());
    }
  }

  async #reload(): Promise<void> {
    if (this.#stopped !== undefined) return;
    const { components, serving, apps, bindings, publishAgain, shared } = this.#deps;
    try {
      const { resources } = await components.load(async (names) => {
        for (const app of apps.all) app.suspend(names);
        await bindings.close(names);
        await serving.suspend(names, apps.all);
      });
      this.#take(resources, await this.#readInTurns(resources));
      shared.log.write('info', 'components', 'The resources were loaded again.');
    } catch (error) {
      const reason = errorText(error);
      shared.log.write('error', 'components', `Loading the resources failed: ${reason}`);
    }
    await Promise.all(apps.all.map((app) => this.#alignInTurn(app)));
    await publishAgain.goOn('component');
    this.#noteHealth();
  }

  /** What the files declare for each app. Others have their turns in between: rules are compiled for each app anew. */
  async #readInTurns(resources: Resources): Promise<ReadonlyMap<App, Declared>> {
    const { apps, shared } = this.#deps;
    const read = new Map<App, Declared>();
    for (const app of apps.all) {
      await shared.turns.room(1 + resources.subscriptions.length);
      read.set(app, this.#declaredFor(app, resources));
    }
    return read;
  }

  /** As `#alignAgain`, once this turn of the event loop has room for the app's subscriptions. */
  async #alignInTurn(app: App): Promise<void> {
    await this.#deps.shared.turns.room(1 + app.declared.length + app.programmatic.length);
    await this.#alignAgain(app);
  }

  /** Evaluates the health probes now, so that a change gets the time it happened and not that of the next request. */
  #noteHealth(): void {
    for (const app of this.#deps.apps.all) this.#deps.health.report(app);
  }

  async #alignAgain(app: App): Promise<void> {
    const { components, discovery, serving, lateApps, bindings, onReference, shared } = this.#deps;
    if (app.isRemoved) return;
    if (app.unasked && components.pubsubs(app.appId).length > 0) await discovery.ask(app);
    else if (app.discovered) await serving.align(app);
    app.suspend(new Set());
    // The end of a discovery under way does the rest itself, and messages wait for it.
    if (!app.isListAwaited) {
      onReference.logNew(app);
      await lateApps.serve(app);
      await bindings.listenFor(app);
    }
    shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Applies a changed setting at once: health checks and concurrency limits. */
  #settingChanged(key: string): void {
    const { apps, appHealth } = this.#deps;
    if (key === 'app.health') appHealth.wake();
    if (key === 'delivery.concurrency' || key === 'app.maxConcurrency') {
      for (const app of apps.all) app.pumpAll();
    }
  }

  #declaredFor(app: App, resources: Resources): Declared {
    const { profile } = this.#ports;
    const namespace = app.own.namespace ?? this.#ports.namespace;
    return declaredFor(app.appId, resources, { profile, ...withoutUndefined({ namespace }) });
  }

  /**
   * Applies declarative subscriptions and policies; keeps problems for the console and logs them.
   * @param read what was read for the apps before, other than those that came meanwhile
   */
  #take(resources: Resources, read: ReadonlyMap<App, Declared> = new Map()): void {
    this.#resources = resources;
    const { apps, components, policies, shared } = this.#deps;
    const found: Problem[] = [...resources.problems];
    const inSubscriptions: Problem[] = [];
    for (const app of apps.all) {
      if (app.isRemoved) continue;
      const declared = read.get(app) ?? this.#declaredFor(app, resources);
      app.declare(declared);
      policies.setComponents(app.appId, declared);
      inSubscriptions.push(...declared.subscriptionProblems);
      found.push(...declared.subscriptionProblems, ...declared.resiliencyProblems);
    }
    const before = new Set(this.problems.map((problem) => JSON.stringify(problem)));
    this.problems = onlyOnce(found);
    this.subscriptionProblems = onlyOnce(inSubscriptions);
    for (const problem of this.problems) {
      const level = levelOf(problem);
      // A warning is logged once, not again at each reload.
      if (level !== 'error' && before.has(JSON.stringify(problem))) continue;
      shared.log.write(level, 'resources', describeProblem(withPath(problem, components.pathOf)));
    }
  }

  #discovered(app: App): void {
    const { shared, outcomes, lateApps, bindings, onReference, health } = this.#deps;
    health.report(app);
    onReference.log(app);
    for (const d of [...shared.live.deliveries()]) if (d.appId === app.appId) void outcomes.catchUp(d);
    void lateApps.serve(app);
    void bindings.listenFor(app);
  }

  async #stop(graceMs: number): Promise<void> {
    const { shared, acceptance, discovery, appHealth, serving, bindings, components, apps, retention } =
      this.#deps;
    for (const remove of this.#removers) remove();
    acceptance.stop();
    this.#deps.tapObserver.stop();
    shared.backpressure.end();
    discovery.stop();
    this.#deps.restarting.stop();
    appHealth.stop();
    this.#deps.oldRoutes.stop();
    this.#deps.droppedBefore.stop();
    this.#deps.leftOver.stop();
    for (const app of apps.all) app.stop();
    await this.#until(() => apps.all.every((app) => app.inFlight === 0), graceMs);
    cutCalls(this.#deps, CUT_BY_END.stop);
    await this.#until(() => ![...shared.live.deliveries()].some((d) => d.lock !== undefined), COPY_MS);
    await this.#orderly('bindings', () => bindings.close());
    await this.#orderly('replay', () => this.#deps.replayJobs.close());
    await this.#orderly('journal', () => this.#deps.removals.close());
    shared.timers.close();
    await this.#orderly('retention', () => retention.stop());
    shared.observedTopics.flush();
    await shared.writer.drain(FLUSH_MS);
    await this.#orderly('subscriptions', () => serving.close(apps.all));
    await this.#orderly('components', () => components.close());
    for (const app of apps.all) await this.#orderly('delivery', () => app.channel.close());
    await this.#orderly('journal', () => shared.journal.close());
  }

  /** Closes one part; logs a failure, so that the other parts are closed too. */
  async #orderly(part: string, close: () => Promise<void>): Promise<void> {
    try {
      await close();
    } catch (error) {
      const reason = errorText(error);
      this.#deps.shared.log.write('error', part, `Stopping did not finish cleanly: ${reason}`);
    }
  }

  async #until(isTrue: () => boolean, longestMs: number): Promise<void> {
    await pollUntil(this.#deps.shared.clock, { everyMs: POLL_INTERVAL_MS, limitMs: longestMs }, isTrue);
  }

  #refreshStats(): void {
    const { shared } = this.#deps;
    shared.timers.at(shared.clock.now() + STATS_EVERY_MS, () => {
      (shared.journal.size?.() ?? shared.journal.stats()).then(
        (stats) => {
          this.#reasons.over();
          this.kept = stats.messages;
          this.keptBytes = stats.bytes;
          if (this.#stopped === undefined) this.#refreshStats();
        },
        (error: unknown) => {
          const reason = errorText(error);
          if (this.#reasons.isNew(reason))
            shared.log.write('warn', 'journal', `The size of the history is unknown: ${reason}`);
          if (this.#stopped === undefined) this.#refreshStats();
        },
      );
    });
  }
}
