/** Requests to a gRPC app and on a stream: events, batches and events of bindings as messages. */
import { APP_METHODS } from '../../contract/grpc.ts';
import { bytesOf } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { BINARY_CONTENT_TYPE, CLOUDEVENT_CONTENT_TYPE } from '../../domain/content-type.ts';
import { messageText, addressedEvent, rawBatchedEvent } from '../../domain/topic-event.ts';
import type { AppMessage, BatchedEvent, EventBatch } from '../../domain/topic-event.ts';
import { binaryTopicEvent } from '../../domain/binary-event.ts';
import { traceBinary } from '../../domain/trace-binary.ts';
import { ATTEMPT_HEADER } from '../../ports/mock-app.ts';
import { settingsOf } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { readEventOf } from './read-event.ts';
import { handedOn, rawFacts, takesRaw } from './request.ts';
import type { CallTarget, Request } from './request.ts';
import { traceOfCall } from './trace.ts';

/** Characters that gRPC allows in keys and values of metadata. */
const KEY = /^[0-9a-z_.-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** Request for one event. Throws if the stored bytes are not an event, because the gRPC message cannot carry them. */
export function grpcRequest(
  shared: SharedServices,
  target: CallTarget,
  d: LiveDelivery,
  wire: Wire,
): Request {
  if (d.subscription.source === 'binding') return bindingRequest(shared, target, d, wire);
  const { pubsubname, topic } = d.subscription;
  const handed = handedOn(d, target.lane, shared.profile);
  const event = takesRaw(d, target.lane)
    ? rawBatchedEvent(wire, rawFacts(shared, d, topic, handed))
    : (binaryTopicEvent(wire, handed, shared.codec) ?? eventOf(shared, d, wire));
  const isStream = target.lane.channel !== undefined;
  // Answers on a stream are matched by the event's id: an event without one gets the delivery's id.
  const named = isStream && event.id === '' ? { ...event, id: d.deliveryId } : event;
  const message: AppMessage = {
    kind: 'event',
    event: addressedEvent(named, { topic, pubsubname, path: d.route.path }),
  };
  const path = isStream ? STREAM : APP_METHODS.onTopicEvent;
  const headers = isStream ? {} : metadataOf(shared, target, d, wire, 'event');
  return { path, headers, body: messageText(message, shared.codec), message };
}

/** Method that the console shows as the target of a stream's deliveries. */
const STREAM = '/dapr.proto.runtime.v1.Dapr/SubscribeTopicEventsAlpha1';

/** Request for a batch of one route; `wires` in the order of `batch`. */
export function grpcBatch(
  shared: SharedServices,
  target: CallTarget,
  batch: readonly LiveDelivery[],
  wires: readonly Wire[],
): Request | undefined {
  const [first] = batch;
  if (first === undefined) return undefined;
  const { pubsubname, topic } = first.subscription;
  const isRaw = settingsOf(first, target.lane)?.rawPayload === true;
  const message: EventBatch = {
    id: shared.ids.uuid(),
    entries: batch.map((d, i) => {
      const wire = wires[i] ?? '';
      const common = { entry_id: d.entryId, metadata: handedOn(d, target.lane, shared.profile) };
      return isRaw
        ? { ...common, bytes: wire, content_type: BINARY_CONTENT_TYPE }
        : { ...common, cloud_event: eventOf(shared, d, wire), content_type: CLOUDEVENT_CONTENT_TYPE };
    }),
    metadata: { pubsubName: pubsubname },
    topic,
    pubsub_name: pubsubname,
    type: shared.profile.bulkEventType,
    path: first.route.path,
  };
  const whole: AppMessage = { kind: 'batch', batch: message };
  const headers = metadataOf(shared, target, first, wires[0] ?? '', 'batch');
  const body = messageText(whole, shared.codec);
  return { path: APP_METHODS.onBulkTopicEvent, headers, body, message: whole };
}

function bindingRequest(shared: SharedServices, target: CallTarget, d: LiveDelivery, wire: Wire): Request {
  const given = d.headers ?? d.message.metadata;
  const message: AppMessage = {
    kind: 'binding',
    event: { name: d.subscription.pubsubname, data: bytesOf(wire, shared.codec), metadata: given },
  };
  const headers: Record<string, string> = {};
  addOwn(headers, shared, target);
  return { path: APP_METHODS.onBindingEvent, headers, body: messageText(message, shared.codec), message };
}

function eventOf({ codec }: SharedServices, { message }: LiveDelivery, wire: Wire): BatchedEvent {
  const read = readEventOf(message, wire, codec);
  if (!read.ok) throw new Error(`${read.complaint}.`);
  return read.value;
}

/**
 * Metadata of a call: the component's, trace, token. Metadata that gRPC cannot carry is left out. Of a batch each entry has its own in the
 * message, and the trace is the first one's.
 */
function metadataOf(
  shared: SharedServices,
  target: CallTarget,
  d: LiveDelivery,
  wire: Wire,
  carries: 'event' | 'batch',
): Record<string, string> {
  const metadata: Record<string, string> = {};
  const handed = handedOn(d, target.lane, shared.profile);
  for (const [name, value] of Object.entries(carries === 'event' ? handed : {})) {
    const key = name.toLowerCase();
    const isOther = key === 'content-type' || key === 'content-length';
    const isReserved = key.endsWith('-bin') || key.startsWith('grpc-');
    if (!isOther && !isReserved && KEY.test(key) && VALUE.test(value)) metadata[key] = value;
  }
  metadata['pubsubname'] = d.subscription.pubsubname;
  const trace = traceOfCall(d, wire, handed, shared);
  if (trace !== undefined) {
    const { traceparent, tracestate } = trace;
    const binary = traceBinary(traceparent);
    if (binary !== undefined) metadata['grpc-trace-bin'] = shared.codec.toBase64(binary);
    metadata['traceparent'] = traceparent;
    if (tracestate !== '') metadata['tracestate'] = tracestate;
  }
  addOwn(metadata, shared, target);
  return metadata;
}

function addOwn(
  metadata: Record<string, string>,
  shared: SharedServices,
  { app, attemptId }: CallTarget,
): void {
  const token = app.token(shared.appApiToken);
  if (token !== undefined) metadata[shared.profile.tokenHeader] = token;
  if (app.isMocked) metadata[ATTEMPT_HEADER] = attemptId;
}
