/** Requests to the app: headers and body of single, bulk and binding deliveries (behaviour 5.1, 6.1 and 8.2). */
import { HOP_BY_HOP } from '../../contract/hop-by-hop.ts';
import { bulkBody } from '../../domain/bulk.ts';
import { CLOUDEVENT_CONTENT_TYPE } from '../../domain/content-type.ts';
import type { Wire } from '../../domain/codec.ts';
import { wrapRaw } from '../../domain/raw-wrapper.ts';
import { ATTEMPT_HEADER } from '../../ports/mock-app.ts';
import { settingsOf } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { grpcBatch, grpcRequest } from './grpc-call.ts';
import { channelOf, handedOn, pathOf, rawFacts, takesRaw } from './request.ts';
import type { CallTarget, Request } from './request.ts';
import { traceOfCall } from './trace.ts';

const JSON_TYPE = 'application/json';

/** Request for one message: the stored bytes unchanged, or a new wrapper for a raw subscription. */
export function singleRequest(
  shared: SharedServices,
  target: CallTarget,
  d: LiveDelivery,
  wire: Wire,
): Request {
  const { lane } = target;
  if (channelOf(target).protocol === 'grpc') return grpcRequest(shared, target, d, wire);
  if (d.subscription.source === 'binding') {
    return {
      path: d.route.path,
      headers: bindingHeaders(shared, target, d.headers ?? d.message.metadata),
      body: wire,
    };
  }
  return {
    path: pathOf(d, shared.profile),
    headers: deliveryHeaders(shared, target, d, wire, 'event'),
    body: takesRaw(d, lane)
      ? wrapRaw(wire, rawFacts(shared, d, d.message.row.topic, handedOn(d, lane, shared.profile)))
      : wire,
  };
}

/** Request for a batch; `wires` in the order of `batch`. Undefined: the batch is empty. */
export function batchRequest(
  shared: SharedServices,
  target: CallTarget,
  batch: readonly LiveDelivery[],
  wires: readonly Wire[],
): Request | undefined {
  const [first] = batch;
  const [firstWire] = wires;
  if (first === undefined || firstWire === undefined) return undefined;
  if (channelOf(target).protocol === 'grpc') return grpcBatch(shared, target, batch, wires);
  const body = bulkBody({
    id: shared.ids.uuid(),
    pubsubname: first.subscription.pubsubname,
    topic: first.message.row.topic,
    raw: settingsOf(first, target.lane)?.rawPayload === true,
    profile: shared.profile,
    codec: shared.codec,
    entries: batch.map((d, i) => ({
      entryId: d.entryId,
      wire: wires[i] ?? '',
      metadata: handedOn(d, target.lane, shared.profile),
    })),
  });
  const headers = deliveryHeaders(shared, target, first, firstWire, 'batch');
  return { path: pathOf(first, shared.profile), headers, body };
}

/** Fixed headers, the component's, trace, tokens. Of a batch each entry has its own metadata in the body, and the trace is the first one's. */
function deliveryHeaders(
  shared: SharedServices,
  target: CallTarget,
  d: LiveDelivery,
  wire: Wire,
  carries: 'event' | 'batch',
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': carries === 'event' ? CLOUDEVENT_CONTENT_TYPE : JSON_TYPE,
  };
  const handed = handedOn(d, target.lane, shared.profile);
  if (carries === 'event') addMetadata(headers, handed);
  headers['pubsubname'] = d.subscription.pubsubname;
  const trace = traceOfCall(d, wire, handed, shared);
  if (trace !== undefined) {
    headers['traceparent'] = trace.traceparent;
    if (trace.tracestate !== '') headers['tracestate'] = trace.tracestate;
  }
  addOwn(headers, shared, target);
  return headers;
}

function bindingHeaders(
  shared: SharedServices,
  target: CallTarget,
  metadata: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  addMetadata(headers, metadata);
  addOwn(headers, shared, target);
  return headers;
}

/** Adds metadata as headers, except headers of the connection or the body, and names that are not valid header names. */
function addMetadata(headers: Record<string, string>, metadata: Readonly<Record<string, string>>): void {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return;
  const named = entries.find(([key]) => key.toLowerCase() === 'connection')?.[1] ?? '';
  const ofConnection = new Set(named.split(',').map((name) => name.trim().toLowerCase()));
  for (const [key, value] of entries) {
    const name = key.toLowerCase();
    if (!NOT_HANDED_ON.has(name) && !ofConnection.has(name) && HEADER_NAME.test(name))
      headers[name] = oneLine(value);
  }
}

function addOwn(
  headers: Record<string, string>,
  shared: SharedServices,
  { app, attemptId }: CallTarget,
): void {
  headers['user-agent'] = `sidelight/${shared.version}`;
  const token = app.token(shared.appApiToken);
  if (token !== undefined) headers[shared.profile.tokenHeader] = token;
  if (app.isMocked) headers[ATTEMPT_HEADER] = attemptId;
}

/** Headers that the call sets itself, and those that end at the next hop. */
const NOT_HANDED_ON: ReadonlySet<string> = new Set([...HOP_BY_HOP, 'content-type', 'content-length']);
const LONE_SURROGATE = /^[\ud800-\udfff]$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Makes a text a header value: it cannot have line ends or other control characters, and anything beyond Latin-1 is written as %XX. */
function oneLine(value: string): string {
  return value.replace(/[^\t\x20-\x7e]/gu, (c) => encodeURIComponent(LONE_SURROGATE.test(c) ? '\ufffd' : c));
}

/** Headers for the record, without the app's token. */
export function withoutSecret(
  headers: Readonly<Record<string, string>>,
  tokenHeader: string,
): Readonly<Record<string, string>> {
  return tokenHeader in headers ? { ...headers, [tokenHeader]: '***' } : headers;
}
