/**
 * Deliveries that keep a route which their subscription no longer has: the app was replaced by another one, or lists other routes now. They
 * are found each time an app was asked or a file has changed its subscriptions, and counted until they have ended.
 */
import type { DeliveryState } from '../../contract/delivery.ts';
import { UNFINISHED_STATES } from '../../contract/delivery.ts';
import type { DeliveriesAt, Problem } from '../../contract/subscription.ts';
import { pathsOf } from '../../contract/route-paths.ts';
import type { App } from '../state/app.ts';
import { laneName } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import type { NotedEvent } from '../api.ts';
import { LeftOfApp } from './left-deliveries.ts';
import { ProblemNews } from './problem-news.ts';
import { oldRoute } from './route-mistakes.ts';

const OPEN: ReadonlySet<DeliveryState | null> = new Set([...UNFINISHED_STATES, 'parked']);

/** Routes of an app that are named. */
const MAX_NAMED = 20;

/** Interval at which the deliveries are counted while deliveries change. */
const COUNT_EVERY_MS = 1000;

/** Deliveries of one app with an old route. */
interface Left {
  readonly deliveries: LeftOfApp;
  /** Number of which clients know. */
  known: number;
}

export class OldRoutes {
  readonly #shared: SharedServices;
  readonly #news: ProblemNews;
  readonly #left = new Map<App, Left>();
  /** The subscriptions of each app at the last look. */
  readonly #seen = new WeakMap<App, Pick<App, 'programmatic' | 'declared'>>();
  /** Ends listening to changes of deliveries; undefined: none has an old route. */
  #stopListening: (() => void) | undefined;
  #isDue = false;

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#news = new ProblemNews(shared);
    shared.signals.on('discovered', (app) => this.#find(app, app.listedBefore?.isMock === true));
    shared.signals.on('aligned', (app) => this.#aligned(app));
    shared.signals.on('rerouted', (d) => this.#onRerouted(d));
  }

  /** The present problems of an app. */
  problems(app: App): readonly Problem[] {
    const groups = this.#left.get(app)?.deliveries.groups ?? [];
    return groups.slice(0, MAX_NAMED).map((group) => oldRoute(app, group));
  }

  /** Ids of the deliveries that keep this route. */
  deliveriesAt(app: App, { pubsubname, topic, path }: Omit<DeliveriesAt, 'appId'>): readonly string[] {
    const left = this.#left.get(app);
    if (left === undefined) return [];
    removeEnded(left);
    return [...left.deliveries].flatMap(([{ deliveryId, subscription }, kept]) => {
      const { pubsubname: component, topic: subscribed } = subscription;
      return component === pubsubname && subscribed === topic && kept.path === path ? [deliveryId] : [];
    });
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#left.clear();
  }

  /** A file may have given the app other subscriptions; while the app is asked, its answer is waited for. */
  #aligned(app: App): void {
    const seen = this.#seen.get(app);
    const isSame = seen?.programmatic === app.programmatic && seen.declared === app.declared;
    // Each stream that opens comes here too, and changes no route.
    if (app.discovered && !app.asking && !isSame) this.#find(app, false);
  }

  /** @param isOfMock whether the mock app listed the subscriptions that came before */
  #find(app: App, isOfMock: boolean): void {
    // What an app subscribes to that never gave a list is not known, and without a component it was not asked. After a failed discovery the
    // earlier subscriptions stay.
    if (app.listedBy === undefined || app.unasked || app.isRemoved) return;
    const { programmatic, declared } = app;
    this.#seen.set(app, { programmatic, declared });
    const before = this.#left.get(app)?.deliveries;
    const routes = routesOf(app);
    const deliveries = new LeftOfApp();
    for (const d of this.#shared.live.deliveries()) {
      if (d.appId !== app.appId || !mayHaveOldRoute(app, d)) continue;
      const { path } = d.route;
      if (routes.get(d.counted.lane)?.has(path) !== true)
        deliveries.set(d, before?.get(d) ?? { path, isOfMock });
    }
    this.#set(app, { deliveries, known: deliveries.size }, before);
  }

  #set(app: App, left: Left, before: Left['deliveries'] | undefined): void {
    if (left.deliveries.size === 0 && before === undefined) return;
    if (left.deliveries.size === 0) this.#left.delete(app);
    else this.#left.set(app, left);
    this.#rest();
    if ([...left.deliveries.keys()].some((d) => before?.has(d) !== true))
      for (const { message } of this.problems(app)) this.#shared.log.write('warn', 'subscriptions', message);
    this.#news.now(app.appId);
  }

  /** Listens no longer than there is a delivery with an old route. */
  #rest(): void {
    if (this.#left.size === 0) this.stop();
    else this.#stopListening ??= this.#shared.events.onEvent((event) => this.#onEvent(event));
  }

  #onEvent({ type }: NotedEvent): void {
    if (type === 'delivery.changed' || type === 'messages.pruned') this.#countSoon();
  }

  #countSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { timers, clock } = this.#shared;
    timers.at(clock.now() + COUNT_EVERY_MS, () => this.#count());
  }

  /** The last one ends the problem at once; others are counted as those are that have ended. */
  #onRerouted(d: LiveDelivery): void {
    for (const left of this.#left.values()) {
      if (left.deliveries.get(d)?.path === d.route.path || !left.deliveries.delete(d)) continue;
      if (left.deliveries.size === 0) this.#count();
      else this.#countSoon();
    }
  }

  #count(): void {
    this.#isDue = false;
    for (const [app, left] of this.#left) {
      removeEnded(left);
      if (left.deliveries.size === 0 || app.isRemoved) this.#left.delete(app);
      if (left.deliveries.size === left.known) continue;
      left.known = left.deliveries.size;
      this.#news.now(app.appId);
    }
    this.#rest();
  }
}

function removeEnded({ deliveries }: Left): void {
  for (const [d, { path }] of deliveries)
    if (d.message.isRemoved || !OPEN.has(d.state) || d.route.path !== path) deliveries.delete(d);
}

/** Paths of each subscription of an app, by lane. A stream has none. */
function routesOf({ appId, rows }: App): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = new Map<string, Set<string>>();
  for (const { subscription } of rows) {
    const { pubsubname, topic, source } = subscription;
    if (source === 'streaming') continue;
    const lane = laneName({ appId, pubsubname, topic });
    const paths = routes.get(lane) ?? new Set<string>();
    for (const path of pathsOf(subscription)) paths.add(path);
    routes.set(lane, paths);
  }
  return routes;
}

/** Whether a delivery goes to a path of its app's own choice: not to a stream, a binding, or an app behind a tap. */
function mayHaveOldRoute(app: App, { state, route, subscription, message }: LiveDelivery): boolean {
  const { source, settings } = subscription;
  if (!OPEN.has(state) || message.isRemoved || route.path === '' || message.row.tap !== undefined)
    return false;
  if (source === 'binding' || source === 'streaming') return false;
  // With another protocol the delivery gets a route of now before it is sent.
  return (settings?.protocol ?? 'http') === (app.channel.protocol ?? 'http');
}
