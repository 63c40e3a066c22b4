/** Checks that several cases share; each throws an AssertionError that says what was seen. */
import assert from 'node:assert/strict';
import type { Context } from './case.ts';
import type { Delivery } from './deliveries.ts';
import type { Answer } from './http-client.ts';

export type Json = Readonly<Record<string, unknown>>;

/** 204 without a body. */
export function accepted(answer: Answer): void {
  assert.deepEqual(
    [answer.status, answer.text],
    [204, ''],
    `expected 204, got ${answer.status} ${answer.text}`,
  );
}

/** An error body of this status and code, as JSON; returns it. */
export function refused(answer: Answer, status: number, errorCode: string): Json {
  assert.equal(
    answer.status,
    status,
    `expected ${status}, got ${answer.status} ${answer.text.slice(0, 300)}`,
  );
  assert.match(String(answer.headers['content-type']), /^application\/json/);
  const body = objectOf(answer.json());
  assert.equal(body['errorCode'], errorCode);
  assert.equal(typeof body['message'], 'string');
  return body;
}

/** The value as an object. */
export function objectOf(value: unknown): Json {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `no object: ${String(value)}`,
  );
  return Object.fromEntries(Object.entries(value));
}

/** The value as a list. */
export function listOf(value: unknown): readonly unknown[] {
  assert.ok(Array.isArray(value), `no list: ${String(value)}`);
  return value;
}

/** Publishes, expects 204, and gives the envelope that the app of `topic(name)` got. */
export async function delivered(
  context: Context,
  body: string | Uint8Array,
  options: Parameters<Context['sidecar']['publish']>[2] = {},
): Promise<Json> {
  accepted(await context.sidecar.publish(context.topic(), body, options));
  return context.event();
}

/** Nothing came to the route of `topic(name)`, and nothing is on its way. */
export async function nothingArrives(context: Context, name?: string): Promise<void> {
  await context.fence();
  assert.deepEqual(
    context.seen(name).map((one) => one.text),
    [],
    'something was delivered',
  );
}

/** Exactly `count` deliveries came to the route of `topic(name)`, and no further one is on its way. */
export async function staysAt(context: Context, count: number, name?: string): Promise<readonly Delivery[]> {
  const seen = await context.arrive(count, name);
  await context.fence();
  assert.equal(context.seen(name).length, count, `deliveries at ${context.path(name)}`);
  return seen;
}

/** The entries of a bulk delivery. */
export function entriesIn(delivery: Delivery): readonly Json[] {
  return listOf(delivery.json()['entries']).map(objectOf);
}

/** The `data` members of the events of a bulk delivery. */
export function dataIn(delivery: Delivery): readonly unknown[] {
  return entriesIn(delivery).map((entry) => objectOf(entry['event'])['data']);
}

/** The two `details` of a publish error, checked against behaviour 1.6. */
export function checkDetails(context: Context, body: Json, reason: string, metadata: Json): void {
  const both = listOf(body['details']).map(objectOf);
  const [info, resource, ...more] = context.names.isNewer ? both.toReversed() : both;
  assert.deepEqual(more, []);
  assert.deepEqual(info, {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    domain: context.names.errorDomain,
    metadata,
    reason: context.names.reasonPrefix + reason,
  });
  assert.equal(resource?.['@type'], 'type.googleapis.com/google.rpc.ResourceInfo');
  assert.equal(resource?.['resource_type'], 'pubsub');
  assert.equal(resource?.['owner'], '');
}
