/** Reads the events of a call to a gRPC app, and builds the same message with changed events. */
import { batchedEvent, eventText, messageText } from '../../domain/topic-event.ts';
import type { AppMessage, BatchedEvent, EventBatch, TopicEvent } from '../../domain/topic-event.ts';
import { textOf } from '../../domain/codec.ts';
import { tooLongName } from '../../domain/name-length.ts';
import type { Codec, Wire } from '../../domain/codec.ts';
import type { Profile } from '../../contract/profile.ts';
import { decodedBatch, decodedEvent, encodedBatch, encodedEvent } from '../../grpc-protocol/events.ts';
import type { Protocol } from '../../grpc-protocol/protocol.ts';
import { isBatchMethod } from '../../grpc-protocol/replies.ts';
import type { SeenDelivery, SeenEvent } from '../../ports/tap.ts';
import type { FoundRoute, Routes } from '../routes.ts';
import { onlyMessage, plainBytes } from './frames.ts';
import { valueOf } from './headers.ts';
import type { StreamHead } from './side.ts';

export interface ReadCall {
  readonly message: Extract<AppMessage, { kind: 'event' | 'batch' }>;
  /** The message as people see it. */
  readonly text: string;
  readonly found: FoundRoute;
  /** Topic of the events, where the subscription's is a pattern. */
  readonly topic: string;
  readonly events: readonly SeenEvent[];
}

export interface CallReader {
  readonly routes: Pick<Routes, 'subscribed'>;
  readonly codec: Codec;
  readonly protocol: Protocol;
}

/** Reads the events of a call; undefined: its body cannot be read, or its topic is longer than a row has room for. */
export function readCall(
  { path, headers }: StreamHead,
  body: Buffer,
  reader: CallReader,
): ReadCall | undefined {
  const message = onlyMessage(body);
  const bytes = message && plainBytes(message, valueOf(headers, 'grpc-encoding'));
  if (bytes === undefined) return undefined;
  try {
    const { topicEventBulkRequest, topicEventRequest } = reader.protocol;
    const read = isBatchMethod(path)
      ? batchCall(decodedBatch(topicEventBulkRequest.decode(bytes)), reader)
      : eventCall(decodedEvent(topicEventRequest.decode(bytes)), reader);
    return tooLongName('a topic', read.found.subscription.topic) === undefined ? read : undefined;
  } catch {
    // Bytes that cannot be decoded pass anyway: the call is listed among the other calls, with a note.
    return undefined;
  }
}

/** One event, of a call or of a stream. */
export function eventCall(event: TopicEvent, { routes, codec }: Omit<CallReader, 'protocol'>): ReadCall {
  const found = routes.subscribed(event.pubsub_name, event.topic, event.path);
  const message = { kind: 'event', event } as const;
  return {
    message,
    text: messageText(message, codec),
    found,
    topic: topicOf(event, event.topic),
    events: [{ entryId: '', wire: wireOf(event, found, codec) }],
  };
}

function batchCall(batch: EventBatch, { routes, codec }: CallReader): ReadCall {
  const found = routes.subscribed(batch.pubsub_name, batch.topic, batch.path);
  const message = { kind: 'batch', batch } as const;
  const [first] = batch.entries;
  return {
    message,
    text: messageText(message, codec),
    found,
    topic: first?.cloud_event === undefined ? batch.topic : topicOf(first.cloud_event, batch.topic),
    events: batch.entries.map(({ entry_id: entryId, cloud_event: event, bytes = '' }) => ({
      entryId,
      wire: event === undefined ? asText(bytes, codec) : wireOf(event, found, codec),
    })),
  };
}

/** For a wildcard subscription the message names the pattern: the event has the topic itself. */
function topicOf({ extensions }: BatchedEvent, named: string): string {
  const { topic } = extensions;
  return typeof topic === 'string' ? topic : named;
}

/** A raw subscription gets what was stored as the data of a wrapper. */
function wireOf(event: BatchedEvent, { subscription }: FoundRoute, codec: Codec): Wire {
  return subscription.rawPayload === true ? asText(event.data, codec) : eventText(event, codec);
}

function asText(wire: Wire, codec: Codec): Wire {
  return typeof wire === 'string' || !codec.isUtf8(wire) ? wire : codec.toText(wire);
}

/** Report about a call to the runtime, without its request and whether it can be held. */
export function seenOf(
  { message, found, topic, events }: ReadCall,
  { appId, profile }: { readonly appId: string; readonly profile: () => Profile },
): Omit<SeenDelivery, 'request' | 'requestWith' | 'mayStop'> {
  return {
    appId,
    profile: profile(),
    protocol: 'grpc',
    ...found,
    topic,
    events,
    isBulk: message.kind === 'batch',
  };
}

/** The message with other events, by entry id, as bytes. */
export function changedMessage(
  read: ReadCall,
  wires: ReadonlyMap<string, Wire>,
  { protocol, codec }: { readonly protocol: Protocol; readonly codec: Codec },
): Buffer {
  const message = withWires(read, wires, codec);
  return message.kind === 'event'
    ? protocol.topicEventRequest.encode(encodedEvent(message.event))
    : protocol.topicEventBulkRequest.encode(encodedBatch(message.batch));
}

/** The message with other events, by entry id, as people see it. */
export function changedText(read: ReadCall, wires: ReadonlyMap<string, Wire>, codec: Codec): string {
  return messageText(withWires(read, wires, codec), codec);
}

function withWires(
  { message, found }: ReadCall,
  wires: ReadonlyMap<string, Wire>,
  codec: Codec,
): ReadCall['message'] {
  const isRaw = found.subscription.rawPayload === true;
  const changed = <E extends BatchedEvent>(event: E, wire: Wire | undefined): E =>
    wire === undefined ? event : { ...event, ...changesOf(wire, isRaw, codec) };
  if (message.kind === 'event') return { kind: 'event', event: changed(message.event, wires.get('')) };
  const entries = message.batch.entries.map((entry) => {
    const wire = wires.get(entry.entry_id);
    if (wire === undefined) return entry;
    if (entry.cloud_event === undefined) return { ...entry, bytes: wire };
    return { ...entry, cloud_event: changed(entry.cloud_event, wire) };
  });
  return { kind: 'batch', batch: { ...message.batch, entries } };
}

/** Bytes that are no event, and those for a raw subscription, are the data alone. */
function changesOf(wire: Wire, isRaw: boolean, codec: Codec): Partial<BatchedEvent> {
  const read = isRaw ? undefined : batchedEvent(textOf(wire, codec), codec);
  return read?.ok === true ? read.value : { data: wire };
}
