/** A small real runtime for tests of the console: it keeps messages, moves deliveries on request, and notes its calls. */
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import type { Changed, Counts, HealthReport, RuntimeChanged } from '../../core/contract/console.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { DeliveryRow, MessageRow, Transition } from '../../core/contract/message.ts';
import { changeHold } from '../../core/domain/hold.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import type { Journal, MessageDetailSource, StoredDelivery } from '../../core/ports/journal.ts';
import type { RuntimeApi } from '../../core/runtime/runtime.ts';
import { NOTHING_FOUND, startReport } from '../../core/runtime/lifecycle/start-report.ts';
import { FakeEvents } from './fake-events.ts';
import { fakeRemovals, fakeJobs } from './fake-jobs.ts';

export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

export class FakeRuntime implements RuntimeApi {
  /** Reads of the journal that go on. */
  #reading = 0;
  readonly journal: Journal = this.#counted(createMemoryJournal({ codec: bufferCodec }));
  readonly events: FakeEvents;
  readonly calls: Call[] = [];
  readonly replayJobs = fakeJobs((...call) => this.#note(...call));
  readonly removals = fakeRemovals((...call) => this.#note(...call));
  waitedForDisk = 0;
  written = async (): Promise<void> => void (this.waitedForDisk += 1);
  caughtUp = async (): Promise<boolean> => true;
  tapsCaughtUp = async (): Promise<boolean> => true;
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

  /** Whether the journal is being read in slices. On a busy machine each slice is followed by a rest of its own length. */
  get isReading(): boolean {
    return this.#reading > 0;
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

  readonly publishByHand: RuntimeApi['publishByHand'] = {
    one: async (request) => {
      this.#note('publish', [request]);
      const { pubsubname, topic } = request;
      if (pubsubname !== 'pubsub') throw new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname });
      const { messageId } = await this.accept({ topic });
      return { messageId };
    },
    preview: ({ body, contentType = 'text/plain', metadata }) => ({
      kind: metadata['rawPayload'] === 'true' ? 'raw' : 'own',
      wire: body,
      contentType,
      flags: [],
    }),
    bulk: async (request) => {
      this.#note('publishBulk', [request]);
      const { pubsubname } = request;
      if (pubsubname !== 'pubsub')
        throw new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname }, { variant: 'bulk' });
      return { messageIds: [], failedEntries: [] };
    },
  };

  readonly replay: RuntimeApi['replay'] = {
    replay: async (...args) => {
      this.#note('replay', args);
      return { messageId: 'msg_replayed' };
    },
  };

  readonly messages: RuntimeApi['messages'] = {
    detail: async (messageId) => {
      this.#note('message', [messageId]);
      const { row } = await this.#found(messageId);
      return { ...row, deliveries: [], data: null, wire: { body: '' }, metadata: {} };
    },
    held: () => ({ items: [], total: 0 }),
  };

  readonly marks: RuntimeApi['marks'] = {
    update: async (...args) => {
      this.#note('updateMessage', args);
      return (await this.#found(args[0])).row;
    },
  };

  readonly deliveryActions: RuntimeApi['deliveryActions'] = {
    retry: (...args) => this.#act('retry', args),
    reroute: (...args) => this.#act('reroute', args),
    drop: (...args) => this.#act('drop', args),
    undoDrop: (...args) => this.#act('undoDrop', args),
    hold: (...args) => this.#act('hold', args),
    release: (...args) => this.#act('release', args),
    deadLetter: (...args) => this.#act('deadLetter', args),
    removeHold: async (holdId, release) => {
      this.#note('removeHold', [holdId, release]);
      return { holdId, at: 'delivery', filter: '', enabled: true, hits: 0 };
    },
  };

  readonly runningCalls: RuntimeApi['runningCalls'] = {
    cancel: (...args) => this.#act('cancelAttempt', args),
    answer: (...args) => this.#act('answer', args),
    waiting: (appId) => this.#nothing('waiting', [appId]),
  };

  readonly holds: RuntimeApi['holds'] = {
    list: () => this.#nothing('holds'),
    add: async (hold) => {
      this.#note('addHold', [hold]);
      return { enabled: true, ...hold, holdId: 'hld_1', hits: 0 };
    },
    update: async (holdId, change) => {
      this.#note('updateHold', [holdId, change]);
      return changeHold({ at: 'delivery', filter: '', enabled: true, holdId, hits: 0 }, change);
    },
    restore: async (holdId) => {
      this.#note('restoreHold', [holdId]);
      return { holdId, at: 'delivery', filter: '', enabled: true, hits: 0 };
    },
  };

  readonly topology: RuntimeApi['topology'] = {
    topics: () => this.#nothing('topics'),
    subscriptions: () => this.#nothing('subscriptions'),
    discoveries: () => this.#nothing('discoveries'),
    components: () => this.#nothing('components'),
    brokenComponents: () => this.#nothing('components'),
    apps: () => this.#nothing('apps'),
    problems: () => this.#nothing('problems'),
    sidecars: () => new Map(),
    onlyForOthers: () => undefined,
    explain: async (request) => this.#nothing('explainRoutes', [request]),
  };

  readonly resources: RuntimeApi['resources'] = {
    began: startReport(NOTHING_FOUND, ''),
    problems: [],
    subscriptionProblems: [],
    files: () => this.#nothing('resourceFiles'),
    reload: async () => this.#note('reload', []),
  };

  readonly rediscovery: RuntimeApi['rediscovery'] = {
    ask: async (appId) => {
      this.#note('discover', [appId]);
      return { subscriptions: [], problems: [], discovery: [] };
    },
  };

  readonly health: RuntimeApi['health'] = {
    of: (appId = 'app') => {
      this.#note('health', [appId]);
      return healthOf(appId);
    },
  };

  readonly simulation: RuntimeApi['simulation'] = {
    health: (appId, healthy) => {
      this.#note('simulateHealth', [appId, healthy]);
      return { ...healthOf(appId), simulated: healthy };
    },
  };

  readonly figures: RuntimeApi['figures'] = {
    counts: () => this.#counts(),
    metrics: () => {
      this.#note('metrics', []);
      return {
        at: '2026-01-02T03:04:05.000Z',
        published: 0,
        attempts: 0,
        rates: this.rates,
        counts: this.#counts(),
        topics: [],
      };
    },
  };

  readonly log: RuntimeApi['log'] = {
    page: (...args) => {
      this.#note('logs', args);
      return { items: [], nextCursor: null };
    },
    write: (...args) => this.#note('log', args),
  };

  status(): RuntimeChanged {
    return {
      rates: this.rates,
      counts: this.#counts(),
      kept: this.#number,
      limit: 100_000,
      health: [],
      holds: 0,
      waiting: 0,
    };
  }

  #counts(): Counts {
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

  async #found(messageId: string): Promise<MessageDetailSource> {
    const found = await this.journal.get(messageId);
    if (found === undefined) throw new Refusal('NOT_FOUND', { reason: `There is no message ${messageId}.` });
    return found;
  }

  #counted(journal: Journal): Journal {
    const counted =
      <A extends readonly unknown[], R>(read: (...asked: A) => Promise<R>) =>
      async (...asked: A): Promise<R> => {
        this.#reading += 1;
        try {
          return await read(...asked);
        } finally {
          this.#reading -= 1;
        }
      };
    return Object.assign(journal, {
      scan: counted(journal.scan.bind(journal)),
      test: counted(journal.test.bind(journal)),
      summaries: counted(journal.summaries.bind(journal)),
      columnValues: counted(journal.columnValues.bind(journal)),
    });
  }

  #note(method: string, args: readonly unknown[]): void {
    this.calls.push({ method, args });
    const [failure] = [this.failure, (this.failure = undefined)];
    if (failure !== undefined) throw failure;
  }

  #nothing(method: string, args: readonly unknown[] = []): readonly [] {
    this.#note(method, args);
    return [];
  }

  async #act(method: string, args: readonly unknown[]): Promise<Changed> {
    this.#note(method, args);
    return { changed: 1 };
  }
}

function healthOf(appId = 'app'): HealthReport {
  const probe = { healthy: true, status: 204, since: '2026-01-02T03:04:05.000Z', parts: [] } as const;
  return { appId, healthz: probe, outbound: probe, simulated: null, changes: [] };
}
