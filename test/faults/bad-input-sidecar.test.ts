/** Bad requests at the sidecar: each is answered precisely, changes nothing, and the product continues. */
import { describe, expect, test } from 'vitest';
import { running } from './bad-input-running.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT_TYPE = { 'content-type': 'application/cloudevents+json' };
const FOUR_MIB = 4 * 1024 * 1024;
const PUBLISH = '/v1.0/publish/pubsub/orders';
const BULK = '/v1.0-alpha1/publish/bulk/pubsub/orders';

const { product, unchanged } = running();

interface SidecarCase {
  readonly what: string;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly says: string;
}

const SIDECAR: readonly SidecarCase[] = [
  {
    what: 'an unknown component',
    route: '/v1.0/publish/nope/orders',
    headers: JSON_TYPE,
    body: '{}',
    status: 404,
    says: '"errorCode":"ERR_PUBSUB_NOT_FOUND","message":"pubsub nope is not found"',
  },
  {
    what: 'no topic',
    route: '/v1.0/publish/pubsub/',
    headers: JSON_TYPE,
    body: '{}',
    status: 404,
    says: '"errorCode":"ERR_TOPIC_EMPTY","message":"topic is empty in pubsub pubsub"',
  },
  {
    what: 'a body one byte over the limit',
    route: PUBLISH,
    headers: JSON_TYPE,
    body: 'x'.repeat(FOUR_MIB + 1),
    status: 400,
    says: 'error reading request body: stream too large',
  },
  {
    what: 'a CloudEvent that is not JSON',
    route: PUBLISH,
    headers: EVENT_TYPE,
    body: '{"specversion":"1.0"',
    status: 500,
    says: '"errorCode":"ERR_PUBSUB_CLOUD_EVENTS_SER","message":"cannot create cloudevent"',
  },
  {
    what: 'a CloudEvent that is a list',
    route: PUBLISH,
    headers: EVENT_TYPE,
    body: '[1]',
    status: 500,
    says: 'the body is an array, not a JSON object',
  },
  {
    what: 'metadata that cannot be read',
    route: `${PUBLISH}?metadata.rawPayload=maybe`,
    headers: JSON_TYPE,
    body: '{}',
    status: 400,
    says: "rawPayload value must be a valid boolean: actual is 'maybe'",
  },
  {
    what: 'a bulk publish that is no list',
    route: BULK,
    headers: JSON_TYPE,
    body: '{}',
    status: 400,
    says: 'the body must be an array, found an object',
  },
  {
    what: 'a bulk publish with an id twice',
    route: BULK,
    headers: JSON_TYPE,
    body: JSON.stringify(['a', 'a'].map((entryId) => ({ entryId, event: 'x', contentType: 'text/plain' }))),
    status: 400,
    says: '"errorCode":"ERR_PUBSUB_EVENTS_SER"',
  },
  {
    what: 'a bulk publish to an unknown component',
    route: '/v1.0-alpha1/publish/bulk/nope/orders',
    headers: JSON_TYPE,
    body: JSON.stringify([{ entryId: '1', event: 'x', contentType: 'text/plain' }]),
    status: 400,
    says: '"errorCode":"ERR_PUBSUB_NOT_FOUND","message":"pubsub \'nope\' not found"',
  },
  {
    what: 'an unknown route',
    route: '/v1.0/nothing',
    headers: JSON_TYPE,
    body: '{}',
    status: 404,
    says: '"errorCode":"ERR_DIRECT_INVOKE"',
  },
  {
    what: 'a page of a foreign origin',
    route: PUBLISH,
    headers: { ...JSON_TYPE, origin: 'https://example.org' },
    body: '{}',
    status: 403,
    says: 'origin https://example.org is not allowed',
  },
];

describe('the sidecar', () => {
  test.each(SIDECAR)('$what', async ({ route, headers, body, status, says }) => {
    const answer = await product().sidecar(route, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(says);
    await unchanged();
  });
});
