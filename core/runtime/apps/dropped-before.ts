/**
 * Messages that an app dropped because it did not serve their route, until they are sent again: the mistake ends when the route is mended, and
 * what was dropped before stays dropped. Then a problem says how many there are, with the act that sends them.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import { CountedMessages, MAX_PLACES } from './counted-messages.ts';
import type { Hiding } from './counted-messages.ts';
import { ProblemNews } from './problem-news.ts';
import { Recount } from './recount.ts';
import { mendedRoute, missingRouteFilter, pathsFor } from './route-mistakes.ts';

/** A route with what was dropped there. */
interface Place {
  readonly pubsubname: string;
  readonly topic: string;
  readonly path: string;
  readonly lane: string;
  answer: string;
  readonly messages: CountedMessages;
  /** Address of the app that has served the route since; undefined: none has. */
  servedAt: string | undefined;
  /** How many clients know of; 0: the problem is not said. */
  told: number;
}

export class DroppedBefore {
  readonly #shared: SharedServices;
  readonly #hiding: Hiding;
  readonly #news: ProblemNews;
  readonly #places = new Map<App, Map<string, Place>>();
  readonly #recount: Recount;

  constructor(shared: SharedServices, hiding: Hiding) {
    this.#shared = shared;
    this.#hiding = hiding;
    this.#news = new ProblemNews(shared);
    this.#recount = new Recount(shared, {
      knows: (number) => this.#knows(number),
      count: async () => {
        await Promise.all([...this.#places.keys()].map(async (app) => this.#count(app)));
      },
    });
    shared.signals.on('aligned', (app) => this.#mayBeMended(app));
    shared.signals.on('rerouted', (d) => this.#onRerouted(d));
    shared.signals.on('removed', (numbers) => this.#onRemoved(numbers));
  }

  /** Notes that an app dropped a delivery at a route which it does not serve. */
  note(
    app: App,
    { counted: { lane }, subscription, route: { path }, message }: LiveDelivery,
    answer: string,
  ): void {
    const places = this.#places.get(app) ?? new Map<string, Place>();
    this.#places.set(app, places);
    const key = keyOf(lane, path);
    let place = places.get(key);
    if (place === undefined) {
      if (places.size >= MAX_PLACES) return;
      const { pubsubname, topic } = subscription;
      place = newPlace({ pubsubname, topic, path, lane }, answer);
      places.set(key, place);
    }
    place.answer = answer;
    place.servedAt = undefined;
    place.messages.add(message);
    this.#recount.listen();
    // The route that was mended is missing again.
    if (place.told > 0) this.#notify(app);
  }

  /** The present problems of an app: what it dropped at routes that are mended. */
  problems(app: App): readonly Problem[] {
    return this.#mended(app)
      .filter(({ told }) => told > 0)
      .map((place) => problemOf(app, place));
  }

  /** Notes that an app serves the route of a delivery. */
  served(app: App, { counted: { lane }, route: { path } }: LiveDelivery): void {
    const place = this.#places.get(app)?.get(keyOf(lane, path));
    if (place !== undefined) place.servedAt = app.discovery.url;
    this.#mayBeMended(app);
  }

  /** Called when an app has other subscriptions, or serves a route. */
  #mayBeMended(app: App): void {
    if (this.#places.has(app)) void this.#count(app);
  }

  stop(): void {
    this.#recount.stopListening();
    this.#places.clear();
  }

  /** Routes that the app serves now, or does not have any more while it takes the topic elsewhere. */
  #mended(app: App): readonly Place[] {
    return [...(this.#places.get(app)?.values() ?? [])].filter(
      (place) => place.messages.count > 0 && isMended(app, place),
    );
  }

  /** What is sent again ends the problem at once. */
  #onRerouted({ appId, counted: { lane }, message }: LiveDelivery): void {
    for (const [app, places] of this.#places) {
      if (app.appId !== appId) continue;
      for (const place of places.values())
        if (place.lane === lane) {
          place.messages.forget([message.row.number]);
          if (place.messages.isUsedUp) this.#recount.soon();
        }
      this.#notify(app);
    }
  }

  /** A person could undo the removal until now. */
  #onRemoved(numbers: readonly number[]): void {
    for (const [app, places] of this.#places) {
      for (const { messages } of places.values()) messages.forget(numbers);
      this.#notify(app);
    }
  }

  #knows(number: number): boolean {
    for (const places of this.#places.values())
      for (const { messages } of places.values()) if (messages.has(number)) return true;
    return false;
  }

  /** Forgets what was sent again, or removed, and tells how many messages are left. */
  async #count(app: App): Promise<void> {
    if (app.isRemoved) this.#places.delete(app);
    const places = [...(this.#places.get(app)?.values() ?? [])];
    await Promise.all(places.map((place) => this.#countPlace(app, place)));
    this.#notify(app);
  }

  async #countPlace({ appId }: App, place: Place): Promise<void> {
    const { messages } = place;
    try {
      const filter = missingRouteFilter({ appId, ...place });
      await messages.recount(filter, filter, { ...this.#shared, hiding: this.#hiding });
    } catch (error) {
      this.#shared.log.write(
        'warn',
        'subscriptions',
        `Dropped messages could not be counted: ${errorText(error)}`,
      );
    }
  }

  #forgetEmpty(app: App): void {
    const places = this.#places.get(app);
    for (const [key, { messages, told }] of places ?? [])
      if (messages.isEmpty && told === 0) places?.delete(key);
    if (places?.size === 0) this.#places.delete(app);
    if (this.#places.size === 0) this.stop();
  }

  /** Tells clients and the log where a problem is new, has another number, or is over. */
  #notify(app: App): void {
    const mended = new Set(this.#mended(app));
    let isNews = false;
    for (const place of this.#places.get(app)?.values() ?? []) {
      const count = mended.has(place) ? place.messages.count : 0;
      if (count === place.told) continue;
      if (place.told === 0) this.#shared.log.write('warn', 'subscriptions', problemOf(app, place).message);
      place.told = count;
      isNews = true;
    }
    if (isNews) this.#news.now(app.appId);
    this.#forgetEmpty(app);
  }
}

function keyOf(lane: string, path: string): string {
  return `${lane}\n${path}`;
}

function newPlace(of: Pick<Place, 'pubsubname' | 'topic' | 'path' | 'lane'>, answer: string): Place {
  return {
    ...of,
    answer,
    messages: new CountedMessages(),
    servedAt: undefined,
    told: 0,
  };
}

/** Whether the app serves the route again, or takes the topic elsewhere. A list that another address gave says nothing about this one. */
function isMended(app: App, place: Place): boolean {
  if (pathsFor(app, place).includes(place.path)) return place.servedAt === app.discovery.url;
  const isListedHere = app.listedBy?.url === app.channel.url;
  const rows = app.rows.filter(({ subscription }) => isListedHere || subscription.source !== 'programmatic');
  const missing = new Set(app.routeAnswers.missing(place.lane).map(({ path }) => path));
  return !missing.has(place.path) && pathsFor({ rows }, place).some((path) => !missing.has(path));
}

function problemOf(app: App, place: Place): Problem {
  const { count, hasMore } = place.messages;
  return mendedRoute(app, { ...place, count, hasMore });
}
