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
import { topicMatches } from '../../contract/topic-pattern.ts';
import { MAX_FILTER_LENGTH, parseFilter } from '../../domain/filter/parse.ts';
import { printText } from '../../domain/filter/print.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import type { NotedEvent } from '../api.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components } from '../components/components.ts';
import type { HidingJournal } from '../persistence/hiding-journal.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { LiveMessage } from '../state/live.ts';
import { ProblemNews } from './problem-news.ts';

/** Topics of which the messages are known. The oldest makes room. */
const MAX_PLACES = 20;
/** Messages of a topic that are counted. */
const MAX_COUNTED = 1000;
/** Topics that are named in the problem. */
const MAX_NAMED = 3;
/** Interval at which they are counted while subscriptions or messages change. */
const COUNT_EVERY_MS = 1000;

/** A topic with messages that no app got. */
interface Place {
  readonly pubsubname: string;
  readonly topic: string;
  /** When the first one was accepted. */
  readonly since: string;
  /** Ids of the messages by number. */
  readonly messages: Map<number, string>;
  /** Whether there are more. */
  hasMore: boolean;
  /** The app that takes the topic now, as clients know it. */
  taker: string | undefined;
  /** Numbers of those that were still left over when they were counted last; of a topic that nobody takes none is counted. */
  left: ReadonlySet<number>;
}

interface LeftOverDependencies {
  readonly apps: Apps;
  readonly components: Pick<Components, 'pubsub'>;
  readonly hiding: Pick<HidingJournal, 'isHidden'>;
}

export class LeftOver {
  readonly #shared: SharedServices;
  readonly #deps: LeftOverDependencies;
  readonly #news: ProblemNews;
  readonly #places = new NewestMap<Place>(MAX_PLACES);
  /** Ends listening to changes of messages; undefined: no message can be delivered now. */
  #stopListening: (() => void) | undefined;
  #isDue = false;

  constructor(shared: SharedServices, deps: LeftOverDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#news = new ProblemNews(shared);
    shared.signals.on('withoutSubscription', (message) => this.#published(message));
    for (const name of ['aligned', 'routeChanged'] as const)
      shared.signals.on(name, () => {
        if (this.#places.size > 0) this.#countSoon();
      });
  }

  /** The present problem of an app. */
  problems({ appId }: Pick<App, 'appId'>): readonly Problem[] {
    const places = [...this.#places].flatMap(([, place]) => (isOf(place, appId) ? [place] : []));
    return places.length === 0 ? [] : [nowSubscribed(appId, places)];
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#places.clear();
  }

  #published({ row, messageId }: LiveMessage): void {
    const { pubsubname, topic, deadLetterOf, number, at } = row;
    // A copy on a dead-letter topic waits there for a person, and a replay sends it to another topic.
    if (deadLetterOf !== undefined) return;
    const key = `${pubsubname}\n${topic}`;
    const known = this.#places.get(key);
    const place = known ?? newPlace({ pubsubname, topic, since: at });
    if (place.messages.size < MAX_COUNTED) place.messages.set(number, messageId);
    else place.hasMore = true;
    if (known !== undefined) return;
    const gone = this.#places.add(key, place)?.[1];
    if (gone?.taker !== undefined) this.#news.soon(gone.taker);
  }

  #onEvent({ type, number = 0 }: NotedEvent): void {
    if (this.#isDue) return;
    // The row of a message that was replayed is told as an added one.
    const isOfOne = type === 'delivery.changed' || type === 'message.added';
    if (type === 'messages.pruned' || (isOfOne && this.#knows(number))) this.#countSoon();
  }

  #knows(number: number): boolean {
    for (const [, { messages }] of this.#places) if (messages.has(number)) return true;
    return false;
  }

  #countSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { timers, clock } = this.#shared;
    timers.at(clock.now() + COUNT_EVERY_MS, () => void this.#count());
  }

  /** Counts again what can be delivered now, and tells clients and the log. */
  async #count(): Promise<void> {
    this.#isDue = false;
    const places = [...this.#places];
    const before = places.map(([, place]) => ({ ...place }));
    await Promise.all(places.map(async ([, place]) => this.#countPlace(place)));
    const changed = new Set<string>();
    const news = new Set<string>();
    for (const [index, [key, place]] of places.entries()) {
      const { taker, left } = before[index] ?? place;
      if (place.messages.size === 0 && this.#places.get(key) === place) this.#places.delete(key);
      if (taker === place.taker && left.size === place.left.size) continue;
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
    const { journal, clock, live, log } = this.#shared;
    const taker = this.#takerOf(place);
    const numbers = [...place.messages.keys()];
    // A message in memory may have records that the journal does not have yet.
    const written = numbers.filter((number) => live.message(place.messages.get(number) ?? '') === undefined);
    try {
      const parsed = parseFilter(LEFT_OVER);
      if (!parsed.ok) throw new Error(parsed.error.message);
      const left =
        taker === undefined ? new Set<number>() : await journal.test(numbers, parsed.filter, clock.now());
      if (taker !== undefined)
        for (const number of written)
          // A person may still undo the removal of one that is hidden.
          if (!left.has(number) && !this.#deps.hiding.isHidden(number)) place.messages.delete(number);
      place.left = left;
      place.taker = left.size === 0 ? undefined : taker;
    } catch (error) {
      log.write(
        'warn',
        'subscriptions',
        `Messages that no app got could not be counted: ${errorText(error)}`,
      );
    }
  }

  /** The app with a subscription that takes the topic now. A broker that keeps its messages gives it the old ones by itself. */
  #takerOf({ pubsubname, topic }: Place): string | undefined {
    for (const { appId, rows, routeAnswers } of this.#deps.apps.all) {
      const missing = routeAnswers.missing();
      const takes = rows.some(
        ({ subscription, state }) =>
          state === 'active' &&
          subscription.pubsubname === pubsubname &&
          topicMatches(subscription.topic, topic) &&
          // What is replayed to a route that the app does not serve is dropped.
          !missing.some((one) => one.pubsubname === pubsubname && one.topic === subscription.topic),
      );
      const features = takes ? this.#deps.components.pubsub(appId, pubsubname)?.pubsub.features : undefined;
      if (features?.keepsHistory === false) return appId;
    }
    return undefined;
  }

  /** Listens no longer than there is a problem. */
  #rest(): void {
    const isTold = [...this.#places].some(([, { taker }]) => taker !== undefined);
    if (isTold) this.#stopListening ??= this.#shared.events.onEvent((event) => this.#onEvent(event));
    else {
      this.#stopListening?.();
      this.#stopListening = undefined;
    }
  }
}

function newPlace(of: Pick<Place, 'pubsubname' | 'topic' | 'since'>): Place {
  return { ...of, messages: new Map(), hasMore: false, taker: undefined, left: new Set() };
}

function isOf({ taker }: Place, appId: string): boolean {
  return taker === appId;
}

/** Problem: messages that no app got can be delivered now. */
function nowSubscribed(appId: string, places: readonly Place[]): Problem {
  const { filter, found } = filterOf(places);
  const n = found.reduce((sum, { left }) => sum + left.size, 0);
  const messages = `${found.some(({ hasMore }) => hasMore) ? 'More than ' : ''}${counted(n, 'message')}`;
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
