/**
 * Metadata that a component passes on with a message: an event in binary mode (bytes, and attributes in the metadata), and a trace for
 * bytes without one. In profile dapr-1.18 the in-memory component passes on the metadata of the publish.
 */
import { expect, test } from 'vitest';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const BARE = 'bare text';
const OCTETS = 'application/octet-stream';
const BINARY = {
  rawPayload: 'true',
  'content-type': OCTETS,
  ce_specversion: '1.0',
  ce_id: '7',
  CE_Type: 't',
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TP = `00-${TRACE}-b7ad6b7169203331-01`;

const RULES = { rules: [{ match: 'event.type == "t"', path: '/typed' }], default: '/other' };

const stand = (more: Readonly<Record<string, unknown>> = {}): Promise<Stand> =>
  started({ profile: 'dapr-1.18' }, (it) => subscribe(it, { topic: 'orders', routes: RULES, ...more }));

test('rules see the attributes of the metadata, and the app gets the bytes', async () => {
  const it = await stand();
  await it.publish('orders', BARE, { contentType: OCTETS, metadata: BINARY });
  const [call] = it.app.calls;
  expect(call?.path).toBe('/typed');
  expect(call?.headers).toMatchObject({ 'content-type': 'application/cloudevents+json', ce_id: '7' });
  expect(call?.text).toBe(BARE);
});

test('a message with an expiry attribute in the past is not sent', async () => {
  const it = await stand();
  const metadata = { ...BINARY, ce_expiration: '1999-01-01T00:00:00Z' };
  const id = await it.publish('orders', BARE, { contentType: OCTETS, metadata });
  expect(await it.states(id)).toEqual(['expired']);
  expect(it.app.calls).toEqual([]);
});

test.each([
  ['without the content type', { ...BINARY, 'content-type': '' }],
  ['without an attribute that every event has', { rawPayload: 'true', 'content-type': OCTETS, ce_type: 't' }],
])('%s the bytes cannot be read as an event', async (_title, metadata) => {
  const it = await stand();
  const id = await it.publish('orders', BARE, { contentType: OCTETS, metadata });
  expect(await it.states(id)).toEqual(['parked']);
});

test('an ordinary envelope stays one, whatever content type its metadata has', async () => {
  const it = await stand();
  await it.publish('orders', { n: 1 }, { metadata: { 'content-type': OCTETS, 'cloudevent.type': 't' } });
  expect(it.app.calls[0]?.path).toBe('/typed');
  expect(it.app.calls[0]?.json()['data']).toEqual({ n: 1 });
});

test('the wrapper for a raw subscription has the trace of the metadata', async () => {
  const it = await stand({ routes: undefined, route: '/raw', metadata: { rawPayload: 'true' } });
  await it.publish('orders', 'x', { metadata: { rawPayload: 'true', traceid: 'other', traceparent: TP } });
  const [call] = it.app.calls;
  expect(call?.json()).toMatchObject({ traceid: TP, traceparent: TP });
  expect(call?.headers['traceparent']).toContain(TRACE);
});

test('the call for an event without a trace has the trace of the metadata, and the bytes stay', async () => {
  const it = await stand();
  await it.publish('orders', '{"type":"t"}', { metadata: { rawPayload: 'true', traceparent: TP } });
  const [call] = it.app.calls;
  expect(call?.text).toBe('{"type":"t"}');
  expect(call?.headers['traceparent']).toMatch(
    new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`),
  );
});
