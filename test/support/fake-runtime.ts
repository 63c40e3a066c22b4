/** A small real runtime for tests of the console: it keeps messages, moves deliveries when told, and notes what it was asked. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type {
  Changed,
  Counts,
  HealthReport,
  LogEntry,
  MetricsReport,
  Page,
  RuntimeChanged,
} from '../../core/contract/console.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Hold, HoldChange, HoldParams } from '../../core/contract/hold.ts';
import type { DeliveryRow, MessageDetail, MessageRow, Transition } from '../../core/contract/message.ts';
import { changeHold } from '../../core/domain/hold.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import type { Journal, StoredDelivery } from '../../core/ports/journal.ts';
import type { RuntimeApi, SidecarView } from '../../core/runtime/api.ts';
import { NOTHING_FOUND, startReport } from '../../core/runtime/lifecycle/start-report.ts';
import { FakeEvents } from './fake-events.ts';
import { fakeBin, fakeJobs } from './fake-jobs.ts';

export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

export class FakeRuntime implements RuntimeApi {
  readonly journal: Journal = createMemoryJournal({ codec: bufferCodec });
  readonly events: FakeEvents;
  readonly calls: Call[] = [];
  readonly jobs = fakeJobs((...call) => this.#note(...call));
  readonly bin = fakeBin((...call) => this.#note(...call));
  readonly #deliveries = new Map<string, StoredDelivery>();
  readonly #numbers = new Map<string, number>();
  #number = 0;
  #deliveryNumber = 0;
  /** Thrown by the next call of any kind. */
  failure: Error | undefined;
  rates = { in: 0, out: 0 };

  constructor(ringSize?: number) {
    this.events = new FakeEvents(ringSize);
  }

  /** Keeps a message and tells of it. Numbers go on from 1. */
  async accept(row: Partial<MessageRow> = {}, data: unknown = {}): Promise<MessageRow> {
    this.#number += 1;
    const whole: MessageRow = {
      messageId: `msg_${this.#number}`,
      number: this.#number,
      at: '2026-01-02T03:04:05.000Z',
      pubsubname: 'pubsub',
      topic: 'orders',
      appId: 'app',
      source: 'console',
      contentType: 'application/json',
      sizeBytes: 2,
      raw: false,
      deliveries: [],
      ...row,
    };
    const wire = JSON.stringify({ id: whole.messageId, type: 'test', source: 'test', data });
    await this.journal.append([
      { kind: 'message.accepted', message: { row: whole, wire, metadata: {}, givenContentType: '' } },
      { kind: 'message.published', messageId: whole.messageId },
    ]);
    this.#numbers.set(whole.messageId, whole.number);
    this.events.add({ type: 'message.added', row: whole });
    return whole;
  }

  /** Makes a delivery of a message, or moves the one it has. */
  async move(messageId: string, state: DeliveryState, withNumber = true): Promise<void> {
    const from = this.#deliveries.get(messageId)?.state ?? null;
    const deliveryId = this.#deliveries.get(messageId)?.deliveryId ?? `dlv_${(this.#deliveryNumber += 1)}`;
    const delivery: StoredDelivery = {
      deliveryId,
      messageId,
      appId: 'app',
      subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
      route: { path: '/orders' },
      state,
      maxAttempts: 10,
      attemptCount: 0,
      roundStart: 0,
    };
    this.#deliveries.set(messageId, delivery);
    const transition: Transition = {
      from,
      to: state,
      at: '2026-01-02T03:04:06.000Z',
      sequence: this.events.sequence + 1,
      cause: 'policy',
      rule: 'policy.accepted',
    };
    await this.journal.append([{ kind: 'delivery', delivery, transition }]);
    const number = this.#numbers.get(messageId);
    const row: DeliveryRow = { deliveryId, appId: 'app', state, attempts: 0, route: '/orders' };
    this.events.add({
      type: 'delivery.changed',
      messageId,
      deliveryId,
      transition: { ...transition, sequence: this.events.sequence + 1 },
      attempts: 0,
      delivery: row,
      ...(withNumber && number !== undefined ? { number } : {}),
    });
  }

  /** Removes the oldest finished messages until so many are left. */
  async prune(left: number): Promise<number> {
    const keep = { maxMessages: left, maxBytes: Number.MAX_SAFE_INTEGER, olderThanMs: 0 };
    let count = 0;
    for (;;) {
      const { removed, beforeNumber } = await this.journal.prune(keep, 0, 1000);
      if (removed === 0) return count;
      count += removed;
      this.events.add({ type: 'messages.pruned', beforeSequence: beforeNumber, count: removed });
    }
  }

  sidecar(): SidecarView {
    throw new Error('The console does not ask for a sidecar.');
  }

  async publish(...args: Parameters<RuntimeApi['publish']>): Promise<{ messageId: string }> {
    this.#note('publish', args);
    const [{ pubsubname, topic }] = args;
    if (pubsubname !== 'pubsub') throw new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname });
    const { messageId } = await this.accept({ topic });
    return { messageId };
  }

  async publishBulk(...args: Parameters<RuntimeApi['publishBulk']>): ReturnType<RuntimeApi['publishBulk']> {
    this.#note('publishBulk', args);
    const [{ pubsubname }] = args;
    if (pubsubname !== 'pubsub')
      throw new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname }, { variant: 'bulk' });
    return { messageIds: [], failedEntries: [] };
  }

  async replay(...args: Parameters<RuntimeApi['replay']>): Promise<{ messageId: string }> {
    this.#note('replay', args);
    return { messageId: 'msg_replayed' };
  }

  async message(messageId: string): Promise<MessageDetail> {
    this.#note('message', [messageId]);
    const found = await this.journal.get(messageId);
    if (found === undefined) throw new Refusal('NOT_FOUND', { reason: `There is no message ${messageId}.` });
    return { ...found.row, deliveries: [], data: null, wire: { body: '' }, metadata: {} };
  }

  async updateMessage(...args: Parameters<RuntimeApi['updateMessage']>): Promise<MessageRow> {
    this.#note('updateMessage', args);
    const found = await this.journal.get(args[0]);
    if (found === undefined) throw new Refusal('NOT_FOUND', { reason: `There is no message ${args[0]}.` });
    return found.row;
  }

  retry = (...args: readonly unknown[]): Promise<Changed> => this.#act('retry', args);
  drop = (...args: readonly unknown[]): Promise<Changed> => this.#act('drop', args);
  hold = (...args: readonly unknown[]): Promise<Changed> => this.#act('hold', args);
  release = (...args: readonly unknown[]): Promise<Changed> => this.#act('release', args);
  deadLetter = (...args: readonly unknown[]): Promise<Changed> => this.#act('deadLetter', args);
  cancelAttempt = (...args: readonly unknown[]): Promise<Changed> => this.#act('cancelAttempt', args);
  answer = (...args: readonly unknown[]): Promise<Changed> => this.#act('answer', args);

  waiting(appId?: string): readonly [] {
    this.#note('waiting', [appId]);
    return [];
  }

  holds(): readonly Hold[] {
    this.#note('holds', []);
    return [];
  }
  heldQueue = (): { items: []; total: 0 } => ({ items: [], total: 0 });
  async addHold(hold: HoldParams): Promise<Hold> {
    this.#note('addHold', [hold]);
    return { enabled: true, ...hold, holdId: 'hld_1', hits: 0 };
  }

  async updateHold(holdId: string, change: HoldChange): Promise<Hold> {
    this.#note('updateHold', [holdId, change]);
    return changeHold({ at: 'delivery', filter: '', enabled: true, holdId, hits: 0 }, change);
  }

  async removeHold(holdId: string, release: boolean): Promise<Hold> {
    this.#note('removeHold', [holdId, release]);
    return { holdId, at: 'delivery', filter: '', enabled: true, hits: 0 };
  }

  topics = (): readonly [] => this.#nothing('topics');
  subscriptions = (): readonly [] => this.#nothing('subscriptions');
  discoveries = (): readonly [] => this.#nothing('discoveries');
  components = (): readonly [] => this.#nothing('components');
  readonly began = startReport(NOTHING_FOUND, '');
  resourceProblems = (): readonly [] => this.#nothing('resourceProblems');
  resourceFiles = (): readonly [] => this.#nothing('resourceFiles');
  apps = (): readonly [] => this.#nothing('apps');

  async discover(appId?: string): Promise<{ subscriptions: readonly []; problems: readonly [] }> {
    this.#note('discover', [appId]);
    return { subscriptions: [], problems: [] };
  }

  reload = async (): Promise<void> => this.#note('reload', []);

  explainRoutes(...args: readonly unknown[]): readonly [] {
    this.#note('explainRoutes', args);
    return [];
  }

  explainVerdict: RuntimeApi['explainVerdict'] = (request) => {
    this.#note('explainVerdict', [request]);
    return explainVerdict(request);
  };

  health(appId = 'app'): HealthReport {
    this.#note('health', [appId]);
    const probe = { healthy: true, status: 204, since: '2026-01-02T03:04:05.000Z', parts: [] } as const;
    return { appId, healthz: probe, outbound: probe, simulated: null, changes: [] };
  }

  simulateHealth(appId: string | undefined, healthy: boolean | null): HealthReport {
    this.#note('simulateHealth', [appId, healthy]);
    return { ...this.health(appId), simulated: healthy };
  }

  metrics(): MetricsReport {
    this.#note('metrics', []);
    return {
      at: '2026-01-02T03:04:05.000Z',
      published: 0,
      attempts: 0,
      rates: this.rates,
      counts: this.counts(),
      topics: [],
    };
  }

  status(): RuntimeChanged {
    return {
      rates: this.rates,
      counts: this.counts(),
      kept: this.#number,
      limit: 100_000,
      health: [],
      holds: 0,
      waiting: 0,
    };
  }

  counts(): Counts {
    const states = [...this.#deliveries.values()].map(({ state }) => state);
    const count = (state: DeliveryState): number => states.filter((other) => other === state).length;
    return {
      queued: count('queued'),
      held: count('held'),
      attempting: count('attempting'),
      retrying: count('retrying'),
      processed: count('processed'),
      dropped: count('dropped'),
      expired: count('expired'),
      'dead-lettered': count('dead-lettered'),
      parked: count('parked'),
    };
  }

  logs(...args: readonly unknown[]): Page<LogEntry> {
    this.#note('logs', args);
    return { items: [], nextCursor: null };
  }

  async start(): Promise<void> {
    this.#note('start', []);
  }

  stop = (): Promise<void> => this.journal.close();

  #note(method: string, args: readonly unknown[]): void {
    this.calls.push({ method, args });
    const [failure] = [this.failure, (this.failure = undefined)];
    if (failure !== undefined) throw failure;
  }

  #nothing(method: string): readonly [] {
    this.#note(method, []);
    return [];
  }

  async #act(method: string, args: readonly unknown[]): Promise<Changed> {
    this.#note(method, args);
    return { changed: 1 };
  }
}
