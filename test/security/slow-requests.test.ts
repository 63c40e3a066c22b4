/** A request that is not complete in time is answered with 408 and a body of ours, as docs/errors.md has it, on each edge. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { createMockApp } from '../../core/mock-app/server.ts';
import { makeBench } from '../console/bench.ts';
import { edgeOf } from '../http/fake-sidecar.ts';
import { answersOf, rawRequest } from '../support/raw-request.ts';

const silence = { ...SILENCE, headersMs: 40, requestMs: 80, everyMs: 10 };
const TOO_SLOW = 'the request cannot be read: it was not complete in time';

const ports = new Map<string, number>();
/** Headers that an edge asks for before it reads a body. */
let admitted = '';
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const { server } = edgeOf({ silence }, 'sidecar');
  await server.start();
  ports.set('sidecar', server.port);
  closing.push(() => server.close(0));
  const app = await createMockApp({
    appId: 'app',
    port: 0,
    profile: PROFILES.sidecar,
    subscriptions: [],
    clock: systemClock(),
    ids: randomIds(),
    random: { next: () => 0.5 },
    codec: bufferCodec,
    log: { write: () => undefined },
    silence,
  });
  ports.set('mock app', Number(new URL(app.url).port));
  closing.push(() => app.close());
  const { deps } = makeBench(systemClock());
  const page = await createConsoleServer({ ...deps, port: 0, rendererDir: '/nowhere', silence });
  ports.set('console', page.port);
  admitted = `host: localhost:${page.port}\r\nauthorization: Bearer ${page.token}\r\ncontent-type: application/json`;
  closing.push(() => page.close());
});
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

describe.each([
  ['sidecar', '/v1.0/publish/pubsub/orders', { errorCode: 'ERR_MALFORMED_REQUEST', message: TOO_SLOW }],
  ['mock app', '/orders', { errorCode: 'ERR_MALFORMED_REQUEST', message: TOO_SLOW }],
  ['console', '/rpc', { error: { data: { code: 'INVALID_REQUEST' } } }],
])('%s', (name, path, body) => {
  test.each([
    ['a half head', '\r\nx-slow: '],
    ['a half body', '\r\ncontent-length: 9\r\n\r\n{'],
    ['a half chunk', '\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{'],
    ['no end of the chunks', '\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
    ['a body that only promises', '\r\ncontent-length: 9\r\n\r\n'],
  ])('%s is answered with 408 and its own body', async (_what, rest) => {
    const headers = name === 'console' ? admitted : 'host: localhost';
    const text = `POST ${path} HTTP/1.1\r\n${headers}${rest}`;
    const said = await rawRequest(ports.get(name) ?? 0, text);
    const last = answersOf(said).at(-1);
    expect(last?.status).toBe(408);
    expect(JSON.parse(last?.body ?? '')).toMatchObject(body);
  });
});
