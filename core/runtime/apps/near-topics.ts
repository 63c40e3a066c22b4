/**
 * Topics that get messages and have no subscription, while an app subscribes to a topic with nearly this name: one of the two may be a slip,
 * and nothing else looks wrong. The first such message is a problem of that app, until the subscriptions change or none came for a while.
 */
import { theAppFirst } from '../../contract/app-text.ts';
import { isNearTopic } from '../../contract/near-topic.ts';
import type { Problem } from '../../contract/subscription.ts';
import { isTopicPattern, topicMatches } from '../../contract/topic-pattern.ts';
import { printText } from '../../domain/filter/print.ts';
import { NewestMap } from '../../domain/newest-map.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { LiveMessage } from '../state/live.ts';

/** Maximum number of problems. The oldest makes room. */
const MAX_PAIRS = 20;
/** Topics without a near name that are remembered, so that their next message is not compared again. */
const MAX_OTHERS = 200;
/** Subscriptions with which a topic is compared. */
const MAX_COMPARED = 1000;
/** Characters of a name that a person may have mistyped. */
const MAX_LENGTH = 253;
/** End of a topic that is a word of the path of a bulk publish. */
const BULK_END = '/bulk';
/** Time without such a message after which the problem ends, and the next message is news again. */
const QUIET_MS = 10 * 60_000;

type Place = Pick<App['rows'][number]['subscription'], 'pubsubname' | 'topic'>;

/** What was probably meant. */
interface Meant {
  /** The app with the subscription to `near`; of the path of a bulk publish, the publisher. */
  readonly appId: string;
  readonly near: string;
  /** Whether `near` is the topic of a bulk publish, whose words came in the wrong order: `/v1.0/publish/pubsub/orders/bulk`. */
  readonly isBulkPath?: true;
}

interface Pair extends Place, Meant {
  lastMs: number;
}

export class NearTopics {
  readonly #shared: SharedServices;
  readonly #apps: Apps;
  readonly #pairs = new NewestMap<Pair>(MAX_PAIRS);
  readonly #others = new NewestMap<true>(MAX_OTHERS);
  #isTimed = false;

  constructor(shared: SharedServices, apps: Apps) {
    this.#shared = shared;
    this.#apps = apps;
    shared.signals.on('withoutSubscription', (message) => this.#published(message));
    shared.signals.on('aligned', () => this.#subscribed());
  }

  /** The present problems of an app. */
  problems({ appId }: Pick<App, 'appId'>): readonly Problem[] {
    return [...this.#pairs].flatMap(([, pair]) => (pair.appId === appId ? [nearTopic(pair)] : []));
  }

  #published({ row }: LiveMessage): void {
    const { pubsubname, topic, deadLetterOf, source } = row;
    // A copy on a dead-letter topic waits there for a person.
    if (deadLetterOf !== undefined || topic.length > MAX_LENGTH) return;
    const key = `${pubsubname}\n${topic}`;
    const now = this.#shared.clock.now();
    const known = this.#pairs.get(key);
    if (known !== undefined) known.lastMs = now;
    if (known !== undefined || this.#others.has(key)) return;
    // Only over HTTP does a topic come from a path.
    const publisher = source === 'http' ? row.appId : undefined;
    const found = this.#find({ pubsubname, topic }, publisher);
    if (found === undefined) {
      // This topic may come from a path the next time, and would mean something else then.
      if (publisher !== undefined || !topic.endsWith(BULK_END)) this.#others.add(key, true);
      return;
    }
    const pair: Pair = { pubsubname, topic, ...found, lastMs: now };
    const gone = this.#pairs.add(key, pair);
    this.#shared.log.write('warn', 'subscriptions', nearTopic(pair).message);
    this.#changed(pair);
    if (gone !== undefined && gone[1].appId !== pair.appId) this.#changed(gone[1]);
    this.#time();
  }

  /**
   * What is probably meant; undefined: nothing else, or a subscription takes the topic.
   * @param publisher the app whose path gave the topic; undefined: no path did
   */
  #find({ pubsubname, topic }: Place, publisher: string | undefined): Meant | undefined {
    let compared = 0;
    let found: Meant | undefined;
    for (const { appId, rows } of this.#apps.all)
      for (const { subscription, state } of rows) {
        if (subscription.pubsubname !== pubsubname) continue;
        // A subscription that is refused has a problem of its own.
        if (topicMatches(subscription.topic, topic) || ++compared > MAX_COMPARED) return undefined;
        const isNear = state === 'active' && !isTopicPattern(subscription.topic);
        if (isNear && isNearTopic(subscription.topic, topic)) found ??= { appId, near: subscription.topic };
      }
    return found ?? bulkPath(topic, publisher);
  }

  /** Ends the problems that the subscriptions of now do not have, and compares every topic again. */
  #subscribed(): void {
    this.#others.clear();
    for (const [key, pair] of this.#pairs) {
      const found = this.#find(pair, pair.isBulkPath && pair.appId);
      if (found?.appId !== pair.appId || found.near !== pair.near) this.#end(key, pair);
    }
  }

  #time(): void {
    if (this.#isTimed || this.#pairs.size === 0) return;
    this.#isTimed = true;
    const { clock, timers } = this.#shared;
    const lastMs = [...this.#pairs].map(([, pair]) => pair.lastMs);
    timers.at(Math.min(...lastMs) + QUIET_MS, () => {
      this.#isTimed = false;
      for (const [key, pair] of this.#pairs) if (clock.now() - pair.lastMs >= QUIET_MS) this.#end(key, pair);
      this.#time();
    });
  }

  #end(key: string, pair: Pair): void {
    this.#pairs.delete(key);
    this.#changed(pair);
  }

  #changed({ appId }: Pair): void {
    this.#shared.events.add({ type: 'topology.changed', appId });
  }
}

function bulkPath(topic: string, publisher: string | undefined): Meant | undefined {
  const isOne = publisher !== undefined && topic.length > BULK_END.length && topic.endsWith(BULK_END);
  return isOne ? { appId: publisher, near: topic.slice(0, -BULK_END.length), isBulkPath: true } : undefined;
}

/** Problem: messages of a topic that nobody subscribes to, beside a subscription whose topic has nearly this name. */
function nearTopic({ appId, pubsubname, topic, near, isBulkPath }: Pair): Problem {
  const meant =
    isBulkPath === true
      ? `Did you mean POST /v1.0/publish/bulk/${pubsubname}/${near}?`
      : `${theAppFirst(appId)} subscribes to ${near}. If that is a slip, correct one of the two names.`;
  return {
    code: 'near-topic',
    severity: 'warning',
    message: `A message was published to ${topic} on ${pubsubname}, to which nobody subscribes. ${meant}`,
    filter: `pubsub:${printText(pubsubname)} topic:${printText(topic)} state:none`,
  };
}
