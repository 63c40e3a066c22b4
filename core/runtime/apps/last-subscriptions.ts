/**
 * Subscriptions at components inside this process, kept for the next start. A kill may leave an acknowledged message without the deliveries
 * that it had in memory, and such a component knows only those who subscribe after the start.
 */
import type { Protocol } from '../../contract/grpc.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { isTopicPattern, topicMatches } from '../../contract/topic-pattern.ts';
import { isObject } from '../../domain/json.ts';
import { compileRoutes } from '../../domain/routing.ts';
import { deliverySettings } from '../../domain/subscription.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components } from '../components/components.ts';
import type { EarlierSubscription } from '../delivering/intake.ts';

/** A subscription and how its app was called; no protocol: over HTTP, or it is a stream's. */
export interface LastSubscription {
  readonly subscription: Subscription;
  readonly protocol?: Protocol;
}

const KEPT = 'subscriptions';
/** Maximum number of kept subscriptions, and of characters of all of them. */
export const MAX_SUBSCRIPTIONS = 10_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

export class LastSubscriptions {
  readonly #shared: Pick<SharedServices, 'journal' | 'writer'>;
  readonly #components: Pick<Components, 'pubsub'>;
  /** Subscriptions of the last run, for the messages that it left. */
  #before: readonly LastSubscription[] = [];
  /** Subscriptions of the last run by component and topic; where the topic is a pattern, by component. */
  readonly #byTopic = new Map<string, LastSubscription[]>();
  readonly #compiled = new Map<LastSubscription, EarlierSubscription>();
  /** Current subscriptions by app; until an app has listed its own, its subscriptions of the last run. */
  readonly #now = new Map<string, readonly LastSubscription[]>();
  /** JSON of each, made once: all of them are looked at whenever those of one app may have changed, as for each app at a reload. */
  readonly #texts = new WeakMap<LastSubscription, string>();
  #written = '[]';

  constructor(shared: Pick<SharedServices, 'journal' | 'writer'>, components: Pick<Components, 'pubsub'>) {
    this.#shared = shared;
    this.#components = components;
  }

  /** Reads those of the last run. */
  async load(): Promise<void> {
    const kept = await this.#shared.journal.kept(KEPT);
    this.#before = Array.isArray(kept) ? kept.filter(isLastSubscription) : [];
    this.#written = JSON.stringify(this.#before);
    for (const one of this.#before) {
      const { pubsubname, topic } = one.subscription;
      const name = isTopicPattern(topic) ? pubsubname : nameOf(pubsubname, topic);
      const others = this.#byTopic.get(name);
      if (others === undefined) this.#byTopic.set(name, [one]);
      else others.push(one);
    }
  }

  /** Called when the messages of the last run are recovered. Apps that this run does not have get nothing that it publishes. */
  continueWith(appIds: readonly string[]): void {
    for (const appId of appIds)
      this.#now.set(
        appId,
        this.#before.filter(({ subscription }) => subscription.appId === appId),
      );
    this.#write();
  }

  /**
   * Notes all subscriptions of an app that are served from now on. The record is in the journal before any message that they get. The streams
   * of a topic count once: what they leave waits for the next one of them, as one delivery.
   */
  note(appId: string, subscriptions: readonly LastSubscription[]): void {
    const ofApp = new Map<string, LastSubscription>();
    for (const one of subscriptions) {
      const { source, pubsubname, topic } = one.subscription;
      const name = `${source === 'streaming'}\n${nameOf(pubsubname, topic)}`;
      if (!ofApp.has(name)) ofApp.set(name, firstStream(one));
    }
    if (ofApp.size === 0) this.#now.delete(appId);
    else this.#now.set(appId, [...ofApp.values()]);
    this.#write();
  }

  /** The subscriptions of the last run to which a message of that run belongs. An app for whose list it waits is not among them. */
  of({ pubsubname, topic, waitingFor = [] }: MessageRow): readonly EarlierSubscription[] {
    const patterns = this.#byTopic.get(pubsubname) ?? [];
    const exact = this.#byTopic.get(nameOf(pubsubname, topic)) ?? [];
    return [...exact, ...patterns.filter(({ subscription }) => topicMatches(subscription.topic, topic))]
      .filter(({ subscription }) => !waitingFor.includes(subscription.appId))
      .map((one) => this.#earlier(one));
  }

  #earlier(one: LastSubscription): EarlierSubscription {
    const known = this.#compiled.get(one);
    if (known !== undefined) return known;
    const { subscription, protocol } = one;
    const settings = deliverySettings(subscription, protocol);
    const made: EarlierSubscription = {
      active: { subscription, routes: compileRoutes(subscription), settings },
      protocol: subscription.source === 'streaming' ? 'grpc' : (protocol ?? 'http'),
    };
    this.#compiled.set(one, made);
    return made;
  }

  #write(): void {
    const { writer } = this.#shared;
    const { all, texts } = this.#withinBounds([...[...this.#now.values()].flat(), ...this.#awaited()]);
    const text = `[${texts.join(',')}]`;
    if (text === this.#written) return;
    this.#written = text;
    writer.later([{ kind: 'kept', key: KEPT, value: all }], () => undefined);
  }

  /** The kept subscriptions, each with its JSON. */
  #withinBounds(all: readonly LastSubscription[]): {
    readonly all: readonly LastSubscription[];
    readonly texts: readonly string[];
  } {
    const texts: string[] = [];
    let characters = 0;
    for (const one of all) {
      const text = this.#textOf(one);
      characters += text.length;
      if (texts.length >= MAX_SUBSCRIPTIONS || characters > MAX_CHARACTERS) break;
      texts.push(text);
    }
    return { all: all.slice(0, texts.length), texts };
  }

  #textOf(one: LastSubscription): string {
    const known = this.#texts.get(one);
    if (known !== undefined) return known;
    const text = JSON.stringify(one);
    this.#texts.set(one, text);
    return text;
  }

  /** Subscriptions of the last run at components that are not ready: messages of that run may wait for them over another restart. */
  #awaited(): readonly LastSubscription[] {
    return this.#before.filter(({ subscription: { appId, pubsubname } }) => {
      const isHere = this.#now.get(appId)?.some((one) => one.subscription.pubsubname === pubsubname);
      return isHere !== true && this.#components.pubsub(appId, pubsubname) === undefined;
    });
  }
}

function nameOf(pubsubname: string, topic: string): string {
  return `${pubsubname}\n${topic}`;
}

function firstStream(one: LastSubscription): LastSubscription {
  const { stream, ...subscription } = one.subscription;
  return stream === undefined ? one : { ...one, subscription };
}

function isLastSubscription(value: unknown): value is LastSubscription {
  if (!isObject(value) || !isObject(value['subscription'])) return false;
  const { appId, pubsubname, topic, source, rules, metadata, bulk, ...rest } = value['subscription'];
  const areTexts = [appId, pubsubname, topic].every(isText);
  const isSource = source === 'programmatic' || source === 'declarative' || source === 'streaming';
  const areRules =
    Array.isArray(rules) &&
    rules.every((rule) => isObject(rule) && isText(rule['match']) && isText(rule['path']));
  const { defaultPath = '', deadLetterTopic = '' } = rest;
  return (
    areTexts &&
    isSource &&
    areRules &&
    isObject(metadata) &&
    isText(defaultPath) &&
    isText(deadLetterTopic) &&
    (bulk === undefined || isObject(bulk))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
