/** Health, metadata, bindings, shutdown, unknown paths, token and origins at the HTTP edge. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../../core/domain/refusal.ts';
import type { RefusedRequest } from '../../core/http/errors.ts';
import { isAllowedHost, isAllowedOrigin } from '../../core/http/guard.ts';
import { answerOf, answersOf, rawRequest } from '../support/raw-request.ts';
import { edgeOf } from './fake-sidecar.ts';

describe('health', () => {
  test.each([
    ['/v1.0/healthz', true, 204, undefined],
    ['/v1.0/healthz?appid=checkout', true, 204, undefined],
    ['/v1.0/healthz?appid=other', true, 500, ['ERR_HEALTH_APPID_NOT_MATCH', 'dapr app-id does not match']],
    ['/v1.0/healthz?appid=', true, 500, ['ERR_HEALTH_APPID_NOT_MATCH', 'dapr app-id does not match']],
    ['/v1.0/healthz?appid=other', false, 500, ['ERR_HEALTH_NOT_READY', 'dapr is not ready']],
    ['/v1.0/healthz/outbound', true, 204, undefined],
    ['/v1.0/healthz/outbound', false, 500, ['ERR_OUTBOUND_HEALTH_NOT_READY', 'dapr outbound is not ready']],
  ])('%s with healthy %s is answered with %d', async (url, healthy, status, body) => {
    const { server, fake } = edgeOf();
    fake.healthy = healthy;
    fake.outboundHealthy = healthy;
    const answer = await server.inject({ method: 'GET', url });
    expect(answer.statusCode).toBe(status);
    const expected = body === undefined ? '' : JSON.stringify({ errorCode: body[0], message: body[1] });
    expect(answer.body).toBe(expected);
  });

  test('an error has the brand word of the profile', async () => {
    const { server, fake } = edgeOf({}, 'sidecar');
    fake.healthy = false;
    const answer = await server.inject({ method: 'GET', url: '/v1.0/healthz' });
    expect(answer.json()).toEqual({ errorCode: 'ERR_HEALTH_NOT_READY', message: 'sidecar is not ready' });
  });
});

/** What the edge reports of a request that it refuses. */
async function reported(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS',
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly RefusedRequest[]> {
  const seen: RefusedRequest[] = [];
  const { server } = edgeOf({ onRefused: (info) => seen.push(info) });
  expect((await server.inject({ method, url, headers })).statusCode).toBe(404);
  return seen;
}

describe('unknown paths and verbs', () => {
  test.each([
    ['GET', '/v1.0/publish/pubsub/orders'],
    ['DELETE', '/v1.0/publish/pubsub/orders'],
    ['POST', '/v1.0/healthz'],
    ['HEAD', '/v1.0/healthz'],
    ['GET', '/v1.0/healthz/checkout'],
    ['GET', '/V1.0/healthz'],
    ['POST', '/v1.0-alpha1/publish/pubsub/orders'],
    ['GET', '/'],
    ['OPTIONS', '/v1.0/publish/pubsub/orders'],
    ['PUT', '/v1.0/metadata/a/b'],
    ['GET', '/v1.0/shutdown'],
  ] as const)('%s %s is 404', async (method, url) => {
    const { server, fake } = edgeOf();
    const answer = await server.inject({ method, url });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json');
    const body = {
      errorCode: 'ERR_DIRECT_INVOKE',
      message: 'failed getting app id either from the URL path or the header dapr-app-id',
    };
    expect(answer.body).toBe(method === 'HEAD' ? '' : JSON.stringify(body));
    expect(fake.published).toEqual([]);
  });

  test.each([
    ['GET', '/v1.0/publish/pubsub/orders', 'a publish is a POST or a PUT'],
    ['DELETE', '/v1.0-alpha1/publish/bulk/pubsub/orders', 'a publish is a POST or a PUT'],
    ['POST', '/v1.0/publsh/pubsub/orders', 'the sidecar has no such path'],
    ['GET', '/v1.0/pubilsh/pubsub/orders', 'the sidecar has no such path'],
    ['PUT', '/V1.0/Publish/pubsub/orders', 'the sidecar has no such path'],
    ['POST', '/v1.0/publihs/bulk/pubsub/orders', 'the sidecar has no such path'],
    ['POST', '/v1.0-alpha1/publish/blk/pubsub/orders', 'the sidecar has no such path'],
  ] as const)('%s %s is reported as a publish that went wrong', async (method, url, reason) => {
    expect(await reported(method, url)).toMatchObject([
      { method, path: url, status: 404, reason, refusal: { code: 'ERR_DIRECT_INVOKE' } },
    ]);
  });

  test.each([
    ['POST', '/v1.0/metadat/pubsub/orders', undefined],
    ['GET', '/publish/pubsub/orders', undefined],
    ['OPTIONS', '/v1.0/publish/pubsub/orders', undefined],
    ['POST', '/v1.0/invoke/till/method/publish', 'Sidelight does not serve service invocation'],
    ['GET', '/v1.0/invoke/publsh/method/orders', 'Sidelight does not serve service invocation'],
  ] as const)('%s %s is no publish', async (method, url, reason) => {
    expect((await reported(method, url)).map((one) => one.reason)).toEqual(
      reason === undefined ? [] : [reason],
    );
  });

  test('a path with the header of another app is a call of that app, whatever its words are', async () => {
    const headers = { 'dapr-app-id': 'till' };
    const [one] = await reported('GET', '/v1.0/publsh/pubsub/orders', headers);
    expect(one?.reason).toBe('Sidelight does not serve service invocation');
  });
});

describe('a path with a % that begins no escape', () => {
  test.each([
    '/v1.0/publish/pubsub/%fz',
    '/v1.0-alpha1/publish/bulk/pubsub/a%c',
    '/v1.0/metadata/%fz',
    '/%fz',
  ])('%s is refused with 400', async (url) => {
    const { server } = edgeOf();
    const answer = await server.inject({
      method: url.includes('metadata') ? 'PUT' : 'POST',
      url,
      payload: '[]',
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      errorCode: 'ERR_MALFORMED_REQUEST',
      message: 'the path has a % without two hexadecimal digits after it',
    });
  });
});

describe('metadata', () => {
  test('GET lists the metadata, and PUT adds to extended', async () => {
    const { server } = edgeOf();
    const put = await server.inject({ method: 'PUT', url: '/v1.0/metadata/a%20b+c', payload: 'v' });
    expect([put.statusCode, put.body]).toEqual([204, '']);
    const answer = await server.inject({ method: 'GET', url: '/v1.0/metadata' });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json()).toMatchObject({ id: 'checkout', extended: { 'a b c': 'v' } });
  });
});

describe('bindings', () => {
  test('a call without a result is answered with 204, and data with 200 and its metadata as headers', async () => {
    const { server, fake, logged } = edgeOf();
    const call = {
      method: 'POST',
      url: '/v1.0/bindings/my%2Fhook',
      payload: '{"operation":"create"}',
    } as const;
    expect((await server.inject({ ...call, headers: { traceparent: '00-t' } })).statusCode).toBe(204);
    expect(fake.invoked).toEqual([['my/hook', '{"operation":"create"}', { traceparent: '00-t' }]]);
    fake.bindingAnswer = { data: '{"a":1}', metadata: { status: '200', 'b ad': 'x', line: 'a\nb' } };
    const answer = await server.inject({ ...call, method: 'PUT' });
    expect([answer.statusCode, answer.body]).toEqual([200, '{"a":1}']);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['metadata.status']).toBe('200');
    expect(logged).toHaveLength(2);
    for (const data of [{}, { data: '' }]) {
      fake.bindingAnswer = { ...data, metadata: { statusCode: '204' } };
      const empty = await server.inject(call);
      expect([empty.statusCode, empty.body, empty.headers['metadata.statuscode']]).toEqual([200, '', '204']);
    }
  });

  test.each([
    ['ERR_MALFORMED_REQUEST', 400, 'failed deserializing HTTP body: E'],
    ['ERR_INVOKE_OUTPUT_BINDING', 500, 'error invoking output binding hook: E'],
  ] as const)('%s is %d', async (code, status, message) => {
    const { server, fake } = edgeOf();
    fake.refuse = new Refusal(code, { name: 'hook', reason: 'E' });
    const answer = await server.inject({ method: 'POST', url: '/v1.0/bindings/hook', payload: 'x' });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ errorCode: code, message });
  });
});

describe('the Host of a request', () => {
  test.each([
    ['127.0.0.1:3500', true],
    ['10.1.2.3:3500', true],
    ['[::1]:3500', true],
    ['localhost', true],
    ['my.localhost:3500', true],
    ['sidecar:3500', true],
    ['host.docker.internal:3500', true],
    ['mine.example:3500', true],
    ['own.example', true],
    ['evil.example:3500', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
  ])('%j may read the metadata: %s', async (host, expected) => {
    const allowedOrigins = (): readonly string[] => ['loopback', 'https://mine.example'];
    expect(isAllowedHost(host, allowedOrigins(), 'own.example')).toBe(expected);
    expect(isAllowedHost(host, ['*'])).toBe(
      expected || host === 'evil.example:3500' || host.includes('.evil.'),
    );
    const { server, fake, foreign } = edgeOf({ allowedOrigins, host: 'own.example' });
    const get = await server.inject({ method: 'GET', url: '/v1.0/metadata', headers: { host } });
    const put = await server.inject({
      method: 'PUT',
      url: '/v1.0/metadata/k',
      headers: { host },
      payload: 'v',
    });
    expect([get.statusCode, put.statusCode]).toEqual(expected ? [200, 204] : [403, 403]);
    expect(fake.extended).toEqual(expected ? { k: 'v' } : {});
    expect(foreign).toEqual(
      expected ? [] : [`GET /v1.0/metadata http://${host}`, `PUT /v1.0/metadata/k http://${host}`],
    );
    expect(get.body.endsWith(`host ${host} is not allowed\n`)).toBe(!expected);
  });

  test.each(['evil.example/localhost', 'evil.example@localhost'])('%j is no host', (host) => {
    expect(isAllowedHost(host, ['*'])).toBe(false);
  });

  test.each(['//v1.0/metadata', '/v1.0/./metadata/', 'http://evil.example/v1.0/metadata'])(
    'that is foreign may not read the metadata as %s either',
    async (url) => {
      const { server, foreign } = edgeOf();
      await server.start();
      onTestFinished(async () => server.close(0));
      const text = `GET ${url} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
      expect(await rawRequest(server.port, text)).toContain('403');
      expect(foreign).toHaveLength(1);
      const own = text.replace('Host: evil.example', 'Host: localhost');
      const isNamedInTarget = url.startsWith('http:');
      expect(await rawRequest(server.port, own)).toContain(isNamedInTarget ? '403' : '"id":"checkout"');
    },
  );

  test('in the target counts before that of the header', async () => {
    const { server } = edgeOf();
    await server.start();
    onTestFinished(async () => server.close(0));
    const text =
      'GET http://localhost/v1.0/metadata HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n';
    expect(await rawRequest(server.port, text)).toContain('"id":"checkout"');
  });

  test.each([
    '/v1.0/publish/pubsub/orders',
    '/v1.0-alpha1/publish/bulk/pubsub/orders',
    '/v1.0/bindings/hook',
  ])('that stands twice is refused with 400 for POST %s', async (path) => {
    const { server, fake } = edgeOf();
    await server.start();
    onTestFinished(async () => server.close(0));
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n`;
    const answer = await rawRequest(server.port, `${head}Content-Length: 2\r\nConnection: close\r\n\r\n[]`);
    expect(answerOf(answer)).toEqual({ status: 400, body: expect.stringContaining('several Host headers') });
    expect([fake.published, fake.bulk, fake.invoked]).toEqual([[], [], []]);
  });

  const PUBLISH = 'POST /v1.0/publish/pubsub/orders';
  test.each<readonly [name: string, line: string, host: string, says: string]>([
    ['none', PUBLISH, '', 'no Host header'],
    ['none, but in the target', 'POST http://localhost/v1.0/publish/pubsub/orders', '', 'no Host header'],
    ['none, to another route', 'POST /v1.0-alpha1/publish/bulk/pubsub/orders', '', 'no Host header'],
    ...['a b', 'a/b', 'you@here', '"a"', '<a>', 'a{b}', 'a|b', 'größe', String.raw`a\b`].map(
      (host) => [host, PUBLISH, `Host: ${host}\r\n`, 'names no host'] as const,
    ),
  ])('%s is refused with 400, as on the reference', async (_name, line, host, says) => {
    const { server, fake } = edgeOf();
    await server.start();
    onTestFinished(async () => server.close(0));
    const close = 'Content-Length: 2\r\nConnection: ';
    for (const connection of ['keep-alive', 'close']) {
      const text = `${line} HTTP/1.1\r\n${host}${close}${connection}\r\n\r\n[]`;
      // The first way is read on the socket itself, the second by the framework.
      const last = connection === 'close' ? '' : 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const answer = await rawRequest(server.port, text + last);
      expect(answerOf(answer)).toEqual({ status: 400, body: expect.stringContaining(says) });
    }
    expect([fake.published, fake.bulk]).toEqual([[], []]);
  });

  test.each(['Host: \r\n', 'Host: a,b:c:d%20\r\n', 'Host: [::1]:80\r\n'])(
    'a publish with %j is accepted, as on the reference',
    async (host) => {
      const { server, fake } = edgeOf();
      await server.start();
      onTestFinished(async () => server.close(0));
      const head = `${PUBLISH} HTTP/1.1\r\n${host}Content-Length: 2\r\n`;
      expect(await rawRequest(server.port, `${head}Connection: close\r\n\r\n[]`)).toContain('204');
      expect(fake.published).toHaveLength(1);
    },
  );

  test('is not needed with HTTP/1.0', async () => {
    const { server, fake } = edgeOf();
    await server.start();
    onTestFinished(async () => server.close(0));
    const text = `${PUBLISH} HTTP/1.0\r\nContent-Length: 2\r\n\r\n[]`;
    expect(await rawRequest(server.port, text)).toContain('204');
    expect(fake.published).toHaveLength(1);
  });

  test.each(['gzip, chunked', 'deflate,chunked', 'xchunked', 'identity'])(
    'a body in the transfer coding %s is refused, because its bytes would be kept as they are',
    async (coding) => {
      const { server, fake } = edgeOf();
      await server.start();
      onTestFinished(async () => server.close(0));
      const head = `${PUBLISH} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
      const answer = await rawRequest(server.port, `${head}2\r\n[]\r\n0\r\n\r\n`);
      // The parser refuses some of them itself; the client gets one answer in any case.
      expect(answersOf(answer)).toEqual([{ status: 400, body: expect.stringContaining('cannot be read') }]);
      expect(fake.published).toEqual([]);
    },
  );

  test('does not matter for other routes', async () => {
    const { server, fake } = edgeOf();
    const headers = { host: 'evil.example' };
    expect((await server.inject({ method: 'GET', url: '/v1.0/healthz', headers })).statusCode).toBe(204);
    await server.inject({ method: 'POST', url: '/v1.0/publish/pubsub/orders', headers });
    expect(fake.published).toHaveLength(1);
  });
});

describe('shutdown', () => {
  test('is answered with 204 before the callback, and never made for a web page', async () => {
    const edge = edgeOf();
    const page = await edge.server.inject({
      method: 'POST',
      url: '/v1.0/shutdown',
      headers: { origin: 'http://localhost:3000' },
    });
    expect([page.statusCode, edge.shutdowns]).toEqual([403, 0]);
    const answer = await edge.server.inject({ method: 'POST', url: '/v1.0/shutdown' });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    await expect.poll(() => edge.shutdowns).toBe(1);
  });
});

describe('token', () => {
  test.each([
    ['POST', '/v1.0/publish/pubsub/orders', {}, 401],
    ['POST', '/v1.0/publish/pubsub/orders', { 'dapr-api-token': 'wrong' }, 401],
    ['POST', '/v1.0/publish/pubsub/orders', { 'dapr-api-token': 's3cret' }, 204],
    ['GET', '/v1.0/metadata', {}, 401],
    ['GET', '/v1.0/nowhere', {}, 401],
    ['GET', '/v1.0/healthz', {}, 204],
    ['GET', '/v1.0/healthz/outbound?x', {}, 204],
    ['POST', '/v1.0/shutdown', {}, 401],
  ] as const)('%s %s with %o is %d', async (method, url, headers, status) => {
    const edge = edgeOf({ apiToken: 's3cret' });
    const answer = await edge.server.inject({ method, url, headers });
    expect(answer.statusCode).toBe(status);
    expect(edge.fake.published).toHaveLength(status === 204 && method === 'POST' ? 1 : 0);
    expect(edge.shutdowns).toBe(0);
  });
});

test('a refused token is answered in plain text', async () => {
  const { server } = edgeOf({ apiToken: 's3cret' });
  const answer = await server.inject({ method: 'GET', url: '/v1.0/metadata' });
  expect(answer.body).toBe('invalid api token\n');
  expect(answer.headers['content-type']).toMatch(/^text\/plain/);
});

describe('origins', () => {
  test.each([
    ['http://localhost:5173', true],
    ['https://127.0.0.1', true],
    ['http://127.8.9.1:80', true],
    ['http://[::1]:3000', true],
    ['http://my.localhost', true],
    ['http://localhost.evil.example', false],
    ['http://evil.example', false],
    ['http://127.0.0.1.evil.example', false],
    ['null', false],
    ['', false],
    ['file://', false],
  ])('%s is loopback: %s', (origin, expected) => {
    expect(isAllowedOrigin(origin, ['loopback'])).toBe(expected);
  });

  test('a list allows exactly its origins, with * and loopback as words', () => {
    expect(isAllowedOrigin('https://a.example', ['https://a.example'])).toBe(true);
    expect(isAllowedOrigin('https://b.example', ['https://a.example'])).toBe(false);
    expect(isAllowedOrigin('https://b.example', ['*'])).toBe(true);
    expect(isAllowedOrigin('http://localhost:1', ['https://a.example'])).toBe(false);
    expect(isAllowedOrigin('http://localhost:1', ['https://a.example', 'loopback'])).toBe(true);
  });

  test('a foreign page gets 403, and the console lists its origin', async () => {
    const { server, fake, foreign } = edgeOf();
    const headers = { origin: 'https://evil.example' };
    const answer = await server.inject({
      method: 'POST',
      url: '/v1.0/publish/pubsub/orders?metadata.a=1',
      payload: 'x',
      headers,
    });
    expect([answer.statusCode, fake.published]).toEqual([403, []]);
    expect(foreign).toEqual(['POST /v1.0/publish/pubsub/orders https://evil.example']);
    expect((await server.inject({ method: 'GET', url: '/v1.0/nowhere', headers })).statusCode).toBe(403);
  });

  test('a page of this machine is accepted', async () => {
    const { server, fake, foreign } = edgeOf();
    const headers = { origin: 'http://localhost:5173' };
    await server.inject({ method: 'POST', url: '/v1.0/publish/pubsub/orders', payload: 'x', headers });
    expect([fake.published.length, foreign]).toEqual([1, []]);
  });
});
