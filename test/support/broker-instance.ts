/** Starts the real runtime with a component on a real broker (Redis Streams by default), the machine's clock and scripted apps. */
import { setTimeout } from 'node:timers/promises';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import type { MessageDetail, MessageRow } from '../../core/contract/message.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { Settings } from '../../core/host/settings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { createRuntime } from '../../core/runtime/runtime.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { LastingJournal } from './lasting-journal.ts';
import { component, ListedComponents } from './listed-components.ts';
import { ScriptedApp } from './scripted-app.ts';

const POLL_INTERVAL_MS = 20;

export interface InstanceOptions {
  /** `host:port` of the Redis server, for the default component. */
  readonly redisHost?: string;
  /** Type and settings of another component. */
  readonly component?: { readonly type: string; readonly settings: Readonly<Record<string, string>> };
  /** Settings of a Redis component, besides `redisHost`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True: `start` resolves even if the component failed to start. */
  readonly evenFailed?: boolean;
  readonly apps?: readonly string[];
  readonly topic: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  readonly journal?: LastingJournal;
  readonly prepare?: (app: ScriptedApp, appId: string) => void;
}

export class Instance {
  readonly runtime: Runtime;
  readonly journal: LastingJournal;
  readonly apps: ReadonlyMap<string, ScriptedApp>;
  readonly #topic: string;

  private constructor(runtime: Runtime, journal: LastingJournal, apps: Instance['apps'], topic: string) {
    this.runtime = runtime;
    this.journal = journal;
    this.apps = apps;
    this.#topic = topic;
  }

  /** Resolves when every app subscribes to the topic. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const { settings = {}, apps: appIds = ['app'], topic, journal = new LastingJournal() } = options;
    const { clock = systemClock(), redisHost = '' } = options;
    const log = { write: () => undefined };
    const listed = new ListedComponents({ clock, log, profile: PROFILES.sidecar });
    const quick = { processingTimeout: '100ms', redeliverInterval: '30ms' };
    const made = options.component ?? {
      type: 'pubsub.redis',
      settings: { redisHost, ...quick, ...settings },
    };
    listed.components = [component('pubsub', made.type, made.settings)];
    const apps = new Map(appIds.map((appId) => [appId, new ScriptedApp(clock)]));
    for (const [appId, app] of apps) {
      app.subscriptions = [{ pubsubname: 'pubsub', topic, route: `/${topic}` }];
      options.prepare?.(app, appId);
    }
    const runtime = createRuntime({
      clock,
      ids: randomIds(),
      random: { next: () => 0.5 },
      codec: bufferCodec,
      profile: PROFILES.sidecar,
      settings: new Settings(new Map(), new Map()),
      journal,
      log,
      components: listed,
      apps: [...apps].map(([appId, channel]) => ({ appId, channel })),
      version: '0.0.0-test',
    });
    for (const appId of appIds) runtime.listening(appId, 'http://sidecar.test');
    await runtime.start();
    const instance = new Instance(runtime, journal, apps, topic);
    if (options.evenFailed !== true)
      await instance.when(() => runtime.topology.subscriptions().length === appIds.length);
    return instance;
  }

  app(appId = 'app'): ScriptedApp {
    const app = this.apps.get(appId);
    if (app === undefined) throw new Error(`there is no app ${appId}`);
    return app;
  }

  /** Publishes JSON to the topic; rejects where the publisher would get an error. */
  async publish(data: unknown): Promise<string> {
    const { messageId } = await this.runtime.publishByHand.one({
      pubsubname: 'pubsub',
      topic: this.#topic,
      body: JSON.stringify(data),
      contentType: 'application/json',
      metadata: {},
    });
    return messageId;
  }

  async rows(): Promise<readonly MessageRow[]> {
    const page = await this.journal.page({ order: 'oldest', limit: 500, nowMs: Date.now() });
    return page.items;
  }

  message(messageId: string): Promise<MessageDetail> {
    return this.runtime.messages.detail(messageId);
  }

  /** Resolves when it holds; asks again after every event of the runtime, and for what makes none, now and then. */
  async when(holds: () => boolean | Promise<boolean>): Promise<void> {
    let happened = (): void => undefined;
    const stop = this.runtime.events.onEvent(() => happened());
    try {
      for (;;) {
        const next = new Promise<void>((go) => (happened = go));
        if (await holds()) return;
        await Promise.race([next, setTimeout(POLL_INTERVAL_MS)]);
      }
    } finally {
      stop();
    }
  }

  /** Resolves when every delivery of every message here has ended, and there are so many. */
  async ended(deliveries: number): Promise<void> {
    await this.when(async () => {
      const all = (await this.rows()).flatMap((row) => row.deliveries);
      return all.length === deliveries && all.every(({ state }) => state === 'processed');
    });
  }

  stop(): Promise<void> {
    return this.runtime.stop(0);
  }
}

/** The data of every delivery an app was called with. */
export function dataOf(app: ScriptedApp): unknown[] {
  return app.calls.map((call) => call.json()['data']);
}
