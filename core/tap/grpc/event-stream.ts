/** A streaming subscription through the tap: each event is a delivery, and the status that the app sends for it is its answer. */
import type { Subscription } from '../../contract/subscription.ts';
import { tryParse } from '../../domain/json.ts';
import type { Codec } from '../../domain/codec.ts';
import { decodedEvent } from '../../grpc-protocol/events.ts';
import { statusNumber, streamAnswer } from '../../grpc-protocol/event-status.ts';
import type { EncodedTopicEvent, InitialRequest, StreamRequest } from '../../grpc-protocol/messages.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { ObservedCall, Passage, TapObserver } from '../../ports/tap.ts';
import type { DeferredReports } from '../deferred-reports.ts';
import type { NoReply } from '../exchange.ts';
import { isObject } from '../../domain/json.ts';
import type { OtherCalls } from '../other-calls.ts';
import { timed } from '../pass-through.ts';
import { statusOf } from './answers.ts';
import { changedMessage, changedText, eventCall, seenOf } from './deliveries.ts';
import type { ReadCall } from './deliveries.ts';
import { framed, plainBytes } from './frames.ts';
import type { Piece } from './frames.ts';
import { metadataOf, valueOf } from './headers.ts';
import type { OpenMessageStream, SeenReply, StreamHead, StreamReceivers } from './side.ts';
import { UnansweredEvents } from './unanswered-events.ts';
import type { Profile } from '../../contract/profile.ts';

export interface EventStreamDependencies {
  readonly appId: string;
  readonly observer: TapObserver;
  readonly profile: () => Profile;
  readonly codec: Codec;
  readonly protocol: Protocol;
  readonly others: OtherCalls;
  readonly reports: DeferredReports;
  readonly onDelivery: () => void;
}

export class EventStream implements OpenMessageStream {
  readonly #head: StreamHead;
  readonly #dependencies: EventStreamDependencies;
  readonly #ends: StreamReceivers;
  readonly #list: ReturnType<typeof timed>;
  readonly #unanswered = new UnansweredEvents();
  /** Events that a hold keeps from the app. */
  readonly #held = new Set<ObservedCall>();
  /** Events whose answer a hold keeps from the sidecar. */
  readonly #heldAnswers = new Set<ObservedCall>();
  #subscription: Subscription | undefined;

  constructor(head: StreamHead, dependencies: EventStreamDependencies, ends: StreamReceivers) {
    this.#head = head;
    this.#dependencies = dependencies;
    this.#ends = ends;
    const { reports, others } = dependencies;
    this.#list = timed(
      { to: 'sidecar', reports, others },
      { method: 'POST', path: head.path, protocol: 'grpc' },
    );
  }

  fromClient({ raw, message }: Piece): Promise<void> | undefined {
    const bytes = message && plainBytes(message, valueOf(this.#head.headers, 'grpc-encoding'));
    const request = bytes && this.#decoded(() => this.#dependencies.protocol.streamRequest.decode(bytes));
    const initial = request?.initial_request;
    if (initial !== undefined && initial !== null && this.#subscription === undefined)
      this.#subscription = subscriptionOf(initial, this.#dependencies.appId);
    const processed = request?.event_processed;
    if (processed !== undefined && processed !== null) return this.#processed(raw, processed);
    this.#ends.toServer(raw);
    return undefined;
  }

  fromServer({ raw, message }: Piece): Promise<void> | undefined {
    const bytes = message && plainBytes(message, undefined);
    const event =
      bytes && this.#decoded(() => this.#dependencies.protocol.streamResponse.decode(bytes))?.event_message;
    if (event === undefined || event === null || this.#subscription === undefined) {
      this.#ends.toClient(raw);
      return undefined;
    }
    return this.#deliver(raw, event, this.#subscription);
  }

  closed(reply: SeenReply | undefined, { message }: NoReply): void {
    this.#list(reply === undefined ? { note: message } : { status: statusOf(reply).code });
    for (const call of this.#held) call.lost('The stream ended before the app had it.');
    this.#held.clear();
    for (const call of this.#heldAnswers) call.lost('The stream ended while the answer was held.');
    this.#heldAnswers.clear();
    this.#unanswered.end('The stream ended before the event was answered.');
  }

  #deliver(raw: Buffer, message: EncodedTopicEvent, subscription: Subscription): Promise<void> | undefined {
    const { observer, codec, reports, onDelivery } = this.#dependencies;
    const event = decodedEvent(message);
    const found = { subscription, route: { path: event.path } };
    const read = eventCall(event, { routes: { subscribed: () => found }, codec });
    const mayStop = observer.stopsOf(this.#dependencies.appId).delivery;
    const { headers, path } = this.#head;
    const request = {
      method: path,
      url: `grpc://${this.#head.from}${path}`,
      headers: metadataOf(headers),
      body: read.text,
    };
    // The event may be of a publish that waits to be reported, so that publish goes first.
    reports.flush();
    const call = observer.delivering({
      ...seenOf(read, this.#dependencies),
      request,
      requestWith: (wires) => ({ ...request, body: changedText(read, wires, codec) }),
      mayStop,
    });
    onDelivery();
    if (!mayStop) {
      this.#unanswered.add(event.id, call, raw.length);
      this.#ends.toClient(raw);
      return undefined;
    }
    this.#held.add(call);
    return call.passage.then((passage) => {
      if (this.#held.delete(call)) this.#goOn(raw, read, call, passage);
    });
  }

  #goOn(raw: Buffer, read: ReadCall, call: ObservedCall, passage: Passage): void {
    const { protocol } = this.#dependencies;
    const id = read.message.kind === 'event' ? read.message.event.id : '';
    switch (passage.kind) {
      case 'pass':
        this.#unanswered.add(id, call, raw.length);
        this.#ends.toClient(raw);
        return;
      case 'changed': {
        this.#unanswered.add(id, call, raw.length);
        const event_message = protocol.topicEventRequest.decode(
          changedMessage(read, passage.wires, this.#dependencies),
        );
        this.#ends.toClient(framed(protocol.streamResponse.encode({ event_message })));
        return;
      }
      case 'answered':
        this.#answer(id, passage.answer);
    }
  }

  /** Handles the status that the app sends for an event. */
  #processed(
    raw: Buffer,
    { id, status }: NonNullable<NonNullable<StreamRequest['event_processed']>>,
  ): Promise<void> | undefined {
    const call = this.#unanswered.take(id);
    if (call === undefined) {
      this.#ends.toServer(raw);
      return undefined;
    }
    const stops = this.#dependencies.observer.stopsOf(this.#dependencies.appId).response;
    const changed = call.answered(streamAnswer(status?.status ?? 0));
    if (!stops || changed === undefined) {
      this.#ends.toServer(raw);
      return undefined;
    }
    this.#heldAnswers.add(call);
    return changed.then((instead) => {
      // The stream has ended, so the answer is no longer needed.
      if (!this.#heldAnswers.delete(call)) return;
      if (instead === undefined) this.#ends.toServer(raw);
      else this.#answer(id, instead);
    });
  }

  /** Answers in the app's place. A stream has no errors for single events, so anything but a proper answer becomes RETRY. */
  #answer(id: string, answer: ReceivedAnswer): void {
    const text =
      answer.kind === 'response' && answer.status === 0 ? Buffer.from(answer.body ?? '').toString() : '';
    const said = tryParse(text)?.value;
    const isAnswer = answer.kind === 'response' && answer.status === 0;
    const status = isAnswer
      ? statusNumber(isObject(said) ? said['status'] : undefined)
      : statusNumber('RETRY');
    this.#ends.toServer(
      framed(
        this.#dependencies.protocol.streamRequest.encode({ event_processed: { id, status: { status } } }),
      ),
    );
  }

  /** The decoded message; undefined: the bytes cannot be decoded, and pass as they are. */
  #decoded<T>(decode: () => T): T | undefined {
    try {
      return decode();
    } catch {
      return undefined;
    }
  }
}

function subscriptionOf(
  { pubsub_name: pubsubname, topic, metadata, dead_letter_topic: deadLetterTopic }: InitialRequest,
  appId: string,
): Subscription {
  return {
    appId,
    pubsubname,
    topic,
    source: 'streaming',
    rules: [],
    defaultPath: '/',
    metadata: { ...metadata },
    rawPayload: metadata['rawPayload'] === 'true',
    ...(deadLetterTopic === undefined || deadLetterTopic === null || deadLetterTopic === ''
      ? {}
      : { deadLetterTopic }),
  };
}
