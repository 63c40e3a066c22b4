/**
 * Messages that no app got when they were published, while a subscription takes their topic now: the mistake is mended,
 * and they stay where they are until somebody replays them. A problem of the app with the subscription says how many
 * there are. Only those of this run count: what an earlier run left was nobody's mistake of today.
 */
import { theApp } from '../../contract/app-text.ts';
import { LEFT_OVER } from '../../contract/attention.ts';
import { counted } from '../../contract/count-text.ts';
import { errorText } from '../../contract/error-text.ts';
import { NOW_SUBSCRIBED } from '../../contract/discovery-text.ts';
import type { Problem } from '../../contract/subscription.ts';
import { pathsOf } from '../../contract/route-paths.ts';
import { topicMatches } from '../../contract/topic-pattern.ts';
import { MAX_FILTER_LENGTH } from '../../domain/filter/parse.ts';
import { printText } from '../../domain/filter/print.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components } from '../components/components.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import { laneName } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import { CountedMessages, MAX_PLACES } from './counted-messages.ts';
import type { Hiding } from './counted-messages.ts';
import { ProblemNews } from './problem-news.ts';
import { Recount } from './recount.ts';

/** Topics that are named in the problem. */
const MAX_NAMED = 3;

/** A topic with messages that no app got. */
interface Place {
  readonly pubsubname: string;
  readonly topic: string;
  /** When the first one was accepted. */
  readonly since: string;
  /** Nothing is counted of a topic that nobody takes. */
  readonly messages: CountedMessages;
  /** Whether an app takes the topic now. */
  isTaken: boolean;
  /** The app that takes the topic now, as clients know it; undefined: no message can be delivered to one. */
  taker: string | undefined;
  /** The number that clients know of. */
  told: Pick<CountedMessages, 'count' | 'hasMore'>;
}

interface LeftOverDependencies {
  readonly apps: Apps;
  readonly components: Pick<Components, 'pubsub'>;
  readonly hiding: Hiding;
}

export class LeftOver {
  readonly #shared: SharedServices;
  readonly #deps: LeftOverDependencies;
  readonly #news: ProblemNews;
  readonly #places = new NewestMap<Place>(MAX_PLACES);
  readonly #recount: Recount;

  constructor(shared: SharedServices, deps: LeftOverDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#news = new ProblemNews(shared);
    this.#recount = new Recount(shared, {
      knows: (number) => [...this.#places].some(([, { messages }]) => messages.has(number)),
      count: () => this.#count(),
    });
    shared.signals.on('withoutSubscription', (message) => this.#published(message));
    shared.signals.on('removed', (numbers) => this.#onRemoved(numbers));
    for (const name of ['aligned', 'routeChanged'] as const)
      shared.signals.on(name, () => {
        if (this.#places.size > 0) this.#recount.soon();
      });
  }

  /** The present problem of an app. */
  problems({ appId }: Pick<App, 'appId'>): readonly Problem[] {
    const places = [...this.#places].flatMap(([, place]) => (isOf(place, appId) ? [place] : []));
    return places.length === 0 ? [] : [nowSubscribed(appId, places)];
  }

  stop(): void {
    this.#recount.stopListening();
    this.#places.clear();
  }

  #published(message: LiveMessage): void {
    const { pubsubname, topic, deadLetterOf, at } = message.row;
    // A copy on a dead-letter topic waits there for a person, and a replay sends it to another topic.
    if (deadLetterOf !== undefined) return;
    const key = `${pubsubname}\n${topic}`;
    const known = this.#places.get(key);
    const place = known ?? newPlace({ pubsubname, topic, since: at });
    place.messages.add(message);
    if (known !== undefined) return;
    const gone = this.#places.add(key, place)?.[1];
    if (gone?.taker !== undefined) this.#news.soon(gone.taker);
  }

  #onRemoved(numbers: readonly number[]): void {
    for (const [key, place] of [...this.#places]) {
      place.messages.forget(numbers);
      if (place.isTaken) this.#recount.soon();
      else if (place.messages.isEmpty) this.#places.delete(key);
    }
  }

  /** Counts again what can be delivered now, and tells clients and the log. */
  async #count(): Promise<void> {
    const places = [...this.#places];
    const before = places.map(([, { taker }]) => taker);
    for (const [, place] of places) place.isTaken = this.#takerOf(place) !== undefined;
    // What changes while the journal answers is counted next.
    this.#rest();
    await Promise.all(places.map(async ([, place]) => this.#countPlace(place)));
    const changed = new Set<string>();
    const news = new Set<string>();
    for (const [index, [key, place]] of places.entries()) {
      const taker = before[index];
      if (place.messages.isEmpty && this.#places.get(key) === place) this.#places.delete(key);
      const { count, hasMore } = place.messages;
      const isSame = count === place.told.count && hasMore === place.told.hasMore;
      if (taker === place.taker && isSame) continue;
      place.told = { count, hasMore };
      if (taker !== undefined) changed.add(taker);
      if (place.taker === undefined) continue;
      changed.add(place.taker);
      if (taker !== place.taker) news.add(place.taker);
    }
    for (const appId of news)
      for (const { message } of this.problems({ appId }))
        this.#shared.log.write('warn', 'subscriptions', message);
    for (const appId of changed) this.#news.now(appId);
    this.#rest();
  }

  /** Forgets what was replayed or removed. */
  async #countPlace(place: Place): Promise<void> {
    const taker = this.#takerOf(place);
    const { messages } = place;
    try {
      if (taker === undefined) messages.clearCount();
      else
        await messages.recount(LEFT_OVER, filterOf([place]).filter, {
          ...this.#shared,
          hiding: this.#deps.hiding,
        });
      place.taker = messages.count === 0 ? undefined : taker;
    } catch (error) {
      this.#shared.log.write(
        'warn',
        'subscriptions',
        `Messages that no app got could not be counted: ${errorText(error)}`,
      );
    }
  }

  /** The app with a subscription that takes the topic now. A broker that keeps its messages gives it the old ones by itself. */
  #takerOf({ pubsubname, topic }: Place): string | undefined {
    for (const app of this.#deps.apps.all) {
      const { appId, rows } = app;
      const takes = rows.some(
        ({ subscription, state }) =>
          state === 'active' &&
          subscription.pubsubname === pubsubname &&
          topicMatches(subscription.topic, topic) &&
          servesAny(app, subscription),
      );
      const features = takes ? this.#deps.components.pubsub(appId, pubsubname)?.pubsub.features : undefined;
      if (features?.keepsHistory === false) return appId;
    }
    return undefined;
  }

  /** Listens no longer than a topic that is taken has messages: a person may undo the removal of those that are hidden. */
  #rest(): void {
    const isTaken = [...this.#places].some(([, place]) => place.isTaken);
    if (isTaken) this.#recount.listen();
    else this.#recount.stopListening();
  }
}

/** Whether a route of the subscription may be there: what is replayed to one that is missing is dropped. A stream has none. */
function servesAny({ appId, routeAnswers }: App, subscription: App['rows'][number]['subscription']): boolean {
  const { pubsubname, topic } = subscription;
  const lane = laneName({ appId, pubsubname, topic });
  const paths = pathsOf(subscription);
  return paths.length === 0 || paths.some((path) => !routeAnswers.isMissingNow(lane, path));
}

function newPlace(of: Pick<Place, 'pubsubname' | 'topic' | 'since'>): Place {
  return {
    ...of,
    messages: new CountedMessages(),
    isTaken: false,
    taker: undefined,
    told: { count: 0, hasMore: false },
  };
}

function isOf({ taker, messages }: Place, appId: string): boolean {
  return taker === appId && messages.count > 0;
}

/** Problem: messages that no app got can be delivered now. */
function nowSubscribed(appId: string, places: readonly Place[]): Problem {
  const { filter, found } = filterOf(places);
  const n = found.reduce((sum, { messages: { count } }) => sum + count, 0);
  const messages = `${found.some(({ messages: { hasMore } }) => hasMore) ? 'More than ' : ''}${counted(n, 'message')}`;
  const names = found.slice(0, MAX_NAMED).map(({ topic }) => topic);
  const more = found.length - names.length;
  const topics =
    more > 0 ? `${names.join(', ')} and ${counted(more, 'more topic', 'more topics')}` : names.join(', ');
  return {
    code: NOW_SUBSCRIBED,
    severity: 'warning',
    message: `${messages} that no app got can be delivered now: ${theApp(appId)} subscribes to ${topics}.`,
    filter,
  };
}

/** Finds the messages of as many places as a filter has room for; the others come when these are done. */
function filterOf(places: readonly Place[]): { readonly filter: string; readonly found: readonly Place[] } {
  const terms: string[] = [];
  const found: Place[] = [];
  const written = (): string => {
    const since = found.map((place) => place.since).toSorted()[0] ?? '';
    const where = terms.length === 1 ? terms.join('') : `(${terms.join(' OR ')})`;
    return `${where} ${LEFT_OVER} -origin:dead-letter time:>=${since}`;
  };
  for (const place of places) {
    terms.push(`pubsub:${printText(place.pubsubname)} topic:${printText(place.topic)}`);
    found.push(place);
    if (found.length === 1 || written().length <= MAX_FILTER_LENGTH) continue;
    terms.pop();
    found.pop();
  }
  return { filter: written(), found };
}
