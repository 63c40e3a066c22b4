/** Plain publishes are read and answered without the framework, and a client cannot tell. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { Turns } from '../../core/http/order.ts';
import { takePlainPublishes } from '../../core/http/plain-publish.ts';
import type { RefusedRequest } from '../../core/http/errors.ts';
import { RequestBodies, UNCOUNTED } from '../../core/domain/request-bodies.ts';
import { rawRequest } from '../support/raw-request.ts';
import { edgeOf, fakeSidecar } from './fake-sidecar.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const request = (line: string, body = '{}', headers = `content-length: ${body.length}`): string =>
  `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;
const PATH = '/v1.0/publish/ps/t';
const LONG = 'x'.repeat(101);

test.each<readonly [what: string, text: string, isPlain: boolean]>([
  ['a component and a topic', request(`POST ${PATH}`), true],
  ['a topic with slashes', request(`POST ${PATH}/a-b.c`), true],
  ['metadata', request(`POST ${PATH}?metadata.ttlInSeconds=5&x=%20`), true],
  ['another method', request(`PUT ${PATH}`), false],
  ['no topic', request('POST /v1.0/publish/ps'), false],
  ['an escape in the path', request('POST /v1.0/publish/ps/%74'), false],
  ['a path that has to be cleaned', request('POST /v1.0//publish/ps/t'), false],
  ['a step back', request('POST /v1.0/publish/ps/../t'), false],
  ['a slash at the end', request(`POST ${PATH}/`), false],
  ['what may be a bulk publish', request('POST /v1.0/publish/bulk/ps/t'), false],
  ['an origin', request(`POST ${PATH}`, '{}', 'origin: http://x\r\ncontent-length: 2'), false],
  ['baggage', request(`POST ${PATH}`, '{}', 'baggage: a=b\r\ncontent-length: 2'), false],
  ['no body', request(`POST ${PATH}`, '', 'x-y: z'), false],
  ['an empty body', request(`POST ${PATH}`, ''), false],
  ['a body over the limit', request(`POST ${PATH}`, LONG), false],
  ['a body in chunks', request(`POST ${PATH}`, '0\r\n\r\n', 'transfer-encoding: chunked'), false],
])('a publish with %s is plain or left to the HTTP server', async (_what, text, isPlain) => {
  const app = Fastify({
    serverFactory: () => createServer((_request, response) => void response.writeHead(299).end()),
  });
  const errors = { profile: PROFILES.sidecar, log: { write: () => undefined }, refused: () => undefined };
  takePlainPublishes(app, {
    sidecar: fakeSidecar().view,
    turns: new Turns(UNCOUNTED, () => undefined),
    bodies: UNCOUNTED,
    maxBodyBytes: () => LONG.length - 1,
    hasToken: () => true,
    errors,
  });
  await new Promise<void>((resolve) => void app.server.listen(0, '127.0.0.1', resolve));
  ends.push(() => app.server.close());
  const { port } = app.server.address() as AddressInfo;
  const status = /^HTTP\/1\.1 (\d+) /.exec(await rawRequest(port, text))?.[1];
  expect(status).toBe(isPlain ? '204' : '299');
});

const REFUSED = new Refusal('ERR_PUBSUB_NOT_FOUND', { pubsubname: 'ps', topic: 't', appId: 'checkout' });
test.each<readonly [what: string, thrown: Error | undefined, most: number]>([
  ['taken', undefined, 1000],
  ['refused', REFUSED, 1000],
  ['without room for its body', undefined, 1],
  ['stopped by a mistake of ours', new Error('broken'), 1000],
])('a plain publish that is %s gets the answer of the framework', async (_what, thrown, most) => {
  const told: RefusedRequest[] = [];
  const bodies = new RequestBodies(most);
  const { server, fake } = edgeOf({ bodies, onRefused: (info) => told.push(info) });
  ends.push(() => server.close(0));
  fake.refuse = thrown;
  await server.start();
  const answers: string[] = [];
  const traced = `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01\r\ntracestate: k=v\r\ncontent-length: 2`;
  for (const path of [PATH, PATH.replace('/publish', '//publish')]) {
    const text = await rawRequest(server.port, request(`POST ${path}?metadata.a=b`, '{}', traced));
    answers.push(text.replace(/^date: .*$/im, ''));
  }
  expect(answers[0]).toBe(answers[1]);
  expect(answers[0]).toMatch(thrown === undefined && most > 1 ? /^HTTP\/1\.1 204 / : /^HTTP\/1\.1 [45]/);
  expect(told[0]).toEqual(told[1]);
  const [plain, other] = fake.published.map(({ caller, ...given }) => ({
    ...given,
    headers: caller?.headers,
  }));
  expect(plain).toEqual(other);
});
