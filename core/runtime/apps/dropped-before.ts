/**
 * Messages that an app dropped because it did not serve their route, until they are sent again: the mistake ends when the route is mended, and
 * what was dropped before stays dropped. Then a problem says how many there are, with the act that sends them.
 */
import { errorText } from '../../contract/error-text.ts';
import type { Problem } from '../../contract/subscription.ts';
import { parseFilter } from '../../domain/filter/parse.ts';
import type { NotedEvent } from '../api.ts';
import type { SharedServices } from '../common-services.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
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
  /** Ids of the messages by number. */
  readonly messages: Map<number, string>;
  /** Numbers of those that were still dropped when they were counted last. */
  left: ReadonlySet<number>;
  /** Whether there are more. */
  hasMore: boolean;
  /** Address of the app that has served the route since; undefined: none has. */
  servedAt: string | undefined;
  /** How many clients know of; 0: the problem is not said. */
  told: number;
}

export class DroppedBefore {
  readonly #shared: SharedServices;
  readonly #hiding: Pick<HidingJournal, 'isHidden'>;
  readonly #news: ProblemNews;
  readonly #places = new Map<App, Map<string, Place>>();
  /** Ends listening to changes of messages; undefined: nothing was dropped. */
  #stopListening: (() => void) | undefined;
  #isDue = false;

  constructor(shared: SharedServices, hiding: Pick<HidingJournal, 'isHidden'>) {
    this.#shared = shared;
    this.#hiding = hiding;
    this.#news = new ProblemNews(shared);
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
    const { messages } = place;
    if (messages.size < MAX_COUNTED) messages.set(message.row.number, message.messageId);
    else place.hasMore ||= !messages.has(message.row.number);
    this.#stopListening ??= this.#shared.events.onEvent((event) => this.#onEvent(event));
    // The route that was mended is missing again.
    if (place.told > 0) this.#notify(app);
  }

  /** The present problems of an app: what it dropped at routes that are mended. */
  problems(app: App): readonly Problem[] {
    return this.#mended(app)
      .filter(({ told }) => told > 0)
      .map((place) => mendedRoute(app, { ...place, count: place.left.size }));
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
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#places.clear();
  }

  /** Routes that the app serves now, or does not have any more while it takes the topic elsewhere. */
  #mended(app: App): readonly Place[] {
    return [...(this.#places.get(app)?.values() ?? [])].filter(
      (place) => place.left.size > 0 && isMended(app, place),
    );
  }

  #onEvent({ type, number }: NotedEvent): void {
    if (this.#isDue) return;
    // A message whose removal was undone is added again.
    const isOfOne = type === 'delivery.changed' || type === 'message.added';
    if (type === 'messages.pruned' || (isOfOne && this.#knows(number))) this.#countSoon();
  }

  /** What is sent again ends the problem at once. */
  #onRerouted({ appId, counted: { lane }, message }: LiveDelivery): void {
    for (const [app, places] of this.#places) {
      if (app.appId !== appId) continue;
      for (const place of places.values()) if (place.lane === lane) forget(place, [message.row.number]);
      this.#notify(app);
    }
  }

  /** A person could undo the removal until now. */
  #onRemoved(numbers: readonly number[]): void {
    for (const [app, places] of this.#places) {
      for (const place of places.values()) forget(place, numbers);
      this.#notify(app);
    }
  }

  #knows(number = 0): boolean {
    for (const places of this.#places.values())
      for (const { messages } of places.values()) if (messages.has(number)) return true;
    return false;
  }

  #countSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { timers, clock } = this.#shared;
    timers.at(clock.now() + COUNT_EVERY_MS, () => {
      this.#isDue = false;
      for (const app of this.#places.keys()) void this.#count(app);
    });
  }

  /** Forgets what was sent again, or removed, and tells how many messages are left. */
  async #count(app: App): Promise<void> {
    if (app.isRemoved) this.#places.delete(app);
    const places = [...(this.#places.get(app)?.values() ?? [])];
    await Promise.all(places.map((place) => this.#countPlace(app, place)));
    this.#notify(app);
  }

  async #countPlace({ appId }: App, place: Place): Promise<void> {
    const { journal, clock, live, log } = this.#shared;
    const parsed = parseFilter(missingRouteFilter({ appId, ...place }));
    const numbers = [...place.messages.keys()];
    // A message in memory may have records that the journal does not have yet.
    const written = numbers.filter((number) => live.message(place.messages.get(number) ?? '') === undefined);
    // A person may still undo the removal of those that are hidden, also while the journal answers.
    const hidden = new Set(written.filter((number) => this.#hiding.isHidden(number)));
    try {
      if (!parsed.ok) throw new Error(parsed.error.message);
      place.left = await journal.test(numbers, parsed.filter, clock.now());
      const away = written.filter((number) => !place.left.has(number));
      forget(
        place,
        away.filter((number) => !hidden.has(number) && !this.#hiding.isHidden(number)),
      );
    } catch (error) {
      log.write('warn', 'subscriptions', `Dropped messages could not be counted: ${errorText(error)}`);
    }
  }

  #forgetEmpty(app: App): void {
    const places = this.#places.get(app);
    for (const [key, { messages, told }] of places ?? [])
      if (messages.size === 0 && told === 0) places?.delete(key);
    if (places?.size === 0) this.#places.delete(app);
    if (this.#places.size === 0) this.stop();
  }

  /** Tells clients and the log where a problem is new, has another number, or is over. */
  #notify(app: App): void {
    const mended = new Set(this.#mended(app));
    let isNews = false;
    for (const place of this.#places.get(app)?.values() ?? []) {
      const count = mended.has(place) ? place.left.size : 0;
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

function keyOf(lane: string, path: string): string {
  return `${lane}\n${path}`;
}

function newPlace(of: Pick<Place, 'pubsubname' | 'topic' | 'path' | 'lane'>, answer: string): Place {
  return {
    ...of,
    answer,
    messages: new Map(),
    left: new Set(),
    hasMore: false,
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

function forget(place: Place, numbers: readonly number[]): void {
  for (const number of numbers) place.messages.delete(number);
  place.left = new Set([...place.left].filter((number) => place.messages.has(number)));
}
