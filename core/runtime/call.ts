/** What is sent to the app: headers and body of single and bulk deliveries (reference 5.1 and 6.1). */
import { bulkBody } from '../domain/bulk.ts';
import type { Wire } from '../domain/codec.ts';
import { wrapRaw } from '../domain/raw-wrapper.ts';
import { ATTEMPT_HEADER } from '../ports/mock-app.ts';
import type { App } from './app.ts';
import type { LiveDelivery } from './live.ts';
import type { Shared } from './shared.ts';
import { traceOfWire } from './trace.ts';

const SINGLE_TYPE = 'application/cloudevents+json';

/** Headers of a delivery: fixed ones, the component's, trace, tokens. `content-type` and `content-length` of others are skipped. */
export function deliveryHeaders(
  shared: Shared,
  app: App,
  d: LiveDelivery,
  attemptId: string,
  wire: Wire,
  subscriptionMetadata: Readonly<Record<string, string>>,
  bulk: boolean,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': bulk ? 'application/json' : SINGLE_TYPE };
  for (const [key, value] of Object.entries(d.headers ?? subscriptionMetadata)) {
    const name = key.toLowerCase();
    if (name !== 'content-type' && name !== 'content-length' && isHeaderName(name))
      headers[name] = oneLine(value);
  }
  headers['pubsubname'] = d.subscription.pubsubname;
  headers['user-agent'] = `sidelight/${shared.version}`;
  if (d.message.row.traceId !== undefined) {
    const trace = traceOfWire(wire, shared);
    headers['traceparent'] = trace.traceparent;
    if (trace.tracestate !== '') headers['tracestate'] = trace.tracestate;
  }
  if (shared.appApiToken !== undefined) headers[shared.profile.tokenHeader] = shared.appApiToken;
  if (app.mock !== undefined) headers[ATTEMPT_HEADER] = attemptId;
  return headers;
}

/** Body of a single delivery: the stored bytes unchanged, or a fresh wrapper for a raw subscription. */
export function singleBody(shared: Shared, d: LiveDelivery, wire: Wire, raw: boolean): Wire {
  if (!raw) return wire;
  return wrapRaw(wire, {
    id: shared.ids.uuid(),
    pubsubname: d.subscription.pubsubname,
    topic: d.message.row.topic,
    profile: shared.profile,
    codec: shared.codec,
  });
}

/** Body of a bulk delivery; `wires` in the order of `batch`. */
export function batchBody(
  shared: Shared,
  batch: readonly LiveDelivery[],
  wires: readonly Wire[],
  raw: boolean,
  subscriptionMetadata: Readonly<Record<string, string>>,
): string {
  const first = batch[0];
  return bulkBody({
    id: shared.ids.uuid(),
    pubsubname: first?.subscription.pubsubname ?? '',
    topic: first?.message.row.topic ?? '',
    raw,
    profile: shared.profile,
    codec: shared.codec,
    entries: batch.map((d, i) => ({
      entryId: d.entryId,
      wire: wires[i] ?? '',
      metadata: d.headers ?? subscriptionMetadata,
    })),
  });
}

const LONE_SURROGATE = /^[\ud800-\udfff]$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

function isHeaderName(name: string): boolean {
  return HEADER_NAME.test(name);
}

/** A header value cannot hold line ends or other control characters; anything beyond Latin-1 goes as %XX. */
function oneLine(value: string): string {
  return value.replace(/[^\t\x20-\x7e]/gu, (c) => encodeURIComponent(LONE_SURROGATE.test(c) ? '\ufffd' : c));
}
