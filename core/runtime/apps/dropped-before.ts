/**
 * Messages that an app dropped because it did not serve their route, until they are sent again: the mistake ends when the route is mended, and
 * what was dropped before stays dropped. Then a problem says how many there are, with the act that sends them.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Problem } from '../../contract/subscription.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import type { NotedEvent } from '../api.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import { ProblemNews } from './problem-news.ts';
import { mendedRoute, missingRouteFilter, pathsFor } from './route-mistakes.ts';

/** Routes of an app of which the messages are known. */
const MAX_PLACES = 20;

/** Messages of a route that are counted. */
const MAX_COUNTED = 1000;

/** Interval at which they are counted while messages change. */
const COUNT_EVERY_MS = 1000;

/** A route with what was dropped there. */
interface Place {
  readonly pubsubname: string;
  readonly topic: string;
  readonly path: string;
  readonly lane: string;
  answer: string;
  /** Numbers of the messages. */
  readonly numbers: Set<number>;
  /** Whether there are more. */
  hasMore: boolean;
  /** How many clients know of; 0: the problem is not said. */
  told: number;
}

export class DroppedBefore {
  readonly #shared: SharedServices;
  readonly #news: ProblemNews;
  readonly #places = new Map<App, Map<string, Place>>();
  /** Ends listening to changes of messages; undefined: nothing was dropped. */
  #stopListening: (() => void) | undefined;
  #isDue = false;

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#news = new ProblemNews(shared);
    shared.signals.on('aligned', (app) => this.mayBeMended(app));
    shared.signals.on('rerouted', (d) => this.#onRerouted(d));
  }

  /** Notes that an app dropped a delivery at a route which it does not serve. */
  note(
    app: App,
    { counted: { lane }, subscription, route: { path }, message }: LiveDelivery,
    answer: string,
  ): void {
    const places = this.#places.get(app) ?? new Map<string, Place>();
    this.#places.set(app, places);
    const key = `${lane}\n${path}`;
    let place = places.get(key);
    if (place === undefined) {
      if (places.size >= MAX_PLACES) return;
      const { pubsubname, topic } = subscription;
      place = { pubsubname, topic, path, lane, answer, numbers: new Set(), hasMore: false, told: 0 };
      places.set(key, place);
    }
    place.answer = answer;
    if (place.numbers.size < MAX_COUNTED) place.numbers.add(message.row.number);
    else place.hasMore ||= !place.numbers.has(message.row.number);
    this.#stopListening ??= this.#shared.events.onEvent((event) => this.#onEvent(event));
    // The route that was mended is missing again.
    if (place.told > 0) this.#notify(app);
  }

  /** The present problems of an app: what it dropped at routes that are mended. */
  problems(app: App): readonly Problem[] {
    return this.#mended(app).map((place) => mendedRoute(app, { ...place, count: place.numbers.size }));
  }

  /** Called when an app has other subscriptions, or has answered at a route that was missing. */
  mayBeMended(app: App): void {
    if (this.#places.has(app)) this.#notify(app);
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#places.clear();
  }

  /** Routes that the app serves now, or does not have any more while it takes the topic elsewhere. */
  #mended(app: App): readonly Place[] {
    return [...(this.#places.get(app)?.values() ?? [])].filter((place) => {
      const missing = new Set(app.routeAnswers.missing(place.lane).map(({ path }) => path));
      return (
        place.numbers.size > 0 &&
        !missing.has(place.path) &&
        pathsFor(app, place).some((path) => !missing.has(path))
      );
    });
  }

  #onEvent({ type, number }: NotedEvent): void {
    if (this.#isDue) return;
    if (type === 'messages.pruned' || (type === 'delivery.changed' && this.#knows(number))) this.#countSoon();
  }

  /** What is sent again ends the problem at once. */
  #onRerouted({ appId, counted: { lane }, message }: LiveDelivery): void {
    for (const [app, places] of this.#places) {
      if (app.appId !== appId) continue;
      for (const place of places.values()) if (place.lane === lane) place.numbers.delete(message.row.number);
      this.#notify(app);
    }
  }

  #knows(number = 0): boolean {
    for (const places of this.#places.values())
      for (const { numbers } of places.values()) if (numbers.has(number)) return true;
    return false;
  }

  #countSoon(): void {
    this.#isDue = true;
    const { timers, clock } = this.#shared;
    timers.at(clock.now() + COUNT_EVERY_MS, () => {
      this.#isDue = false;
      void this.#count();
    });
  }

  /** Forgets what was sent again, or removed. */
  async #count(): Promise<void> {
    const { journal, clock, log } = this.#shared;
    for (const app of this.#places.keys()) {
      if (app.isRemoved) this.#places.delete(app);
      for (const place of this.#mended(app)) {
        const parsed = parseFilter(missingRouteFilter({ appId: app.appId, ...place }));
        const numbers = [...place.numbers];
        try {
          if (!parsed.ok) throw new Error(parsed.error.message);
          const left = await journal.test(numbers, parsed.filter, clock.now());
          for (const number of numbers) if (!left.has(number)) place.numbers.delete(number);
        } catch (error) {
          log.write('warn', 'subscriptions', `Dropped messages could not be counted: ${errorText(error)}`);
        }
      }
      this.#forgetEmpty(app);
      this.#notify(app);
    }
    if (this.#places.size === 0) this.stop();
  }

  #forgetEmpty(app: App): void {
    const places = this.#places.get(app);
    for (const [key, { numbers, told }] of places ?? [])
      if (numbers.size === 0 && told === 0) places?.delete(key);
    if (places?.size === 0) this.#places.delete(app);
  }

  /** Tells clients and the log where a problem is new, has another number, or is over. */
  #notify(app: App): void {
    const mended = new Set(this.#mended(app));
    let isNews = false;
    for (const place of this.#places.get(app)?.values() ?? []) {
      const count = mended.has(place) ? place.numbers.size : 0;
      if (count === place.told) continue;
      if (place.told === 0)
        this.#shared.log.write('warn', 'subscriptions', mendedRoute(app, { ...place, count }).message);
      place.told = count;
      isNews = true;
    }
    if (isNews) this.#news.now(app.appId);
    this.#forgetEmpty(app);
  }
}
