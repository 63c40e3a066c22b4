/** Serves an app's subscriptions: merges those of the app and of the files, and opens and closes them at the components. */
import { onlyForText } from '../../contract/component-scopes.ts';
import type { Problem, Subscription } from '../../contract/subscription.ts';
import { clause, errorText } from '../../contract/error-text.ts';
import { theApp, theAppFirst } from '../../contract/app-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { topicMatches } from '../../contract/topic-pattern.ts';
import { maySubscribe } from '../../domain/access.ts';
import { compileRoutes } from '../../domain/routing.ts';
import { deliverySettings, mergeSubscriptions } from '../../domain/subscription.ts';
import type { BrokerSubscription, PubSub } from '../../ports/pubsub.ts';
import type { App, Lane } from '../state/app.ts';
import { BrokerGroups } from './broker-groups.ts';
import { noComponent, noUsable } from './connection-mistakes.ts';
import type { LastSubscription, LastSubscriptions } from './last-subscriptions.ts';
import type { Components, ReadyPubSub } from '../components/components.ts';
import { describeProblem } from '../components/declared.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { Intake } from '../delivering/intake.ts';
import { SubscriptionLane } from '../delivering/lane.ts';
import type { LaneWork } from '../delivering/lane.ts';
import { laneKey, laneName } from '../state/live.ts';
import type { LaneKey, LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { RefusedSubscriptions } from './refused-subscriptions.ts';

/** An alignment that takes less needs no rest after it. */
const LONG_MS = 5;
/** Subscriptions that are opened before others may have their turn, and the steps that they count as. */
const OPENED_AT_ONCE = 250;

export interface ServingDependencies {
  readonly components: Components;
  readonly intake: Intake;
  readonly acceptance: Pick<Acceptance, 'lastNumber'>;
  readonly lastSubscriptions: Pick<LastSubscriptions, 'note'>;
  readonly work: LaneWork;
}

interface Wanted {
  readonly subscription: Subscription;
  readonly ready: ReadyPubSub;
}

interface Opened {
  readonly pubsub: PubSub;
  readonly metadata: string;
  readonly broker: BrokerSubscription;
}

export class Serving {
  readonly #shared: SharedServices;
  readonly #deps: ServingDependencies;
  readonly #groups: BrokerGroups;
  readonly #opened = new Map<string, Opened>();
  readonly #refused: RefusedSubscriptions;
  /** Last alignment of each app; the next one follows it. */
  readonly #aligning = new Map<string, Promise<void>>();
  /** Alignments that have not begun, so that they still see every change. */
  readonly #waiting = new WeakMap<App, Promise<void>>();
  /** When the next alignment may begin, by the monotonic clock. */
  readonly #restUntilMs = new WeakMap<App, number>();
  #isClosed = false;

  constructor(shared: SharedServices, deps: ServingDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#groups = new BrokerGroups(shared);
    this.#refused = new RefusedSubscriptions(shared);
  }

  /** @param lastNumber number of the last message before this run */
  continueFrom(lastNumber: number): void {
    this.#groups.continueFrom(lastNumber);
  }

  /**
   * Brings the open subscriptions of an app in line with what is declared and discovered now. An alignment that waits for its turn serves
   * all callers until then: a client may open thousands of streams at the same time.
   */
  align(app: App): Promise<void> {
    const waiting = this.#waiting.get(app);
    if (waiting !== undefined) return waiting;
    const turn = this.#inTurn(app, async () => {
      await this.#rested(app);
      this.#waiting.delete(app);
      const { clock } = this.#shared;
      const beganMs = clock.monotonic();
      await this.#align(app);
      const endedMs = clock.monotonic();
      this.#restUntilMs.set(app, endedMs + (endedMs - beganMs));
    });
    this.#waiting.set(app, turn);
    return turn;
  }

  /** Resolves when the last alignment was as long ago as it took: with thousands of streams that leaves time for everything else. */
  async #rested(app: App): Promise<void> {
    const { clock } = this.#shared;
    const leftMs = (this.#restUntilMs.get(app) ?? 0) - clock.monotonic();
    if (leftMs >= LONG_MS) await new Promise<void>((go) => clock.at(clock.now() + leftMs, go));
  }

  #inTurn(app: App, work: () => Promise<void>): Promise<void> {
    const before = this.#aligning.get(app.appId) ?? Promise.resolve();
    // A failure of the earlier alignment is reported to its own caller; this one only has to wait for it.
    const now = before.catch(() => undefined).then(work);
    this.#aligning.set(app.appId, now);
    return now;
  }

  async #align(app: App): Promise<void> {
    if (this.#isClosed) return;
    // An app that is being removed has no subscriptions, whatever a file or a late discovery answer says.
    const merged = mergeSubscriptions(
      app.isRemoved ? [] : app.programmatic,
      app.isRemoved ? [] : app.declared,
    );
    const rows: App['rows'][number][] = [];
    const wanted = new Map<string, Wanted>();
    const streams = app.isRemoved ? [] : [...app.streams.all].map(({ subscription }) => subscription);
    for (const subscription of [...merged.subscriptions, ...streams]) {
      const ready = this.#deps.components.pubsub(app.appId, subscription.pubsubname);
      if (ready === undefined) {
        const reason = this.#whyUnserved(app, subscription.pubsubname);
        rows.push({ subscription, state: 'inert', reason });
      } else if (!maySubscribe(ready.scopes, app.appId, subscription.topic)) {
        const reason = `${theAppFirst(app.appId)} may not subscribe to topic ${subscription.topic} of ${subscription.pubsubname}.`;
        this.#shared.log.write('warn', 'subscriptions', reason);
        rows.push({ subscription, state: 'forbidden', reason });
      } else {
        rows.push(servedRow(app, subscription));
        wanted.set(laneName(laneKey({ appId: app.appId, subscription })), { subscription, ready });
      }
    }
    for (const problem of merged.problems)
      this.#shared.log.write('warn', 'subscriptions', `${app.appId}: ${describeProblem(problem)}`);
    app.serve(rows, [...this.#componentsMissing(app, merged.subscriptions), ...merged.problems]);
    this.#refused.forget(app.lanes.keys());
    const ending = [...app.lanes].filter(([name, lane]) => lane.active !== undefined && !wanted.has(name));
    for (const [, lane] of ending) {
      lane.active = undefined;
      lane.channel = undefined;
      lane.standing = 'ended';
    }
    await this.#unsubscribe(new Set(ending.map(([name]) => name)));
    for (const [, lane] of ending) lane.pump();
    removeIdle(app);
    this.#noteServed(app, wanted.values());
    let called = 0;
    for (const [name, { subscription, ready }] of wanted) {
      if (this.#isServed(app, name, subscription, ready)) continue;
      // A component in this process opens each at once, and an app may report thousands.
      if (subscription.source !== 'streaming' && ++called % OPENED_AT_ONCE === 0)
        await this.#shared.turns.room(OPENED_AT_ONCE);
      if (this.#isClosed) return;
      await this.#open(app, name, subscription, ready);
    }
    this.#shared.signals.emit('aligned', app);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Notes the subscriptions at components that keep nothing for a subscriber: the next start knows these by the note only. */
  #noteServed(app: App, wanted: Iterable<Wanted>): void {
    const { protocol } = app.channel;
    const kept: LastSubscription[] = [];
    for (const { subscription, ready } of wanted) {
      if (ready.pubsub.features.redelivers) continue;
      const isCalled = subscription.source !== 'streaming' && protocol !== undefined;
      kept.push(isCalled ? { subscription, protocol } : { subscription });
    }
    this.#deps.lastSubscriptions.note(app.appId, kept);
  }

  /** Why nothing of a component reaches an app: it is not ready, it is only for other apps, or there is none of that name. */
  #whyUnserved({ appId }: App, pubsubname: string): string {
    const { components } = this.#deps;
    const reason = components.notReady(appId, pubsubname);
    if (reason !== undefined) return `Component ${pubsubname} is not ready: ${clause(reason)}.`;
    const others = components.onlyForOthers(appId, pubsubname);
    return others === undefined
      ? noUsable(pubsubname, this.#loadedFor(appId))
      : `Component ${pubsubname} is ${onlyForText(others, appId)}.`;
  }

  /** Names of the components that the app may use. */
  #loadedFor(appId: string): readonly string[] {
    return this.#deps.components.pubsubs(appId).map(({ name }) => name);
  }

  /** Problems about components that subscriptions name and that the app has not, each logged once as long as it lasts. */
  #componentsMissing(app: App, subscriptions: readonly Subscription[]): readonly Problem[] {
    const { components } = this.#deps;
    const topics = new Map<string, Set<string>>();
    const ofList = new Set<string>();
    for (const { pubsubname, topic, source } of subscriptions) {
      if (source === 'programmatic') ofList.add(pubsubname);
      const isThere = components.pubsub(app.appId, pubsubname) ?? components.notReady(app.appId, pubsubname);
      if (isThere === undefined) topics.set(pubsubname, (topics.get(pubsubname) ?? new Set()).add(topic));
    }
    const loaded = this.#loadedFor(app.appId);
    const problems = [...topics].map(([pubsubname, of]) =>
      noComponent(
        app.appId,
        {
          pubsubname,
          topics: [...of],
          others: components.onlyForOthers(app.appId, pubsubname),
          ofList: ofList.has(pubsubname),
        },
        loaded,
      ),
    );
    for (const { message } of problems) {
      const isNew = !app.mergeProblems.some((before) => before.message === message);
      if (isNew) this.#shared.log.write('warn', 'subscriptions', message);
    }
    return problems;
  }

  /** Lane of a subscription; creates a missing one (deliveries from before a restart). */
  lane(app: App, key: LaneKey): Lane {
    const name = laneName(key);
    let lane = app.lanes.get(name);
    if (lane === undefined) {
      lane = new SubscriptionLane(
        {
          appId: key.appId,
          pubsubname: key.pubsubname,
          topic: key.topic,
          ...withoutUndefined({ stream: key.stream }),
        },
        app,
        undefined,
        this.#shared,
        this.#deps.work,
      );
      app.lanes.set(name, lane);
    }
    return lane;
  }

  laneOf(app: App, d: LiveDelivery): Lane {
    // The counted lane name is a fast key, but does not tell the streams of a topic apart.
    const known = d.subscription.source === 'streaming' ? undefined : app.lanes.get(d.counted.lane);
    return known ?? this.lane(app, laneKey(d));
  }

  /** Lanes of the app whose subscription includes this topic now. */
  matching(app: App, pubsubname: string, topic: string): readonly Lane[] {
    return [...app.lanes.values()].filter(
      (lane) =>
        lane.active !== undefined &&
        lane.key.pubsubname === pubsubname &&
        topicMatches(lane.key.topic, topic),
    );
  }

  /** Unsubscribes from components that are about to be closed. Open deliveries continue; the next alignment subscribes again. */
  async suspend(components: ReadonlySet<string>, apps: Iterable<App>): Promise<void> {
    await this.#unsubscribe(namesOf(apps, ({ pubsubname }) => components.has(pubsubname)));
  }

  /** Closes all subscriptions for good. */
  async close(apps: Iterable<App>): Promise<void> {
    this.#isClosed = true;
    for (const app of apps) this.#refused.forget(app.lanes.keys());
    await this.#unsubscribe(namesOf(apps, () => true));
  }

  /** Whether a subscription is open already, with nothing about it changed; then only its queue is looked at. */
  #isServed(app: App, name: string, subscription: Subscription, ready: ReadyPubSub): boolean {
    const lane = app.lanes.get(name);
    const isSame =
      lane?.active?.subscription === subscription &&
      this.#opened.get(name)?.pubsub === ready.pubsub &&
      lane.channel === app.streams.channelOf(subscription) &&
      (lane.standing === 'served' || !hasWay(lane));
    if (!isSame) return false;
    if (lane.channel !== undefined) lane.standing = 'served';
    lane.pump();
    return true;
  }

  async #open(app: App, name: string, subscription: Subscription, ready: ReadyPubSub): Promise<void> {
    const lane = this.lane(app, laneKey({ appId: app.appId, subscription }));
    lane.active = {
      subscription,
      routes: compileRoutes(subscription),
      // Deliveries of a stream go only to streams, not to a called app.
      settings: deliverySettings(
        subscription,
        subscription.source === 'streaming' ? undefined : app.channel.protocol,
      ),
    };
    lane.channel = app.streams.channelOf(subscription);
    if (lane.standing === 'ended' && hasWay(lane)) lane.standing = 'opening';
    const metadata = JSON.stringify(subscription.metadata);
    const now = this.#opened.get(name);
    if (now !== undefined && now.pubsub === ready.pubsub && now.metadata === metadata) {
      // A new stream takes over from a lost one; meanwhile the component's subscription stayed open.
      if (lane.channel !== undefined) lane.standing = 'served';
      lane.pump();
      return;
    }
    if (now !== undefined) await this.#unsubscribe(new Set([name]));
    const { redelivers, keepsHistory } = ready.pubsub.features;
    const { intake, acceptance } = this.#deps;
    try {
      const since = redelivers ? await this.#since(lane) : undefined;
      const { lastNumber } = acceptance;
      const broker = await ready.pubsub.subscribe(
        subscription.topic,
        {
          group: groupOf(lane, redelivers),
          metadata: subscription.metadata,
          // The group is known from an earlier run: if the broker reports it as new, the broker has lost it with its waiting messages.
          ...(typeof since === 'number' ? { onNew: () => void this.#goOn(app, lane, since) } : {}),
          onLost: (messageIds) => void intake.takeLost(app, lane, messageIds),
        },
        (inbound) => intake.take(app, lane, inbound, redelivers),
      );
      this.#opened.set(name, { pubsub: ready.pubsub, metadata, broker });
      this.#refused.forget([name]);
      app.changeRow(servedRow(app, subscription));
      // A stream may have been lost meanwhile.
      lane.standing = hasWay(lane) ? 'served' : 'ended';
      if (!redelivers) void this.#noted(lane, this.#groups.forget(lane.key));
      // A group that does not start at the beginning of the topic does not have to receive messages published before it subscribed.
      else if (since === undefined)
        void this.#noted(lane, this.#groups.note(lane.key, keepsHistory ? undefined : lastNumber));
      lane.pump();
    } catch (error) {
      this.#wasRefused(app, name, subscription, error);
      lane.standing = 'ended';
      lane.pump();
    }
  }

  /** Plans the next attempt: the component is ready, so no event would start one, and the refusal may be temporary. */
  #wasRefused(app: App, name: string, subscription: Subscription, error: unknown): void {
    const reason = errorText(error);
    const row = {
      subscription,
      state: 'inert',
      reason: `The component refused the subscription: ${clause(reason)}.`,
    } as const;
    if (this.#isClosed) {
      app.changeRow(row);
      return;
    }
    const { tries, nextTryMs, isNews } = this.#refused.refused(name, reason, () => {
      void this.#inTurn(app, () => this.#openAgain(app, name, subscription));
    });
    app.changeRow({ ...row, failedTries: tries, nextTryMs });
    if (!isNews) return;
    this.#shared.log.write(
      'error',
      'subscriptions',
      `Subscribing ${theApp(app.appId)} to ${subscription.topic} failed: ${clause(reason)}. Sidelight tries again.`,
    );
  }

  /** Opens a refused subscription, unless an alignment has opened all of them meanwhile. */
  async #openAgain(app: App, name: string, subscription: Subscription): Promise<void> {
    const ready = this.#deps.components.pubsub(app.appId, subscription.pubsubname);
    const isWanted = app.rows.some((row) => row.subscription === subscription && row.state === 'inert');
    if (this.#isClosed || !isWanted || ready === undefined) return;
    await this.#open(app, name, subscription, ready);
    this.#shared.signals.emit('aligned', app);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /**
   * Number of the last message that the lane's group does not have to receive; `unknown`: it could not be read, and the app is served
   * anyway.
   */
  async #since(lane: Lane): Promise<number | 'unknown' | undefined> {
    const since = this.#groups.since(lane.key);
    await this.#noted(lane, since);
    return since.catch(() => 'unknown' as const);
  }

  /** Logs a failure of the work. Never rejects. */
  async #noted({ key }: Lane, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const reason = errorText(error);
      this.#shared.log.write(
        'error',
        'subscriptions',
        `Sidelight could not read whether ${key.pubsubname} had a group of ${key.appId} on ${key.topic}: ${reason}. If the group was lost, its waiting messages stay in the history and are not delivered.`,
      );
    }
  }

  async #goOn(app: App, lane: Lane, since: number): Promise<void> {
    try {
      await this.#deps.intake.takeLost(app, lane, await this.#groups.neverReceived(lane.key, since));
    } catch (error) {
      const reason = errorText(error);
      this.#shared.log.write(
        'error',
        'components',
        `${lane.key.pubsubname} has lost the group of ${app.appId} on ${lane.key.topic}, and Sidelight could not read its waiting messages from the history: ${reason}`,
      );
    }
  }

  async #unsubscribe(names: ReadonlySet<string>): Promise<void> {
    const open = [...names].flatMap((name) => this.#opened.get(name)?.broker ?? []);
    if (open.length === 0) return;
    for (const name of names) this.#opened.delete(name);
    this.#redeliverLater(names);
    await Promise.all(open.map((broker) => broker.close()));
  }

  /** Tells the component not to wait for open deliveries: the journal has them, and a later delivery by the broker joins them. */
  #redeliverLater(names: ReadonlySet<string>): void {
    for (const d of this.#shared.live.deliveries()) {
      if (d.onEnd.length > 0 && names.has(laneName(laneKey(d)))) d.reportEnd('redeliver');
    }
  }
}

/** Name of the lane's group. Streams share a broker's group with their app; in memory each stream gets its own copy. */
function groupOf({ key: { appId, stream } }: Lane, redelivers: boolean): string {
  return redelivers || stream === undefined ? appId : `${appId}\nstream ${stream}`;
}

/**
 * Forgets idle lanes: an app may subscribe to new topics as long as it runs. The lanes of a topic's streams have numbers without a gap, so
 * they stay as long as there is a stream.
 */
function removeIdle(app: App): void {
  const streamed = new Set([...app.streams.all].map(({ subscription }) => topicOf(subscription)));
  for (const [name, lane] of app.lanes) {
    const isNumbered = lane.key.stream !== undefined && streamed.has(topicOf(lane.key));
    if (!isNumbered && lane.isIdle) app.lanes.delete(name);
  }
}

function topicOf({ pubsubname, topic }: Pick<LaneKey, 'pubsubname' | 'topic'>): string {
  return `${pubsubname}\n${topic}`;
}

function hasWay(lane: Lane): boolean {
  return lane.key.stream === undefined || lane.channel !== undefined;
}

function servedRow(app: App, subscription: Subscription): App['rows'][number] {
  if (subscription.source !== 'streaming' || app.streams.channelOf(subscription) !== undefined)
    return { subscription, state: 'active' };
  const reason = 'Its stream was lost. What is published waits for the next stream.';
  return { subscription, state: 'inert', reason };
}

function namesOf(apps: Iterable<App>, isMeant: (key: LaneKey) => boolean): ReadonlySet<string> {
  const lanes = [...apps].flatMap((app) => [...app.lanes.values()]);
  return new Set(lanes.filter(({ key }) => isMeant(key)).map(({ key }) => laneName(key)));
}
