/** Start, reload and stop, in their order. */
import type { Problem } from '../contract/subscription.ts';
import { pubsubPolicies, readResiliency } from '../domain/resiliency.ts';
import { readDeclarative } from '../domain/subscription.ts';
import type { Resources } from '../ports/component-source.ts';
import type { App } from './app.ts';
import { isEnded } from './live-set.ts';
import type { LiveMessage } from './live.ts';
import type { Parts, RuntimePorts } from './parts.ts';
import { recover } from './recovery.ts';

const FLUSH_MS = 10_000;
const STATS_EVERY_MS = 500;

export class LifeCycle {
  readonly #parts: Parts;
  readonly #ports: RuntimePorts;
  #started = false;
  #stopped: Promise<void> | undefined;
  #unwatch: () => void = () => undefined;
  #reloading: Promise<void> = Promise.resolve();
  problems: readonly Problem[] = [];
  /** Messages in the journal, refreshed twice a second. */
  kept = 0;

  constructor(parts: Parts, ports: RuntimePorts) {
    this.#parts = parts;
    this.#ports = ports;
  }

  /** Components, holds and what was unfinished; then every app is followed. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const { shared, publisher, holds, discovery, components, apps } = this.#parts;
    const stats = await shared.journal.stats();
    this.kept = stats.messages;
    publisher.continueFrom(stats.lastNumber);
    shared.recorder.continueFrom(await shared.journal.lastSequence());
    publisher.onReleaseLater = (message, afterMs) => this.#releaseMessageLater(message, afterMs);
    await holds.load();
    const { resources } = await components.load();
    this.#take(resources);
    await recover(shared, this.#parts);
    discovery.onDiscovered = (app) => this.#discovered(app);
    for (const app of apps) {
      void discovery.follow(app);
      void this.#parts.appHealth.follow(app);
    }
    this.#parts.retention.start();
    this.#unwatch = this.#ports.components.watch(() => void this.reload());
    this.#refreshStats();
  }

  /** Loads the resources again; what did not change is left alone. Calls join. */
  reload(): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#reload());
    return this.#reloading;
  }

  /** Stop taking publishes; attempts may end for `graceMs`; the rest is cut and goes again after the next start. */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #reload(): Promise<void> {
    if (this.#stopped !== undefined) return;
    const { components, serving, apps, bindings, shared } = this.#parts;
    try {
      const { replaced, resources } = await components.load();
      await bindings.close(replaced);
      await serving.closeOn(replaced, apps);
      this.#take(resources);
      for (const app of apps) {
        if (!app.discovered) continue;
        await serving.align(app);
        await bindings.listenFor(app);
      }
      shared.log.write('info', 'components', 'The resources were loaded again.');
    } catch (error) {
      shared.log.write(
        'error',
        'components',
        `The resources could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    for (const app of apps) shared.recorder.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Declarative subscriptions and policies; problems are kept for the console and logged. */
  #take(resources: Resources): void {
    const { apps, policies, shared } = this.#parts;
    const { profile, namespace } = this.#ports;
    const found: Problem[] = [...resources.problems];
    for (const app of apps) {
      const read = resources.subscriptions.map((one) =>
        readDeclarative(
          one.document,
          { file: one.file, document: one.index, line: one.line },
          { appId: app.appId, profile, ...(namespace === undefined ? {} : { namespace }) },
        ),
      );
      app.declared = read.flatMap((one) => one.subscriptions);
      for (const problem of read.flatMap((one) => one.problems)) {
        if (
          !found.some(
            (known) =>
              known.message === problem.message && known.file === problem.file && known.line === problem.line,
          )
        )
          found.push(problem);
      }
    }
    const first = apps[0];
    if (first !== undefined) {
      const resiliency = readResiliency(resources.resiliency, {
        appId: first.appId,
        ...(namespace === undefined ? {} : { namespace }),
      });
      found.push(...resiliency.problems);
      policies.setComponents(pubsubPolicies(resiliency, 'inbound'));
    }
    this.problems = found;
    for (const problem of found) {
      const at =
        problem.file === undefined
          ? ''
          : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}`}: `;
      shared.log.write(problem.severity === 'warning' ? 'warn' : 'error', 'resources', at + problem.message);
    }
  }

  /** Messages that waited for the app's first discovery get their deliveries now. */
  #discovered(app: App): void {
    const { shared, bindings } = this.#parts;
    for (const message of shared.live.staged()) {
      const waitingFor = message.row.waitingFor;
      if (waitingFor === undefined || !waitingFor.includes(app.appId)) continue;
      void this.#served(app, message);
    }
    void bindings.listenFor(app);
  }

  async #served(app: App, message: LiveMessage): Promise<void> {
    const { shared, deliveries, intake, serving } = this.#parts;
    const { pubsubname, topic } = message.row;
    const wire = await shared.live.wire(message);
    for (const lane of serving.matching(app, pubsubname, topic)) {
      const known = message.deliveries.some(
        (d) => d.appId === app.appId && d.subscription.topic === lane.key.topic,
      );
      if (!known) intake.create(app, lane, message, undefined, wire);
    }
    const rest = (message.row.waitingFor ?? []).filter((id) => id !== app.appId);
    const done = rest.length === 0;
    await deliveries.patchMessage(message, {
      waitingFor: done ? undefined : rest,
      ...(done ? { stage: undefined } : {}),
    });
    if (done && message.deliveries.length === 0) shared.metrics.withoutSubscription(pubsubname, topic);
    shared.live.removeIfFinished(message);
  }

  #releaseMessageLater(message: LiveMessage, afterMs: number): void {
    const { shared, manual } = this.#parts;
    shared.timers.at(shared.clock.now() + afterMs, () => {
      if (message.row.stage !== 'held') return;
      manual.releaseMessage(message).catch((error: unknown) => {
        shared.log.write(
          'error',
          'holds',
          `A held message could not be released: ${error instanceof Error ? error.message : String(error)}`,
          { messageId: message.messageId },
        );
      });
    });
  }

  async #stop(graceMs: number): Promise<void> {
    const { shared, publisher, discovery, appHealth, serving, bindings, components, apps, retention } =
      this.#parts;
    this.#unwatch();
    publisher.stopping = true;
    discovery.stop();
    appHealth.stop();
    for (const app of apps) app.stopping = true;
    const until = shared.clock.monotonic() + graceMs;
    while (apps.some((app) => app.inFlight > 0) && shared.clock.monotonic() < until) {
      await new Promise<void>((go) => shared.clock.at(shared.clock.now() + 10, go));
    }
    this.#cutCalls();
    await bindings.close();
    shared.timers.close();
    await retention.stop();
    await this.#parts.shared.writer.drain(FLUSH_MS);
    await serving.closeAll(apps);
    await components.close();
    for (const app of apps) await app.channel.close();
    await shared.journal.close();
  }

  /** M11: a call cut by a shutdown does not count as an attempt. */
  #cutCalls(): void {
    const { shared, deliveries } = this.#parts;
    for (const d of [...shared.live.deliveries()]) {
      if (d.state !== 'attempting' || isEnded(d)) continue;
      const { call } = d;
      d.call = undefined;
      d.attemptId = undefined;
      d.heldAnswer = undefined;
      d.attemptCount = Math.max(0, d.attemptCount - 1);
      void deliveries.apply(d, { type: 'restart' }, { note: 'Sidelight was stopped during the call.' });
      call?.cancel('Sidelight is stopping');
    }
  }

  #refreshStats(): void {
    const { shared } = this.#parts;
    shared.timers.at(shared.clock.now() + STATS_EVERY_MS, () => {
      shared.journal.stats().then(
        (stats) => {
          this.kept = stats.messages;
          if (this.#stopped === undefined) this.#refreshStats();
        },
        (error: unknown) => {
          shared.log.write(
            'warn',
            'journal',
            `Its size is not known: ${error instanceof Error ? error.message : String(error)}`,
          );
          if (this.#stopped === undefined) this.#refreshStats();
        },
      );
    });
  }
}
