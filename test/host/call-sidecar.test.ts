/** A sidecar is called over HTTP: its answers, and the error without an answer. */
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callSidecar } from '../../core/host/call-sidecar.ts';
import { ManualClock } from '../support/manual-clock.ts';

let server: ReturnType<typeof createServer>;
let sidecar: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    response.statusCode = 500;
    response.setHeader('x-path', request.url ?? '');
    response.end('{"errorCode":"ERR"}');
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the sidecar is not served');
  sidecar = `http://127.0.0.1:${bound.port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => void server.close(done));
});

const calls = (): ReturnType<typeof callSidecar> =>
  callSidecar({ apps: () => [{ appId: 'app', sidecar }] }, new ManualClock());

test('a call returns status, headers and body unchanged', async () => {
  expect(await calls()('app', '/v1.0/healthz')).toMatchObject({
    url: `${sidecar}/v1.0/healthz`,
    status: 500,
    headers: { 'x-path': '/v1.0/healthz' },
    body: '{"errorCode":"ERR"}',
  });
});

test('a call without an answer is refused with the reason', async () => {
  const call = calls();
  await new Promise((done) => void server.close(done));
  await expect(call('app', '/v1.0/healthz')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/does not answer: connect ECONNREFUSED/),
  });
});
