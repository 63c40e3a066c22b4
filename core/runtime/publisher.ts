/** A publish from request to component: checks in the reference's order, journal, component (reference 1.2). */
import type { Origin } from '../contract/message.ts';
import { mayPublish } from '../domain/access.ts';
import type { Wire } from '../domain/codec.ts';
import { wrap } from '../domain/envelope.ts';
import { Refusal, refusalOf } from '../domain/refusal.ts';
import { continueTrace } from '../domain/trace.ts';
import type { Wrapped } from '../domain/wrapped.ts';
import type { PublishRequest } from './api.ts';
import type { App } from './app.ts';
import type { Components, ReadyPubSub } from './components.ts';
import type { Deliveries } from './delivery.ts';
import type { Holds } from './holds.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import type { Shared } from './shared.ts';
import { iso } from './time.ts';

export interface Accepted {
  readonly messageId: string;
  /** Set: accepted and kept, but the component refused it. */
  readonly failed?: string;
}

export interface AcceptFacts {
  readonly appId: string;
  readonly pubsubname: string;
  readonly topic: string;
  readonly source: Origin;
  readonly wrapped: Wrapped;
  readonly givenContentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replayOf?: string;
  readonly batchId?: string;
  readonly deadLetterOf?: { readonly messageId: string; readonly deliveryId: string; readonly topic: string };
  readonly releasedFrom?: readonly string[];
  readonly flags?: readonly string[];
  /** Given where the broker's entry says which message it is; else a new one. */
  readonly messageId?: string;
  readonly broker?: Readonly<Record<string, string>>;
}

export class Publisher {
  readonly #shared: Shared;
  readonly #components: Components;
  readonly #deliveries: Deliveries;
  readonly #holds: Holds;
  #lastNumber = 0;
  stopping = false;
  /** Apps whose first discovery has not ended and that may use this component. */
  undiscovered: (pubsubname: string) => readonly App[] = () => [];

  constructor(shared: Shared, components: Components, deliveries: Deliveries, holds: Holds) {
    this.#shared = shared;
    this.#components = components;
    this.#deliveries = deliveries;
    this.#holds = holds;
  }

  continueFrom(lastNumber: number): void {
    this.#lastNumber = lastNumber;
  }

  /** Throws Refusal: the rows of "Publish" in the interface, codes of reference 1.6. */
  async publish(request: PublishRequest): Promise<Accepted> {
    const ready = this.component(request.appId, request.pubsubname, request.topic);
    const wrapped = this.wrap(request);
    this.authorise(ready, request.appId, request.topic);
    const accepted = await this.accept(ready, {
      appId: request.appId,
      pubsubname: request.pubsubname,
      topic: request.topic,
      source: request.source,
      wrapped,
      givenContentType: request.contentType ?? '',
      metadata: request.metadata,
      ...(request.replayOf === undefined ? {} : { replayOf: request.replayOf }),
      ...(request.releasedFrom === undefined ? {} : { releasedFrom: request.releasedFrom }),
      ...(request.flags === undefined ? {} : { flags: request.flags }),
    });
    if (accepted.failed !== undefined) throw this.failure(request.pubsubname, request.topic, accepted.failed);
    return accepted;
  }

  /** The component by name, with a topic given. */
  component(appId: string, pubsubname: string, topic: string): ReadyPubSub {
    if (pubsubname === '')
      throw new Refusal(
        'ERR_PUBSUB_EMPTY',
        {},
        { field: 'pubsubname', expected: 'the name of a pub/sub component' },
      );
    const ready = this.#components.pubsub(appId, pubsubname);
    if (ready === undefined)
      throw new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname, topic, appId }, { field: 'pubsubname' });
    if (topic === '')
      throw new Refusal('ERR_TOPIC_EMPTY', { pubsubname }, { field: 'topic', expected: 'a topic' });
    return ready;
  }

  wrap(request: Omit<PublishRequest, 'source'>): Wrapped {
    const { clock, ids, profile, codec, settings } = this.#shared;
    const result = wrap(
      {
        pubsubname: request.pubsubname,
        topic: request.topic,
        body: request.body,
        metadata: request.metadata,
        ...(request.contentType === undefined ? {} : { contentType: request.contentType }),
      },
      {
        id: ids.uuid(),
        nowMs: clock.now(),
        appId: request.appId,
        profile,
        codec,
        defaultTtlSeconds: settings.current['delivery.defaultTtlSeconds'],
        ...continueTrace({ traceparent: request.traceparent, tracestate: request.tracestate }, (n) =>
          ids.hex(n),
        ),
      },
    );
    if (!result.ok) {
      const { appId, pubsubname, topic } = request;
      throw refusalOf(result.complaint, { appId, pubsubname, topic });
    }
    return result.value;
  }

  authorise(ready: ReadyPubSub, appId: string, topic: string): void {
    if (mayPublish(ready.scopes, appId, topic)) return;
    throw new Refusal('ERR_PUBSUB_FORBIDDEN', { topic, appId, pubsubname: ready.name }, { field: 'topic' });
  }

  failure(pubsubname: string, topic: string, reason: string): Refusal {
    return new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason });
  }

  /** Why nothing is taken at present; undefined: it is. */
  closedReason(): string | undefined {
    if (this.stopping) return 'the sidecar is stopping';
    const limit = this.#shared.settings.current['delivery.backlog'];
    if (this.#shared.live.backlog >= limit)
      return `the backlog limit of ${limit} unfinished deliveries is reached`;
    return undefined;
  }

  /** Journals the message, then hands it to the component. Throws Refusal only when nothing was kept. */
  async accept(
    ready: ReadyPubSub,
    facts: AcceptFacts,
    how: { evenAboveBacklog?: boolean } = {},
  ): Promise<Accepted> {
    const closed = this.closedReason();
    // A dead-letter copy takes the place of a delivery that ends: it may not fail for want of room.
    if (closed !== undefined && how.evenAboveBacklog !== true)
      throw this.failure(facts.pubsubname, facts.topic, closed);
    const message = this.#message(facts);
    const hold = this.#holds.any('publish') ? this.#holds.atPublish(message) : undefined;
    if (hold !== undefined) {
      message.row = { ...message.row, stage: 'held', heldBy: hold.holdId };
    }
    await this.#keep(message, facts);
    const { live, recorder, metrics } = this.#shared;
    live.add(message);
    metrics.accepted(facts.pubsubname, facts.topic);
    recorder.add({ type: 'message.added', row: message.row });
    if (hold === undefined) return this.handOver(ready, message);
    if (hold.releaseAfterMs !== undefined) this.#releaseLater(message, hold.releaseAfterMs);
    return { messageId: message.messageId };
  }

  /** Gives a kept message to its component; a refusal stays visible as stage `refused`. */
  async handOver(ready: ReadyPubSub, message: LiveMessage): Promise<Accepted> {
    const { messageId } = message;
    const waiting = ready.pubsub.features.keepsHistory ? [] : this.undiscovered(message.row.pubsubname);
    if (waiting.length > 0) {
      void this.#deliveries.patchMessage(message, {
        stage: 'waiting',
        waitingFor: waiting.map((app) => app.appId),
      });
    }
    try {
      const wire = await this.#shared.live.wire(message);
      await ready.pubsub.publish({
        messageId,
        topic: message.row.topic,
        wire,
        contentType: message.row.contentType,
        metadata: message.metadata,
      });
    } catch (error) {
      const failed = error instanceof Error ? error.message : String(error);
      void this.#deliveries.patchMessage(message, {
        stage: message.row.stage === 'held' ? 'held' : 'refused',
        waitingFor: undefined,
        flags: [...(message.row.flags ?? []), `The component refused it: ${failed}`],
      });
      if (message.row.stage === 'refused') this.#deliveries.published(message);
      return { messageId, failed };
    }
    if (
      message.deliveries.length === 0 &&
      message.row.waitingFor === undefined &&
      !ready.pubsub.features.keepsHistory
    ) {
      this.#shared.metrics.withoutSubscription(message.row.pubsubname, message.row.topic);
    }
    this.#deliveries.published(message);
    return { messageId };
  }

  /** A message that another sidecar or a tool put into the broker: kept like our own, never published by us. */
  async adopt(facts: AcceptFacts): Promise<LiveMessage> {
    const message = this.#message(facts);
    message.published = true;
    await this.#keep(message, facts);
    this.#shared.live.add(message);
    this.#shared.metrics.accepted(facts.pubsubname, facts.topic);
    this.#shared.recorder.add({ type: 'message.added', row: message.row });
    return message;
  }

  #releaseLater: (message: LiveMessage, afterMs: number) => void = () => undefined;

  /** Who lets messages go that a hold at `publish` caught for a time. */
  set onReleaseLater(release: (message: LiveMessage, afterMs: number) => void) {
    this.#releaseLater = release;
  }

  async #keep(message: LiveMessage, facts: AcceptFacts): Promise<void> {
    const { row, wire, metadata, givenContentType, releasedFrom } = message;
    try {
      await this.#shared.writer.accept([
        {
          kind: 'message.accepted',
          message: {
            row,
            wire: wire ?? '',
            metadata,
            givenContentType,
            ...(releasedFrom.length === 0 ? {} : { releasedFrom }),
          },
        },
      ]);
    } catch (error) {
      throw this.failure(
        facts.pubsubname,
        facts.topic,
        error instanceof Error ? error.message : String(error),
      );
    }
  }

  #message(facts: AcceptFacts): LiveMessage {
    const { wrapped } = facts;
    const flags = [...wrapped.flags, ...(facts.flags ?? [])];
    this.#lastNumber += 1;
    const messageId = facts.messageId ?? this.#shared.ids.next('message');
    return {
      messageId,
      row: {
        messageId,
        number: this.#lastNumber,
        at: iso(this.#shared.clock.now()),
        pubsubname: facts.pubsubname,
        topic: facts.topic,
        appId: facts.appId,
        source: facts.source,
        ...(wrapped.eventId === undefined ? {} : { eventId: wrapped.eventId }),
        ...(wrapped.eventType === undefined ? {} : { eventType: wrapped.eventType }),
        ...(wrapped.subject === undefined ? {} : { subject: wrapped.subject }),
        contentType: wrapped.contentType,
        sizeBytes: wireSize(wrapped.wire, (text) => this.#shared.codec.fromText(text).length),
        raw: wrapped.kind === 'raw',
        ...(facts.replayOf === undefined ? {} : { replayOf: facts.replayOf }),
        ...(facts.batchId === undefined ? {} : { batchId: facts.batchId }),
        ...(facts.deadLetterOf === undefined ? {} : { deadLetterOf: facts.deadLetterOf }),
        ...(wrapped.traceId === undefined ? {} : { traceId: wrapped.traceId }),
        ...(wrapped.expiresAtMs === undefined ? {} : { expiresAt: iso(wrapped.expiresAtMs) }),
        ...(facts.broker === undefined ? {} : { broker: facts.broker }),
        ...(flags.length === 0 ? {} : { flags }),
        unread: true,
        deliveries: [],
      },
      wire: wrapped.wire,
      metadata: facts.metadata,
      givenContentType: facts.givenContentType,
      releasedFrom: facts.releasedFrom ?? [],
      published: false,
      gone: false,
      deliveries: [] as LiveDelivery[],
    };
  }
}

/** Size in bytes. ASCII text, by far the most common, is measured without encoding it. */
function wireSize(wire: Wire, encodedLength: (text: string) => number): number {
  if (typeof wire !== 'string') return wire.length;
  // Only characters beyond ASCII take more than one byte.
  return NOT_ASCII.test(wire) ? encodedLength(wire) : wire.length;
}

const NOT_ASCII = /[^\u0000-\u007f]/;
