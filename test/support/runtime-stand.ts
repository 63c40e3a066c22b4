/** The real runtime over memory adapters, a clock that a test moves, and apps that a test scripts. */
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import type { ConsoleEvent, LogEntry } from '../../core/contract/console.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Delivery, MessageDetail, Transition } from '../../core/contract/message.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { ProfileName } from '../../core/contract/profile.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { Settings } from '../../core/host/settings.ts';
import { createRuntime } from '../../core/runtime/runtime.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { HostNames } from '../../core/ports/host-names.ts';
import type { MockApp } from '../../core/ports/mock-app.ts';
import { CountingIds } from './counting-ids.ts';
import { LastingJournal } from './lasting-journal.ts';
import { component, ListedComponents } from './listed-components.ts';
import { ManualClock } from './manual-clock.ts';
import { OneLife } from './one-life.ts';
import { ScriptedApp } from './scripted-app.ts';

export interface StandOptions {
  /** Ids of the apps; the first is the default one. */
  readonly apps?: readonly string[];
  readonly profile?: ProfileName;
  readonly journal?: LastingJournal;
  readonly appApiToken?: string;
  readonly random?: () => number;
  /** Instead of the 64 MiB, which take seconds to fill. */
  readonly bodyBudgetBytes?: number;
  /** Memory for all unfinished messages; default: no limit. */
  readonly backlogMemoryBytes?: number;
  /** Default: large messages take no turns. */
  readonly nextTurn?: (run: () => void) => void;
  readonly mock?: (appId: string) => MockApp | undefined;
  readonly hostNames?: HostNames;
}

export interface PublishMore {
  /** Bytes instead of the data. */
  readonly body?: Uint8Array;
  readonly appId?: string;
  readonly pubsubname?: string;
  readonly contentType?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly misplacedTtl?: string;
}

class CountedSettings extends Settings {
  listeners = 0;

  override onChange(changed: (key: string) => void): () => void {
    const remove = super.onChange(changed);
    this.listeners += 1;
    return () => {
      this.listeners -= 1;
      remove();
    };
  }
}

export class Stand {
  readonly clock = new ManualClock();
  readonly ids = new CountingIds();
  journal: LastingJournal;
  readonly settings = new CountedSettings(new Map(), new Map());
  readonly components: ListedComponents;
  readonly lines: LogEntry[] = [];
  readonly events: ConsoleEvent[] = [];
  readonly apps = new Map<string, ScriptedApp>();
  readonly #options: StandOptions;
  #runtime: Runtime | undefined;
  #life: OneLife | undefined;

  constructor(options: StandOptions = {}) {
    this.#options = options;
    this.journal = options.journal ?? new LastingJournal();
    this.components = new ListedComponents({
      clock: this.clock,
      log: { write: () => undefined },
      profile: PROFILES[options.profile ?? 'sidecar'],
    });
    for (const [i, appId] of (options.apps ?? ['app']).entries()) {
      this.apps.set(appId, new ScriptedApp(this.clock, `http://app.test:${6001 + i}`));
    }
  }

  get runtime(): Runtime {
    if (this.#runtime === undefined) throw new Error('the runtime was not started');
    return this.#runtime;
  }

  /** The first app. */
  get app(): ScriptedApp {
    return this.appOf([...this.apps.keys()][0] ?? '');
  }

  appOf(appId: string): ScriptedApp {
    const app = this.apps.get(appId);
    if (app === undefined) throw new Error(`there is no app ${appId}`);
    return app;
  }

  /** Starts a runtime over what is there; a second call is the next start of the program. */
  async start(): Promise<this> {
    const {
      profile = 'sidecar',
      appApiToken,
      random = () => 0.5,
      mock,
      bodyBudgetBytes,
      backlogMemoryBytes,
      nextTurn,
      hostNames,
    } = this.#options;
    const life = new OneLife();
    this.#life = life;
    this.journal = this.journal.reopened();
    this.components.restarted();
    const { lines } = this;
    this.#runtime = createRuntime({
      clock: life.clock(this.clock),
      ids: this.ids,
      random: { next: random },
      codec: bufferCodec,
      profile: PROFILES[profile],
      settings: this.settings,
      journal: this.journal,
      log: {
        write: (level, part, text, fields = {}) =>
          void (life.isOver || lines.push({ at: '', level, part, text, ...fields })),
      },
      components: this.components,
      apps: [...this.apps].map(([appId, channel]) => {
        const mocked = mock?.(appId);
        return { appId, channel: life.channel(channel), ...(mocked === undefined ? {} : { mock: mocked }) };
      }),
      version: '0.0.0-test',
      ...withoutUndefined({ appApiToken, bodyBudgetBytes, backlogMemoryBytes, nextTurn, hostNames }),
    });
    this.runtime.events.onEvent((event) => void (life.isOver || this.events.push(event.read())));
    for (const appId of this.apps.keys()) this.runtime.listening(appId, `http://sidecar.test/${appId}`);
    await this.runtime.start();
    await this.settle();
    return this;
  }

  /** Stops with no time for calls to end, unless some is given. */
  async stop(graceMs = 0): Promise<void> {
    const stopped = this.runtime.stop(graceMs);
    let done = false;
    void stopped.then(() => (done = true));
    while (!done) {
      await this.settle();
      if (!done) this.clock.advance(5);
    }
    await stopped;
  }

  /** The process ends in the middle of what it does: nothing is written, called or awaited any more. */
  crash(): void {
    this.#life?.end();
    this.journal.isCut = true;
  }

  /** Lets everything happen that needs no time to pass, searches of the journal included, however many turns they take. */
  async settle(): Promise<void> {
    for (let turns = 2; turns > 0; turns -= 1) {
      await setImmediate();
      if (this.journal.isSearching) turns = 3;
    }
  }

  /** Lets time pass, timer by timer, with everything that follows from each. */
  async pass(ms: number): Promise<void> {
    await this.settle();
    const end = this.clock.now() + ms;
    for (;;) {
      const { nextDue } = this.clock;
      if (nextDue === undefined || nextDue > end) break;
      this.clock.advance(Math.max(0, nextDue - this.clock.now()));
      await this.settle();
    }
    this.clock.advance(end - this.clock.now());
    await this.settle();
  }

  /** Lets time pass until long work is done, which takes several turns of the event loop. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => void (isDone = true);
    work.then(done, done);
    while (!isDone) await this.pass(1);
    return work;
  }

  /** Publishes through the sidecar of an app; gives the message's id. */
  async publish(topic: string, data: unknown = 'hello', more: PublishMore = {}): Promise<string> {
    const { appId = [...this.apps.keys()][0] ?? '', pubsubname = 'pubsub', metadata = {}, ...rest } = more;
    const isText = typeof data === 'string';
    const { messageId } = await this.runtime.sidecar(appId).publish({
      pubsubname,
      topic,
      body: isText ? data : JSON.stringify(data),
      contentType: isText ? 'text/plain' : 'application/json',
      metadata,
      source: 'http',
      ...rest,
    });
    await this.settle();
    return messageId;
  }

  message(messageId: string): Promise<MessageDetail> {
    return this.runtime.messages.detail(messageId);
  }

  /** The only delivery of a message. */
  async delivery(messageId: string): Promise<Delivery> {
    const { deliveries } = await this.message(messageId);
    const [first] = deliveries;
    if (first === undefined || deliveries.length !== 1)
      throw new Error(`message ${messageId} has ${deliveries.length} deliveries`);
    return first;
  }

  /** States of a message's deliveries. */
  async states(messageId: string): Promise<DeliveryState[]> {
    return (await this.message(messageId)).deliveries.map(({ state }) => state);
  }

  /** The way of the only delivery, as `state rule (cause)` per transition. */
  async way(messageId: string): Promise<string[]> {
    return (await this.delivery(messageId)).transitions.map(describeTransition);
  }

  /** Sets a setting as a person does. */
  set(key: string, value: unknown): void {
    this.settings.set(key, value);
  }

  /** Log lines of a level and above. */
  logged(level: 'warn' | 'error'): string[] {
    return this.lines
      .filter((line) => line.level === 'error' || line.level === level)
      .map(({ text }) => text);
  }
}

function describeTransition({ to, rule, cause }: Transition): string {
  return `${to} ${rule} (${cause})`;
}

/** A stand whose apps subscribe to `orders` at `/orders`, started, and stopped after the test. */
export async function started(
  options: StandOptions = {},
  prepare: (stand: Stand) => void = (stand) => subscribe(stand, { topic: 'orders', route: '/orders' }),
): Promise<Stand> {
  const stand = new Stand(options);
  prepare(stand);
  await stand.start();
  onTestFinished(() => stand.stop());
  return stand;
}

/** Every app of the stand subscribes so from its next discovery on. */
export function subscribe(stand: Stand, ...subscriptions: readonly object[]): void {
  for (const app of stand.apps.values()) {
    app.subscriptions = subscriptions.map((one) => ({ pubsubname: 'pubsub', ...one }));
  }
}

/** The component is there again, served from memory. */
export async function componentBack(stand: Stand): Promise<void> {
  stand.components.own.delete('pubsub');
  stand.components.components = [component('pubsub', 'pubsub.in-memory')];
  await stand.runtime.resources.reload();
  await stand.settle();
}
