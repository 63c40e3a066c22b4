/** Publish and bulk publish at the HTTP edge: what reaches the sidecar, and every error body. */
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../core/domain/refusal.ts';
import { edgeOf } from './fake-sidecar.ts';

const CALLER = { address: '127.0.0.1', headers: expect.objectContaining({ host: 'localhost:80' }) };

const PUBLISH = '/v1.0/publish/pubsub/orders';
const BULK = '/v1.0-alpha1/publish/bulk/pubsub/orders';
const NAMES = { pubsubname: 'pubsub', topic: 'orders', appId: 'checkout' };

describe('single publish', () => {
  test.each(['POST', 'PUT'] as const)('%s passes body, names and metadata', async (method) => {
    const { server, fake } = edgeOf();
    const answer = await server.inject({
      method,
      url: `${PUBLISH}?metadata.ttlInSeconds=5&metadata.a=1&metadata.a=2&other=3`,
      payload: '{"n":1}',
      headers: { 'content-type': 'application/json; charset=utf-8', traceparent: '00-x', tracestate: 'k=v' },
    });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(fake.published).toEqual([
      {
        pubsubname: 'pubsub',
        topic: 'orders',
        body: Buffer.from('{"n":1}'),
        contentType: 'application/json; charset=utf-8',
        metadata: { ttlInSeconds: '5', a: '2' },
        traceparent: '00-x',
        tracestate: 'k=v',
        source: 'http',
        caller: CALLER,
      },
    ]);
  });

  test.each([
    ['ttlInSeconds=5', 'ttlInSeconds'],
    ['metadata.a=1&ttl=5', 'ttl'],
    ['Metadata.ttlInSeconds=5', 'Metadata.ttlInSeconds'],
    ['metdata.ttl=5', 'metdata.ttl'],
    ['ttl=&metadata.ttl=5', undefined],
    ['shop.ttl=5&title=5', undefined],
  ])(
    'a time to live outside the metadata (%s) is noted, with one message and with several',
    async (query, name) => {
      const { server, fake } = edgeOf();
      for (const path of [PUBLISH, BULK])
        await server.inject({
          method: 'POST',
          url: `${path}?${query}`,
          payload: '[]',
          headers: { 'content-type': 'application/json' },
        });
      expect(fake.published[0]?.misplacedTtl).toBe(name);
      expect(fake.bulk[0]?.misplacedTtl).toBe(name);
    },
  );

  test.each([
    [{}, undefined],
    [{ 'content-type': 'json' }, 'json'],
    [{ 'content-type': 'application/json ;x' }, 'application/json ;x'],
    [{ 'content-type': 'text/plain' }, 'text/plain'],
  ])('content type %o is passed unchanged', async (headers, expected) => {
    const { server, fake } = edgeOf();
    const answer = await server.inject({ method: 'POST', url: PUBLISH, payload: Buffer.from('hi'), headers });
    expect(answer.statusCode).toBe(204);
    expect(fake.published[0]?.contentType).toBe(expected);
    expect(fake.published[0]?.body).toEqual(Buffer.from('hi'));
  });

  test('no body and no content type is an empty body', async () => {
    const { server, fake } = edgeOf();
    expect((await server.inject({ method: 'POST', url: PUBLISH })).statusCode).toBe(204);
    expect(fake.published[0]?.body).toHaveLength(0);
  });

  test.each([
    ['/v1.0/publish', '', ''],
    ['/v1.0/publish/', '', ''],
    ['/v1.0/publish/pubsub', 'pubsub', ''],
    ['/v1.0/publish/pubsub/', 'pubsub', ''],
    ['/v1.0/publish//', '', ''],
    ['/v1.0/publish//orders', '', 'orders'],
    ['/v1.0/publish//pubsub/t', '', 'pubsub/t'],
    ['/v1.0/publish///pubsub//t/', '', 'pubsub/t'],
    ['/v1.0/x/..//publish//pubsub/t', '', 'pubsub/t'],
    ['/v1.0/publish/x/..//pubsub/t', '', 'pubsub/t'],
    ['/v1.0/publish/./pubsub/t', 'pubsub', 't'],
    ['/v1.0/publish/%2F/t', '', 't'],
    ['/v1.0/publish/%20/t', '', 't'],
    ['/v1.0/publish/+%2f/t', '', 't'],
    ['/v1.0/publish/pubsub/a/b/c/', 'pubsub', 'a/b/c'],
    ['/v1.0/publish/pubsub/a%2Fb', 'pubsub', 'a/b'],
    ['/v1.0/publish/pubsub/a+b%2Bc', 'pubsub', 'a b+c'],
    ['/v1.0/./publish/x/../pubsub//a', 'pubsub', 'a'],
    ['/v1.0/publish/bulk/x', 'bulk', 'x'],
    ['/v1.0/publish/ps/gr%C3%B6%C3%9Fe?', 'ps', 'größe'],
  ])('%s is a publish to component %j and topic %j', async (url, pubsubname, topic) => {
    const { server, fake } = edgeOf();
    expect((await server.inject({ method: 'POST', url })).statusCode).toBe(204);
    expect(fake.published[0]).toMatchObject({ pubsubname, topic });
  });

  test('a path with invalid escapes is answered with 400', async () => {
    const { server, fake } = edgeOf();
    for (const url of ['/v1.0/publish/pubsub/%zz', '/v1.0/publish/%/t', '/v1.0/publish/pubsub/a%2']) {
      expect((await server.inject({ method: 'POST', url })).statusCode).toBe(400);
    }
    expect(fake.published).toEqual([]);
  });

  test('a topic may be long', async () => {
    const { server, fake } = edgeOf();
    const topic = 't'.repeat(5_000);
    await server.inject({ method: 'POST', url: `/v1.0/publish/pubsub/${topic}` });
    expect(fake.published[0]?.topic).toBe(topic);
  });

  test('a metadata key that is a name of the language is a key like any other', async () => {
    const { server, fake } = edgeOf();
    await server.inject({
      method: 'POST',
      url: `${PUBLISH}?metadata.__proto__=x&metadata.%zz=1&metadata.=e`,
    });
    expect(Object.entries(fake.published[0]?.metadata ?? {})).toEqual([
      ['__proto__', 'x'],
      ['%zz', '1'],
      ['', 'e'],
    ]);
  });
});

describe('bulk publish', () => {
  test('is answered with 204 if nothing failed, and with the report if something did', async () => {
    const { server, fake } = edgeOf();
    const ok = await server.inject({
      method: 'PUT',
      url: `${BULK}/2?metadata.rawPayload=true`,
      payload: '[]',
      headers: { 'content-type': 'application/json' },
    });
    expect([ok.statusCode, ok.body]).toEqual([204, '']);
    expect(fake.bulk).toEqual([
      {
        pubsubname: 'pubsub',
        topic: 'orders/2',
        body: Buffer.from('[]'),
        metadata: { rawPayload: 'true' },
        source: 'bulk',
        caller: CALLER,
      },
    ]);
    fake.failedEntries = [{ entryId: 'e2', error: 'component is closed' }];
    const failed = await server.inject({ method: 'POST', url: BULK, payload: '[]' });
    expect(failed.statusCode).toBe(500);
    expect(failed.headers['content-type']).toBe('application/json');
    expect(failed.body).toBe(
      '{"failedEntries":[{"entryId":"e2","error":"component is closed"}],"errorCode":"ERR_PUBSUB_PUBLISH_MESSAGE"}',
    );
  });

  test('another content type is accepted and passed', async () => {
    const { server, fake } = edgeOf();
    await server.inject({
      method: 'POST',
      url: BULK,
      payload: '[]',
      headers: { 'content-type': 'text/plain' },
    });
    expect(fake.bulk[0]?.flags?.join()).toContain('text/plain');
  });

  test('a path without names is a publish to no component', async () => {
    const { server, fake } = edgeOf();
    const base = '/v1.0-alpha1/publish/bulk';
    for (const tail of ['', '/pubsub', '//pubsub/t', '//t', '/%2F/t']) {
      await server.inject({ method: 'POST', url: base + tail });
    }
    expect(fake.bulk.map((one) => [one.pubsubname, one.topic])).toEqual([
      ['', ''],
      ['pubsub', ''],
      ['', 'pubsub/t'],
      ['', 't'],
      ['', 't'],
    ]);
  });
});

describe('refusals', () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'dapr.io' };
  const resource = {
    '@type': 'type.googleapis.com/google.rpc.ResourceInfo',
    owner: '',
    resource_name: 'pubsub',
    resource_type: 'pubsub',
  };
  const says = 'topic orders is not allowed for app id checkout';
  const cases: readonly (readonly [string, Refusal, number, unknown])[] = [
    [
      PUBLISH,
      new Refusal('ERR_PUBSUB_NOT_FOUND', NAMES),
      404,
      {
        errorCode: 'ERR_PUBSUB_NOT_FOUND',
        message: 'pubsub pubsub is not found',
        details: [{ ...info, metadata: { k: 'v' }, reason: 'DAPR_PUBSUB_NOT_FOUND' }],
      },
    ],
    [
      PUBLISH,
      new Refusal('ERR_PUBSUB_NOT_FOUND', { ...NAMES, reason: 'it is away' }, { variant: 'not-ready' }),
      404,
      {
        errorCode: 'ERR_PUBSUB_NOT_FOUND',
        message: 'pubsub pubsub is not ready: it is away',
        details: [{ ...info, metadata: { k: 'v' }, reason: 'DAPR_PUBSUB_NOT_FOUND' }],
      },
    ],
    [
      PUBLISH,
      new Refusal('ERR_PUBSUB_FORBIDDEN', NAMES),
      403,
      {
        errorCode: 'ERR_PUBSUB_FORBIDDEN',
        message: says,
        details: [
          { ...info, metadata: { error: says, topic: 'orders' }, reason: 'DAPR_PUBSUB_FORBIDDEN' },
          { ...resource, description: says },
        ],
      },
    ],
    [
      BULK,
      new Refusal('ERR_PUBSUB_NOT_FOUND', NAMES),
      400,
      {
        errorCode: 'ERR_PUBSUB_NOT_FOUND',
        message: "pubsub 'pubsub' not found",
        details: [
          {
            ...info,
            metadata: { error: "pubsub 'pubsub' not found", topic: 'orders' },
            reason: 'DAPR_PUBSUB_TESTNOT_FOUND',
          },
          { ...resource, description: "pubsub 'pubsub' not found" },
        ],
      },
    ],
  ];
  test.each(cases)('%s %s', async (url, refusal, status, body) => {
    const { server, fake } = edgeOf();
    fake.refuse = refusal;
    const answer = await server.inject({ method: 'POST', url: `${url}?metadata.k=v`, payload: 'x' });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toEqual(body);
    expect(Object.keys(answer.json<object>())).toEqual(['errorCode', 'message', 'details']);
  });

  test.each([
    [PUBLISH, 'ERR_PUBSUB_EMPTY', 404],
    [PUBLISH, 'ERR_TOPIC_EMPTY', 404],
    [PUBLISH, 'ERR_PUBSUB_REQUEST_METADATA', 400],
    [PUBLISH, 'ERR_PUBSUB_CLOUD_EVENTS_SER', 500],
    [PUBLISH, 'ERR_PUBSUB_PUBLISH_MESSAGE', 500],
    [BULK, 'ERR_PUBSUB_EVENTS_SER', 400],
    [BULK, 'ERR_PUBSUB_REQUEST_METADATA', 400],
    [BULK, 'ERR_PUBSUB_FORBIDDEN', 403],
    [BULK, 'ERR_TOPIC_EMPTY', 404],
  ] as const)('%s %s is %d', async (url, code, status) => {
    const { server, fake } = edgeOf();
    fake.refuse = new Refusal(code, NAMES);
    const answer = await server.inject({ method: 'POST', url, payload: 'x' });
    expect([answer.statusCode, answer.json<{ errorCode: string }>().errorCode]).toEqual([status, code]);
  });

  test('an unexpected error is answered with 500 and logged, without its text in the answer', async () => {
    const { server, fake, logged } = edgeOf();
    fake.refuse = new Error('secret inner text');
    const answer = await server.inject({ method: 'POST', url: PUBLISH, payload: 'x' });
    expect(answer.statusCode).toBe(500);
    expect(answer.json<{ errorCode: string }>().errorCode).toBe('INTERNAL');
    expect(answer.body).not.toContain('secret');
    expect(logged.join()).toContain('secret inner text');
  });
});
