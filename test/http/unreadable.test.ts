/** Bytes that the HTTP parser cannot read, and targets that it should not refuse: raw UTF-8, escapes that are no UTF-8. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { answerOf, answersOf, rawRequest } from '../support/raw-request.ts';
import { listeningEdge } from './fake-sidecar.ts';

const bytes = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const CLOSE = 'host: x\r\nconnection: close\r\n';
const post = (target: string, body = ''): Buffer =>
  Buffer.from(`POST ${target} HTTP/1.1\r\n${CLOSE}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

/** Sends two pieces that the server reads separately; gives what came back. */
async function sentInTwo(port: number, first: Buffer, second: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let got = '';
  socket.on('data', (chunk) => (got += chunk.toString()));
  socket.write(first);
  await sleep(50);
  socket.write(second);
  await once(socket, 'close');
  return got;
}

describe('raw UTF-8 in the target is accepted', () => {
  test('in the topic and in the query, with its body and its sender', async () => {
    const { server, fake } = await listeningEdge();
    const got = await rawRequest(server.port, post('/v1.0/publish/ps/größe/😀?metadata.k=größe', 'grün'));
    expect(got).toMatch(/^HTTP\/1\.1 204 /);
    expect(fake.published).toMatchObject([
      { pubsubname: 'ps', topic: 'größe/😀', metadata: { k: 'größe' }, body: Buffer.from('grün') },
    ]);
    expect(fake.published[0]?.caller?.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test('on a connection that was used before; a body in several pieces', async () => {
    const { server, fake } = await listeningEdge();
    const body = 'x'.repeat(300_000);
    const first = 'POST /v1.0/publish/ps/a HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\nhi';
    const got = await new Promise<string>((resolve, reject) => {
      let text = '';
      void import('node:net').then(({ connect }) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(first));
        socket.on('data', (chunk) => {
          if (text === '') socket.write(post('/v1.0/publish/ps/größe', body));
          text += chunk.toString();
        });
        socket.on('close', () => resolve(text));
        socket.on('error', reject);
      });
    });
    expect(got.match(/HTTP\/1\.1 204 /g)).toHaveLength(2);
    expect(fake.published.map((one) => [one.topic, one.body.length])).toEqual([
      ['a', 2],
      ['größe', 300_000],
    ]);
  });

  test.each(['ß', 'e/', '?metadata.k=ö', ' HTTP/1', '.1\r', '\r\nhost'])(
    'in a request line of which the rest comes later: behind %j',
    async (place) => {
      const { server, fake } = await listeningEdge();
      const whole = post('/v1.0/publish/ps/größe/?metadata.k=ö', 'grün');
      const at = whole.indexOf(place) + Buffer.byteLength(place);
      const got = await sentInTwo(server.port, whole.subarray(0, at), whole.subarray(at));
      expect(got).toMatch(/^HTTP\/1\.1 204 /);
      expect(fake.published).toMatchObject([
        { topic: 'größe', metadata: { k: 'ö' }, body: Buffer.from('grün') },
      ]);
    },
  );

  test('in a request line that never ends is refused', async () => {
    const { server, fake } = await listeningEdge({ silence: { ...SILENCE, headersMs: 40, everyMs: 10 } });
    const begun = Buffer.from('POST /v1.0/publish/ps/größe');
    expect(answerOf(await rawRequest(server.port, begun)).status).toBe(408);
    const long = Buffer.concat([begun, Buffer.alloc(20_000, 'x')]);
    expect(answerOf(await rawRequest(server.port, long)).status).toBe(400);
    expect(fake.published).toEqual([]);
  });

  test('behind requests that are not answered yet', async () => {
    const { server, fake } = await listeningEdge();
    let answered: () => void = () => undefined;
    fake.view.publish = async (request) => {
      fake.published.push(request);
      if (request.topic === 'a') await new Promise<void>((resolve) => (answered = resolve));
      return { messageId: 'm' };
    };
    const plain = (topic: string): Buffer =>
      Buffer.from(`POST /v1.0/publish/ps/${topic} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
    const got = rawRequest(
      server.port,
      Buffer.concat([plain('a'), plain('b'), post('/v1.0/publish/ps/größe', 'x')]),
    );
    await expect.poll(() => fake.published.length).toBe(1);
    answered();
    expect((await got).match(/HTTP\/1\.1 204 /g)).toHaveLength(3);
    expect(fake.published.map(({ topic }) => topic)).toEqual(['a', 'b', 'größe']);
  });

  test.each([
    ['cannot be read', '', 'NONSENSE\r\n\r\n', /^HTTP\/1\.1 204 [^]*HTTP\/1\.1 400 /],
    [
      'come after the last request',
      'connection: close\r\n',
      'POST / HTTP/1.1\r\n\r\n',
      /^HTTP\/1\.1 204 (?![^]*HTTP)/,
    ],
  ])(
    'a running publish has its own answer if the bytes behind it %s',
    async (_what, fields, more, answers) => {
      const { server, fake } = await listeningEdge();
      let answered: () => void = () => undefined;
      fake.publishing = new Promise((resolve) => (answered = resolve));
      const head = `PUT /v1.0/publish/ps/a HTTP/1.1\r\nhost: x\r\n${fields}content-length: 2\r\n\r\n`;
      const got = rawRequest(server.port, Buffer.from(`${head}{}${more}`));
      await expect.poll(() => fake.published.length).toBe(1);
      for (let n = 0; n < 20; n += 1) await turn();
      answered();
      expect(await got).toMatch(answers);
    },
  );

  test('with invalid bytes as U+FFFD, raw and escaped', async () => {
    const { server, fake } = await listeningEdge();
    await rawRequest(server.port, Buffer.from(post('/v1.0/publish/ps/a\u00ff').toString(), 'latin1'));
    await rawRequest(server.port, post('/v1.0/publish/ps/b%ff?metadata.k=%ff%c3%bc'));
    await rawRequest(server.port, post('/v1.0-alpha1/publish/bulk/ps/c%c3'));
    await rawRequest(server.port, post('/v1.0/bindings/d%ff'));
    expect(fake.published).toMatchObject([
      { topic: 'a\uFFFD' },
      { topic: 'b\uFFFD', metadata: { k: '\uFFFDü' } },
    ]);
    expect(fake.bulk).toMatchObject([{ topic: 'c\uFFFD' }]);
    expect(fake.invoked).toMatchObject([['d\uFFFD', '', {}]]);
  });

  test('behind a long body of capitals in the same packet, at once', async () => {
    const { server, fake } = await listeningEdge();
    const body = `${'A'.repeat(400_000)}.`;
    const first = `PUT /v1.0/publish/ps/a HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const got = await rawRequest(
      server.port,
      Buffer.concat([Buffer.from(first), post('/v1.0/publish/ps/größe', 'x')]),
    );
    expect(got.match(/HTTP\/1\.1 204 /g)).toHaveLength(2);
    expect(fake.published.map(({ topic }) => topic)).toEqual(['a', 'größe']);
  });

  test.each([
    '/v1.0/publis%68/pubsub/t',
    '/v1.0/publis%68//pubsub/t',
    '/%761.0/publish/pubsub/t',
    '/v1.0%2Fpublish/pubsub/t',
    '/v1.0/publish%2Fpubsub/t',
    '/v1.0-alpha1/publish/bul%6B/pubsub/t',
    '/v1.0/b%69ndings/hook',
    'http://x/v1.0/publis%68/pubsub/t',
  ])('in the words of a route make it an unknown path: %s', async (target) => {
    const { server, fake } = await listeningEdge();
    const { status, body } = answerOf(await rawRequest(server.port, post(target)));
    expect(JSON.parse(body)).toMatchObject({ errorCode: 'ERR_DIRECT_INVOKE' });
    expect(status).toBe(404);
    expect([fake.published, fake.bulk, fake.invoked]).toEqual([[], [], []]);
  });
});

describe('an unreadable request', () => {
  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400, 'it is not a valid HTTP/1.1 request'],
    ['an unknown verb', bytes('FLY / HTTP/1.1', CLOSE), 400, 'it is not a valid HTTP/1.1 request'],
    [
      'HTTP/2 where gRPC is off',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      400,
      'it is HTTP/2, and this port speaks HTTP/1.1; gRPC is off (--grpc-port)',
    ],
    [
      'a control character in the path',
      bytes('GET /\u0001 HTTP/1.1', CLOSE),
      400,
      'its path or query has a character that must be percent-encoded',
    ],
    [
      'a wrong chunk',
      `${bytes('POST /v1.0/publish/a/b HTTP/1.1', 'host: x', 'transfer-encoding: chunked')}zz\r\n`,
      400,
      'it is not a valid HTTP/1.1 request',
    ],
    [
      'large headers',
      bytes('GET / HTTP/1.1', `x: ${'y'.repeat(20_000)}`),
      431,
      'its headers are larger than 16 KiB',
    ],
  ])('%s is answered with its status and reason', async (_name, text, status, reason) => {
    const { server } = await listeningEdge();
    const answer = answerOf(await rawRequest(server.port, text));
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      errorCode: 'ERR_MALFORMED_REQUEST',
      message: `the request cannot be read: ${reason}`,
    });
    expect((await fetch(`${server.url}/v1.0/healthz`)).status).toBe(204);
  });
});

test('an HTTP/2 client gets the address of the gRPC port, and is counted', async () => {
  let came = 0;
  const { server } = await listeningEdge({
    grpcAddress: () => '127.0.0.1:50007',
    onHttp2: () => (came += 1),
  });
  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
  for (const _ of [1, 2]) {
    const { body } = answerOf(await rawRequest(server.port, preface));
    expect(body).toContain('this port speaks HTTP/1.1; gRPC is served at 127.0.0.1:50007');
  }
  expect(came).toBe(2);
});

describe('a request that a library would refuse itself', () => {
  test.each(['', 'host: a\r\nhost: a\r\n', 'host: a b\r\n'])(
    'for the health is refused with %j as its Host',
    async (host) => {
      const { server } = await listeningEdge();
      const text = `GET /v1.0/healthz HTTP/1.1\r\n${host}connection: close\r\n\r\n`;
      const { status, body } = answerOf(await rawRequest(server.port, text));
      expect(JSON.parse(body)).toMatchObject({ errorCode: 'ERR_MALFORMED_REQUEST' });
      expect(status).toBe(400);
    },
  );

  test.each(['GET /v1.0/healthz', 'POST /v1.0/publish/ps/a', 'POST /v1.0-alpha1/publish/bulk/ps/a'])(
    'with an unknown expectation gets 417 and nothing is published: %s',
    async (line) => {
      const { server, fake } = await listeningEdge();
      const expects = `${line} HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\ncontent-length: 2\r\n\r\n[]`;
      const answer = await rawRequest(server.port, expects);
      expect(answerOf(answer)).toEqual({ status: 417, body: '' });
      expect(answer.toLowerCase()).toContain('connection: close');
      expect([fake.published, fake.bulk]).toEqual([[], []]);
    },
  );

  test.each(['100-continue', '100-Continue', 'foo, 100-continue', ''])(
    'with %j as its expectation is served',
    async (expectation) => {
      const { server, fake } = await listeningEdge();
      const head = `POST /v1.0/publish/ps/a HTTP/1.1\r\n${CLOSE}expect: ${expectation}\r\ncontent-length: 1\r\n\r\n1`;
      expect(await rawRequest(server.port, head)).toContain('HTTP/1.1 204');
      expect(fake.published).toHaveLength(1);
    },
  );

  test('with OPTIONS and a star gets 200 without a body, whoever asks', async () => {
    const { server } = await listeningEdge({ apiToken: 'secret' });
    const asks = `OPTIONS * HTTP/1.1\r\n${CLOSE}origin: http://evil.example\r\n\r\n`;
    expect(answerOf(await rawRequest(server.port, asks))).toMatchObject({ status: 200, body: '' });
    for (const line of ['GET *', 'OPTIONS /*']) {
      const { status } = answerOf(await rawRequest(server.port, `${line} HTTP/1.1\r\n${CLOSE}\r\n`));
      expect(status).toBe(401);
    }
  });
});

describe('connections that say nothing are closed', () => {
  const silence = { ...SILENCE, headersMs: 40, requestMs: 80, everyMs: 10 };
  test.each([
    ['nothing at all', ''],
    ['half a request line', 'POST /v1.0/pub'],
    ['headers without end', 'POST /v1.0/publish/ps/a HTTP/1.1\r\nhost: x\r\n'],
    ['half a body', 'POST /v1.0/publish/ps/a HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc'],
  ])('%s is answered with 408 after silence', async (_name, text) => {
    const { server, fake } = await listeningEdge({ silence });
    const answer = answerOf(await rawRequest(server.port, text));
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({
      message: 'the request cannot be read: it was not complete in time',
    });
    expect(fake.published).toEqual([]);
  });

  test('a publish that takes longer is not cut, also one that was read again', async () => {
    const { server, fake } = await listeningEdge({ silence });
    for (const topic of ['a', 'größe']) {
      fake.view.publish = async () => {
        await sleep(200);
        return { messageId: 'm' };
      };
      expect(answerOf(await rawRequest(server.port, post(`/v1.0/publish/ps/${topic}`))).status).toBe(204);
    }
  });
});

describe('a request that is refused before its body has come, which then cannot be read, is answered once', () => {
  const refused = (more: string): string =>
    bytes('POST /v1.0/publish/ps/orders HTTP/1.1', 'host: x', more, 'transfer-encoding: chunked');

  test.each([
    ['its page', 'origin: http://other.test', 403],
    ['several hosts', 'host: y', 400],
    ['no token', 'x: y', 401],
  ])('a request refused for %s is answered once', async (_name, more, status) => {
    const { server, fake } = await listeningEdge({ apiToken: status === 401 ? 'secret' : '' });
    const whole = 'POST /v1.0/publish/ps/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\n\r\n1';
    const first = status === 401 ? [] : [204];
    const got = await rawRequest(server.port, (status === 401 ? '' : whole) + refused(more), 'zz\r\n\r\n');
    expect(answersOf(got).map((each) => each.status)).toEqual([...first, status]);
    expect(fake.published).toHaveLength(first.length);
  });
});
