/** The runtime's facade: start, stop, publish, manual acts, queries. What each does stands in the part it calls. */
import type {
  Changed,
  Counts,
  DeliveryTarget,
  HealthReport,
  LogEntry,
  MetricsReport,
  Page,
  RouteExplanation,
  RuntimeChanged,
  StartReport,
} from '../contract/console.ts';
import type { Hold, HoldChange, HoldParams } from '../contract/hold.ts';
import type { MessageDetail, MessageRow } from '../contract/message.ts';
import type { Answer, WaitingAnswer } from '../contract/mock-app.ts';
import type { MessageChanges, ReplayChanges } from '../contract/publish.ts';
import type {
  AppRow,
  ComponentRow,
  DiscoveryState,
  Problem,
  ResourceFile,
  SubscriptionRow,
  TopicRow,
} from '../contract/subscription.ts';
import { explainVerdict } from '../domain/explain-verdict.ts';
import type { Journal } from '../ports/journal.ts';
import type { LogFields } from '../ports/log.ts';
import type {
  EventSource,
  MessageMarks,
  PublishBulkRequest,
  PublishRequest,
  RuntimeApi,
  SidecarView,
} from './api.ts';
import type { App } from './state/app.ts';
import { AppMembership } from './lifecycle/app-membership.ts';
import { updateMessage } from './commands/marks.ts';
import { detailOf } from './queries/detail.ts';
import { heldQueue } from './queries/held-queue.ts';
import type { HeldQueue } from './queries/held-queue.ts';
import { Lifecycle } from './lifecycle/lifecycle.ts';
import { buildServices } from './services.ts';
import type { Parts, RuntimePorts } from './services.ts';
import { removeMessages } from './commands/removal.ts';
import { noApp, noMessage } from './commands/missing.ts';
import { RequestBodies } from './publishing/request-bodies.ts';
import { Sidecar } from './sidecar.ts';
import { metricsOf, statusOf } from './queries/status.ts';

export class Runtime implements RuntimeApi {
  readonly journal: Journal;
  readonly events: EventSource;
  readonly jobs: RuntimeApi['jobs'];
  readonly bin: RuntimeApi['bin'];
  /** For apps that come and go. */
  readonly door: AppMembership;
  /** Bodies that the sidecars' edges have received and not answered yet. */
  readonly bodies: RequestBodies;
  readonly #deps: Parts;
  readonly #life: Lifecycle;

  constructor(ports: RuntimePorts) {
    this.#deps = buildServices(ports);
    this.#life = new Lifecycle(this.#deps, ports);
    this.journal = this.#deps.shared.journal;
    this.events = this.#deps.shared.recorder;
    this.jobs = this.#deps.replayJobs;
    this.bin = this.#deps.bin;
    this.door = new AppMembership(this.#deps, this.#life);
    this.bodies = new RequestBodies(ports.backlogMemoryBytes ?? Infinity);
  }

  start = (): Promise<void> => this.#life.start();

  written = (): Promise<void> => this.#deps.shared.writer.settled();

  /** For the next start. */
  keep = (key: string, value: unknown): Promise<void> => this.#deps.shared.writer.keep(key, value);

  stop = (graceMs: number): Promise<void> => this.#life.stop(graceMs);

  /** Where a sidecar of the app listens; instances in their order. The health probes count it as open from now on. */
  listening(appId: string, url: string, grpc?: string): void {
    const app = this.#app(appId);
    app.sidecars.push(url);
    app.grpcAddresses.push(grpc);
  }

  /** One of the app's sidecars has closed its port; after the last one nothing starts for the app any more. */
  closed(appId: string, url: string): void {
    const app = this.#app(appId);
    const at = app.sidecars.indexOf(url);
    if (at >= 0) {
      app.sidecars[at] = '';
      app.grpcAddresses[at] = undefined;
    }
    if (app.sidecarUrl === '') app.stopping = true;
    this.#deps.shared.recorder.add({ type: 'topology.changed', appId });
  }

  sidecar(appId: string, appUrl?: string): SidecarView {
    return new Sidecar(this.#deps.shared, this.#app(appId), this.#deps, appUrl);
  }

  publish(
    request: Omit<PublishRequest, 'appId' | 'source'> & { appId?: string },
  ): Promise<{ messageId: string }> {
    const { appId } = this.#app(request.appId);
    return this.#deps.publisher.publish({ ...request, appId, source: 'console' });
  }

  publishBulk(
    request: Omit<PublishBulkRequest, 'appId' | 'source'> & { appId?: string },
  ): ReturnType<RuntimeApi['publishBulk']> {
    const { appId } = this.#app(request.appId);
    return this.#deps.bulkPublisher.publish({ ...request, appId, source: 'console' });
  }

  replay(
    messageId: string,
    changes: ReplayChanges | undefined,
    to: string | undefined,
  ): Promise<{ messageId: string }> {
    return this.#deps.replay.replay(messageId, changes, to);
  }

  async message(messageId: string): Promise<MessageDetail> {
    const source = await this.journal.get(messageId);
    if (source === undefined) throw noMessage(messageId);
    return detailOf(source, this.#deps.shared, this.#deps.shared.live.message(messageId));
  }

  updateMessage(messageId: string, change: MessageMarks): Promise<MessageRow> {
    return updateMessage(this.#deps, messageId, change);
  }

  removeMessages(messageIds: readonly string[]): Promise<number> {
    return removeMessages(this.#deps.shared, this.#deps.deliveries, messageIds);
  }

  retry(target: DeliveryTarget): Promise<Changed> {
    return this.#deps.manual.retry(target);
  }

  drop(target: DeliveryTarget): Promise<Changed> {
    return this.#deps.manual.drop(target);
  }

  hold(target: DeliveryTarget): Promise<Changed> {
    return this.#deps.manual.hold(target);
  }

  release(target: DeliveryTarget, changes?: MessageChanges, answer?: Answer): Promise<Changed> {
    return this.#deps.manual.release(target, changes, answer);
  }

  deadLetter(target: DeliveryTarget, topic?: string): Promise<Changed> {
    return this.#deps.manual.deadLetter(target, topic);
  }

  cancelAttempt(deliveryId: string): Promise<{ changed: number }> {
    return this.#deps.runningCalls.cancel(deliveryId);
  }

  answer(deliveryId: string, answer: Answer): Promise<{ changed: number }> {
    return this.#deps.runningCalls.answer(deliveryId, answer);
  }

  waiting(appId?: string): readonly WaitingAnswer[] {
    return this.#deps.runningCalls.waiting(appId);
  }

  holds(): readonly Hold[] {
    return this.#deps.holds.list();
  }

  heldQueue = (limit: number): HeldQueue => heldQueue(this.#deps.shared, limit);

  addHold(hold: HoldParams): Promise<Hold> {
    return this.#deps.holds.add(hold);
  }

  updateHold(holdId: string, change: HoldChange): Promise<Hold> {
    return this.#deps.holds.update(holdId, change);
  }

  async removeHold(holdId: string, release: boolean): Promise<Hold> {
    const hold = await this.#deps.holds.remove(holdId);
    if (release) await this.#deps.manual.releaseHeldBy(holdId);
    return hold;
  }

  topics(): readonly TopicRow[] {
    return this.#deps.topology.topics();
  }

  subscriptions(): readonly SubscriptionRow[] {
    return this.#deps.topology.subscriptions();
  }

  discoveries(): readonly ({ appId: string } & DiscoveryState)[] {
    return this.#deps.apps.map((app) => ({ appId: app.appId, ...app.discovery }));
  }

  async discover(
    appId?: string,
  ): Promise<{ subscriptions: readonly SubscriptionRow[]; problems: readonly Problem[] }> {
    const apps = appId === undefined ? this.#deps.apps : [this.#app(appId)];
    await Promise.all(apps.map((app) => this.#deps.discovery.ask(app)));
    return {
      subscriptions: apps.flatMap((app) => this.#deps.topology.subscriptions(app.appId)),
      problems: apps.flatMap((app) => app.problems),
    };
  }

  components(): readonly ComponentRow[] {
    return this.#deps.topology.components();
  }

  resourceProblems(only?: 'subscriptions'): readonly Problem[] {
    return only === undefined ? this.#life.problems : this.#life.subscriptionProblems;
  }

  resourceFiles(): readonly ResourceFile[] {
    return this.#life.files();
  }

  get began(): StartReport {
    return this.#life.began;
  }

  reload(): Promise<void> {
    return this.#life.reload();
  }

  apps(): readonly AppRow[] {
    return this.#deps.topology.apps();
  }

  explainRoutes(request: {
    appId?: string;
    pubsubname: string;
    topic: string;
    event: unknown;
  }): readonly RouteExplanation[] {
    if (request.appId !== undefined) this.#app(request.appId);
    return this.#deps.topology.explain(request);
  }

  readonly explainVerdict = explainVerdict;

  health(appId?: string): HealthReport {
    return this.#deps.health.report(this.#app(appId));
  }

  simulateHealth(appId: string | undefined, healthy: boolean | null): HealthReport {
    const app = this.#app(appId);
    app.simulatedHealth = healthy;
    this.#deps.shared.recorder.add({ type: 'topology.changed', appId: app.appId });
    return this.#deps.health.report(app);
  }

  metrics(rangeSeconds?: number): MetricsReport {
    return metricsOf(this.#deps, rangeSeconds);
  }

  status(): RuntimeChanged {
    return statusOf(this.#deps, this.#life, this.waiting().length);
  }

  /** Why publishes are refused at present for want of room; undefined: they are not. */
  get refuses(): string | undefined {
    return this.#deps.publisher.refuses;
  }

  counts(): Counts {
    return this.#deps.shared.metrics.counts();
  }

  logs(query: {
    level?: LogEntry['level'];
    filter?: string;
    cursor?: string;
    limit?: number;
  }): Page<LogEntry> {
    return this.#deps.shared.log.page(query);
  }

  /** For edges that notice something themselves. */
  log = (level: LogEntry['level'], part: string, text: string, fields: LogFields = {}): void =>
    this.#deps.shared.log.write(level, part, text, fields);

  /** Lists beside messages changed: who looks asks again. */
  touch(): void {
    for (const { appId } of this.#deps.apps)
      this.#deps.shared.recorder.add({ type: 'topology.changed', appId });
  }

  /** The app of that id; the first one without an id. Throws Refusal NOT_FOUND. */
  #app(appId: string | undefined): App {
    const app = appId === undefined ? this.#deps.apps[0] : this.#deps.app(appId);
    if (app === undefined) throw noApp(appId ?? '');
    return app;
  }
}
