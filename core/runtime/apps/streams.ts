/** Subscriptions of streams: each lasts as long as its stream, and a lost one waits for the next stream of its topic. */
import { theApp, theAppFirst } from '../../contract/app-text.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { maySubscribe } from '../../domain/access.ts';
import { metadataValue, readRawPayload } from '../../domain/metadata.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { OpenStream, StreamRequest } from '../api.ts';
import type { Components } from '../components/components.ts';
import { pubsubNotFound } from '../components/not-found.ts';
import type { App, Lane } from '../state/app.ts';
import { laneKey, laneName, streamOf } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { StreamSlot } from '../state/stream-slots.ts';
import type { SharedServices } from '../common-services.ts';
import type { Serving } from './serving.ts';

/** Path of every event of a stream. */
const PATH = '/';
/** Open streams of one app to one topic: each gets a copy of every message, and all copies are made at once. */
const MAX_OF_TOPIC = 1000;
/** Lost streams of an app that wait for the next one of their topic: a client may leave any number of them. */
const MAX_LOST = 1_000;

export class Streams {
  readonly #shared: SharedServices;
  readonly #components: Components;
  readonly #serving: Serving;

  constructor(shared: SharedServices, components: Components, serving: Serving) {
    this.#shared = shared;
    this.#components = components;
    this.#serving = serving;
  }

  /** Throws Refusal ERR_PUBSUB_NOT_FOUND, ERR_PUBSUB_SUBSCRIBE_FORBIDDEN or TOO_LARGE. Resolves once the subscription is served. */
  async open(app: App, request: StreamRequest): Promise<OpenStream> {
    const { pubsubname, topic, channel } = request;
    const { appId } = app;
    // Deliveries that lost streams leave are moved first, so that a new one does not get a copy that is about to join another one.
    const moving = this.#shared.turns.idle();
    if (moving !== undefined) await moving;
    const ready = this.#components.pubsub(appId, pubsubname);
    if (ready === undefined) throw pubsubNotFound(this.#components, { appId, pubsubname, topic });
    if (!maySubscribe(ready.scopes, appId, topic))
      throw new Refusal('ERR_PUBSUB_SUBSCRIBE_FORBIDDEN', { pubsubname, topic, appId });
    const number = freeNumber(app, request);
    if (number > MAX_OF_TOPIC) {
      const expected = `at most ${MAX_OF_TOPIC} open streams of an app to one topic`;
      throw new Refusal('TOO_LARGE', { reason: `There may be ${expected}.` }, { expected });
    }
    const subscription = this.#subscription(app, request, number);
    const slot: StreamSlot = { subscription, channel };
    const before = [...app.streams.of(request)].find((one) => numberOf(one) === number);
    if (before !== undefined) app.removeStream(before);
    app.addStream(slot);
    this.#log(`A stream of ${theApp(appId)} subscribed to ${pubsubname}/${topic}.`);
    await this.#serving.align(app);
    for (const lane of app.lanes.values()) if (isLaneOf(lane, request)) lane.lookAgain();
    return { close: (how) => this.#close(app, slot, how) };
  }

  #subscription(app: App, request: StreamRequest, number: number): Subscription {
    const { pubsubname, topic, metadata, deadLetterTopic } = request;
    return {
      appId: app.appId,
      pubsubname,
      topic,
      source: 'streaming',
      ...(number === 1 ? {} : { stream: number }),
      rules: [],
      defaultPath: PATH,
      metadata,
      rawPayload: readRawPayload(metadataValue(metadata, 'rawPayload', this.#shared.profile)),
      ...withoutUndefined({ deadLetterTopic }),
    };
  }

  /** Closes a stream; deliveries that it has not answered stay in their lane and wait. */
  async #close(app: App, slot: StreamSlot, how: 'ended' | 'lost'): Promise<void> {
    if (!app.streams.has(slot)) return;
    const { subscription } = slot;
    const lane = app.lanes.get(laneName(laneKey({ appId: app.appId, subscription })));
    if (lane !== undefined) {
      lane.channel = undefined;
      lane.standing = 'ended';
    }
    app.removeStream(slot);
    // Another open stream gets its own copy of every message, so none waits for this one.
    const isAlone = ![...app.streams.of(subscription)].some(({ channel }) => channel !== undefined);
    const keeps = how === 'lost' && isAlone && !app.stopping;
    if (keeps) this.#keepLost(app, subscription);
    const { pubsubname, topic } = subscription;
    const end = keeps ? 'was lost: what is published waits for the next one' : 'ended';
    this.#log(`The stream of ${theApp(app.appId)} on ${pubsubname}/${topic} ${end}.`);
    await this.#serving.align(app);
  }

  /** Keeps the subscription of a lost stream, in place of the one that was lost longest ago if there are too many. */
  #keepLost(app: App, subscription: Subscription): void {
    app.addStream({ subscription, channel: undefined });
    const { lost } = app.streams;
    const [oldest] = lost;
    if (lost.size <= MAX_LOST || oldest === undefined) return;
    app.removeStream(oldest);
    const { pubsubname, topic } = oldest.subscription;
    this.#log(
      `${theAppFirst(app.appId)} has more than ${MAX_LOST} lost streams. That on ${pubsubname}/${topic} is no longer waited for.`,
    );
  }

  #log(text: string): void {
    this.#shared.log.write('info', 'streams', text);
  }
}

/**
 * Lane of an open stream of the topic that does not have the message, for a delivery whose stream has ended; undefined: none. A client may
 * reconnect before its old connection is found dead, and then no stream would ever take over from the old one.
 */
export function otherStream(app: App, delivery: LiveDelivery): Lane | undefined {
  const { pubsubname, topic } = delivery.subscription;
  const other = openLane(app, { pubsubname, topic }, delivery);
  if (other !== undefined) delivery.moveToStream(other.key.stream);
  return other;
}

/**
 * The first lane of this topic with an open stream that does not have the message. Where thousands of deliveries lose their streams at once, none
 * is open, or all have the message: so the numbers of the open ones are looked at, and no names are made.
 */
function openLane(
  app: App,
  { pubsubname, topic }: Pick<StreamRequest, 'pubsubname' | 'topic'>,
  delivery: LiveDelivery,
): Lane | undefined {
  let having: ReadonlySet<number | undefined> | undefined;
  let first: Lane | undefined;
  for (const slot of app.streams.of({ pubsubname, topic })) {
    const stream = numberOf(slot);
    if (slot.channel === undefined || stream >= (first?.key.stream ?? Infinity)) continue;
    having ??= streamsHaving(delivery);
    if (having.has(stream)) continue;
    const lane = app.lanes.get(laneName({ appId: app.appId, pubsubname, topic, stream }));
    if (lane?.channel !== undefined) first = lane;
  }
  return first;
}

/** Numbers of the streams of its topic that have the message of a delivery. */
function streamsHaving({ appId, message, subscription }: LiveDelivery): ReadonlySet<number | undefined> {
  const numbers = new Set<number | undefined>();
  for (const one of message.deliveries)
    if (one.appId === appId && isOf(one, subscription)) numbers.add(streamOf(one.subscription).stream);
  return numbers;
}

/**
 * Whether another copy of the message waits for the next stream of the topic: it was sent to several streams that have all ended. A copy
 * that a person edited is not the same.
 */
export function waitsElsewhere(app: App, d: LiveDelivery): boolean {
  // The name of a lane is made last: with hundreds of streams each delivery looks at hundreds of others.
  const isWaiting = (one: LiveDelivery): boolean => {
    const mayWait =
      one.state === 'queued' &&
      one.waitsForSubscription &&
      one !== d &&
      one.appId === d.appId &&
      one.lock === undefined &&
      one.changed === undefined;
    if (!mayWait) return false;
    const key = laneKey(one);
    return isLaneOf({ key }, d.subscription) && app.lanes.get(laneName(key))?.channel === undefined;
  };
  return d.changed === undefined && d.message.deliveries.some(isWaiting);
}

/** Whether the lane is one of the streams of this topic. */
function isLaneOf(
  { key }: Pick<Lane, 'key'>,
  { pubsubname, topic }: Pick<StreamRequest, 'pubsubname' | 'topic'>,
): boolean {
  return key.stream !== undefined && key.pubsubname === pubsubname && key.topic === topic;
}

/** The first number among the streams of this topic that no open stream has. */
function freeNumber(app: App, request: Pick<StreamRequest, 'pubsubname' | 'topic'>): number {
  const numbers = new Set<number>();
  for (const one of app.streams.of(request)) if (one.channel !== undefined) numbers.add(numberOf(one));
  for (let number = 1; ; number += 1) if (!numbers.has(number)) return number;
}

function numberOf({ subscription }: StreamSlot): number {
  return subscription.stream ?? 1;
}

function isOf(
  { subscription }: { readonly subscription: { readonly pubsubname: string; readonly topic: string } },
  { pubsubname, topic }: Pick<StreamRequest, 'pubsubname' | 'topic'>,
): boolean {
  return subscription.pubsubname === pubsubname && subscription.topic === topic;
}
