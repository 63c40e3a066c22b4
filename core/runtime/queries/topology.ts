/** Loaded and served topics, subscriptions, components and apps, with counts. */
import type { OnlyForOthers } from '../../contract/component-scopes.ts';
import { UNFINISHED_STATES } from '../../contract/delivery.ts';
import type { RouteExplanation } from '../../contract/console.ts';
import type {
  AppRow,
  ComponentRow,
  DiscoveryState,
  MissingRoute,
  Problem,
  Subscription,
  SubscriptionRow,
  TopicRow,
} from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isTopicPattern, topicMatches } from '../../contract/topic-pattern.ts';
import { readRule } from '../../domain/routing.ts';
import type { App } from '../state/app.ts';
import type { Components } from '../components/components.ts';
import { healthOf, type Health } from './health.ts';
import type { OnReference } from './on-reference.ts';
import { RouteExplainer } from './route-explainer.ts';
import type { RouteQuestion } from './route-explainer.ts';
import { Subscribers } from './subscribers.ts';
import { noApp } from '../state/not-found.ts';
import { countedAs } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { unusedTopic } from '../telemetry/metrics.ts';
import type { TopicMetrics } from '../telemetry/metrics.ts';
import { iso } from '../time/time.ts';

interface Listed {
  readonly row: SubscriptionRow;
  readonly subscription: Subscription;
}

export interface TopologyDependencies {
  readonly apps: () => readonly App[];
  readonly components: Components;
  readonly health: Health;
  readonly onReference: OnReference;
  readonly problemsOf: (app: App) => readonly Problem[];
}

export class Topology {
  readonly #shared: SharedServices;
  readonly #apps: () => readonly App[];
  readonly #components: Components;
  readonly #health: Health;
  readonly #onReference: OnReference;
  readonly #routes: RouteExplainer;
  readonly #problemsOf: TopologyDependencies['problemsOf'];

  constructor(
    shared: SharedServices,
    { apps, components, health, onReference, problemsOf }: TopologyDependencies,
  ) {
    this.#shared = shared;
    this.#problemsOf = problemsOf;
    this.#apps = apps;
    this.#components = components;
    this.#health = health;
    this.#onReference = onReference;
    this.#routes = new RouteExplainer(shared);
  }

  topics(): readonly TopicRow[] {
    const { metrics, clock } = this.#shared;
    const now = clock.now();
    const all = this.#rows();
    const subscribers = new Subscribers(all.filter((row) => row.state === 'active'));
    // Events of a binding are sent to its app, not to a topic.
    const used = metrics.topics().filter(({ pubsubname }) => !this.#components.isBinding(pubsubname));
    return [...used, ...unusedOf(all, used)].map((of): TopicRow => {
      const subscribed = subscribers.of(of);
      const latency = of.durations.latency();
      const deadLetterTopic = subscribed.find((row) => row.deadLetterTopic !== undefined)?.deadLetterTopic;
      return {
        pubsubname: of.pubsubname,
        topic: of.topic,
        apps: [...new Set(subscribed.map((row) => row.appId))],
        subscriptions: subscribed.length,
        published: of.published,
        counts: { ...of.states.shown(), ...(of.none === 0 ? {} : { none: of.none }) },
        ...(of.replayed === 0 ? {} : { replayed: of.replayed }),
        rate: of.perSecond.rate(now),
        perSecond: of.perSecond.all(now),
        ...(of.lastMs === undefined ? {} : { lastAt: iso(of.lastMs) }),
        ...withoutUndefined({ latency }),
        bulk: subscribed.some((row) => row.bulk !== undefined),
        ...withoutUndefined({ deadLetterTopic }),
        ...(of.taps.size === 0 ? {} : { taps: [...of.taps], isOurs: of.isOurs }),
      };
    });
  }

  subscriptions(appId?: string): readonly SubscriptionRow[] {
    const { live, metrics } = this.#shared;
    const hintsOf = this.#onReference.now();
    const rows = this.#listed(appId).map((listed) => ({ ...listed, lane: laneOf(listed.row) }));
    const behind = rows.flatMap(({ lane }) => ((metrics.lagOf(lane)?.unfinished ?? 0) > 0 ? lane : []));
    const oldest = live.oldestIn(UNFINISHED_STATES, new Set(behind));
    const isCalled = rows.some(({ row }) => (row.counts.attempting ?? 0) > 0);
    const answers = isCalled ? live.heldAnswers() : undefined;
    const waiting = isCalled ? this.#asked() : undefined;
    return rows.map(({ row, subscription, lane }) => {
      const onReference = hintsOf(subscription);
      const lag = metrics.lagOf(lane);
      const oldestAt = oldest.get(lane);
      const held = (row.counts.held ?? 0) + (answers?.get(lane) ?? 0) || undefined;
      const asked = waiting?.get(lane);
      return {
        ...row,
        ...(lag === undefined ? {} : { lag: { ...lag, ...withoutUndefined({ held, asked, oldestAt }) } }),
        ...(onReference.length === 0 ? {} : { onReference }),
      };
    });
  }

  /** Number of deliveries whose call waits for the answer of a person, by lane. */
  #asked(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const { mock } of this.#apps())
      for (const { attemptId } of mock?.waiting() ?? [])
        for (const { counted } of this.#shared.live.ofAttempt(attemptId))
          found.set(counted.lane, (found.get(counted.lane) ?? 0) + 1);
    return found;
  }

  /** Rows without hints, for callers that only count them. */
  #rows(): readonly SubscriptionRow[] {
    return this.#listed().map(({ row }) => row);
  }

  /** Subscriptions with their rows. The subscription object is the key of cached facts about it. */
  #listed(appId?: string): readonly Listed[] {
    return this.#apps()
      .filter((app) => appId === undefined || app.appId === appId)
      .flatMap((app) =>
        app.rows.map(({ subscription, state, reason, failedTries, nextTryMs }): Listed => {
          const { rawPayload, rules, ...rest } = subscription;
          const row: SubscriptionRow = {
            ...rest,
            rules: rules.map(readRule),
            rawPayload: rawPayload ?? null,
            state: rawPayload === undefined ? 'invalid' : state,
            ...(rawPayload === undefined
              ? { reason: 'The value of rawPayload could not be read.' }
              : reason === undefined
                ? {}
                : { reason }),
            ...withoutUndefined({ failedTries }),
            ...(nextTryMs === undefined ? {} : { nextTryAt: iso(nextTryMs) }),
            counts: this.#shared.metrics.ofLane(
              countedAs(subscription.topic, { appId: app.appId, subscription }).lane,
            ),
            ...missingIn(app, subscription),
          };
          return { row, subscription };
        }),
      );
  }

  components(): readonly ComponentRow[] {
    const all = this.#rows();
    return this.#components.rows(
      (name) => all.filter((row) => row.pubsubname === name && row.state === 'active').length,
    );
  }

  /** Rows of the components that could not be started, or have lost their server. Their subscriptions are not counted: it is asked for often. */
  brokenComponents(): readonly ComponentRow[] {
    return this.#components
      .rows(() => 0)
      .filter(({ state, lost }) => state === 'failed' || lost !== undefined);
  }

  /** Rows of all apps, or of one, with a row for each instance. */
  apps(appId?: string): readonly AppRow[] {
    const asked = this.#apps().filter((app) => appId === undefined || app.appId === appId);
    return asked.flatMap((app) => {
      const common = {
        appId: app.appId,
        ...healthOf(this.#health.report(app)),
        discovery: app.discovery,
        problems: this.#problemsOf(app),
      };
      const instances = app.channel.instances ?? [{ url: app.channel.url, open: true }];
      return instances.map(({ url, open }, i): AppRow => {
        const probe = app.probes[i];
        return {
          ...common,
          sidecar: app.sidecars[i] ?? '',
          ...withoutUndefined({ grpc: app.grpcAddresses[i] }),
          ...(app.asksForToken ? { asksForToken: true } : {}),
          ...(url === '' ? {} : { app: url, ...withoutUndefined({ addressFrom: app.addressesFrom[i] }) }),
          protocol: app.channel.protocol ?? 'http',
          mock: app.mock?.url === url,
          ...(app.mock === undefined || app.channel.instances !== undefined ? {} : { mockUrl: app.mock.url }),
          ...(app.added ? { added: true } : {}),
          channel: open || app.reached !== 'answering' ? app.reached : 'not-reachable',
          ...withoutUndefined({ appHealth: probe }),
        };
      });
    });
  }

  /** Address of each app's first sidecar by app id; '' while it is not open. No row is built for it. */
  sidecars(): ReadonlyMap<string, string> {
    return new Map(this.#apps().map((app) => [app.appId, app.sidecars[0] ?? '']));
  }

  /** Problems of each app, with its last discovery. No row is built for it, so that it can be looked at every second. */
  problems(): readonly Pick<AppRow, 'appId' | 'discovery' | 'problems'>[] {
    return this.#apps().map((app) => ({
      appId: app.appId,
      discovery: app.discovery,
      problems: this.#problemsOf(app),
    }));
  }

  /** Result of each app's last discovery. */
  discoveries(): readonly ({ appId: string } & DiscoveryState)[] {
    return this.#apps().map((app) => ({ appId: app.appId, ...app.discovery }));
  }

  /** What leaves an app out of the pub/sub component of that name; undefined: nothing. */
  onlyForOthers(appId: string, name: string): readonly OnlyForOthers[] | undefined {
    return this.#components.onlyForOthers(appId, name);
  }

  /** Explains every subscription to the topic, rule by rule; nothing is sent. Rejects with Refusal NOT_FOUND for an unknown app. */
  async explain(request: RouteQuestion & { readonly appId?: string }): Promise<readonly RouteExplanation[]> {
    const { appId, pubsubname, topic } = request;
    if (appId !== undefined && !this.#apps().some((app) => app.appId === appId)) throw noApp(appId);
    const hintsOf = this.#onReference.now();
    const asked = this.#listed(appId)
      .filter(({ row }) => row.pubsubname === pubsubname && topicMatches(row.topic, topic))
      .map(({ row, subscription }) => ({ row, subscription, onReference: hintsOf(subscription) }));
    return this.#routes.explain(asked, request);
  }
}

/** Subscribed topics without any message. Reading them creates no counters. */
function unusedOf(rows: readonly SubscriptionRow[], used: readonly TopicMetrics[]): readonly TopicMetrics[] {
  const known = new Set(used.map(topicKey));
  return rows.flatMap((row) => {
    const key = topicKey(row);
    if (isTopicPattern(row.topic) || known.has(key)) return [];
    known.add(key);
    return unusedTopic(row.pubsubname, row.topic);
  });
}

/** Routes of a subscription that the app does not serve, in the order of the answers. */
function missingIn(
  { appId, routeAnswers }: App,
  subscription: Subscription,
): { readonly missingRoutes?: readonly MissingRoute[] } {
  const missing = routeAnswers.missing(countedAs(subscription.topic, { appId, subscription }).lane);
  if (missing.length === 0) return {};
  return { missingRoutes: missing.map(({ path, answer, times }) => ({ path, answer, times })) };
}

function laneOf({ appId, ...subscription }: SubscriptionRow): string {
  return countedAs(subscription.topic, { appId, subscription }).lane;
}

function topicKey({ pubsubname, topic }: { readonly pubsubname: string; readonly topic: string }): string {
  return `${pubsubname}\n${topic}`;
}
