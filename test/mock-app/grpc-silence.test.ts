/** A mock app that speaks gRPC closes connections that say nothing, keeps those of clients, and limits their calls. */
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SILENCE } from '../../core/domain/http-edge.ts';
import { openMockApp } from '../support/mock-app-parts.ts';

const silence = { ...SILENCE, headersMs: 40, partingMs: 5_000 };
const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const SETTINGS = '\0\0\0\u0004\0\0\0\0\0';
const HALF_A_FRAME = '\0\0\u0032\u0001\u0004\0\0';

test.each([
  ['nothing', ''],
  ['half a preface', PREFACE.slice(0, 14)],
  ['a preface', PREFACE],
  ['settings and half a frame', PREFACE + SETTINGS + HALF_A_FRAME],
])('a client that sends %s and then is silent is closed', async (_name, text) => {
  const app = await openMockApp({ protocol: 'grpc', silence: { ...silence, partingMs: 40 } });
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(text, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(socket.destroyed).toBe(true);
});

test('a client that answers pings keeps its connection', async () => {
  const app = await openMockApp({ protocol: 'grpc', silence });
  const session = connectHttp2(app.url.replace('grpc:', 'http:'));
  onTestFinished(() => session.destroy());
  for (let pings = 0; pings < 3; pings += 1) await new Promise((resolve) => session.once('ping', resolve));
  expect(session.destroyed).toBe(false);
});

test('a connection has a limited number of calls at the same time, which its client is told', async () => {
  const app = await openMockApp({ protocol: 'grpc', silence });
  const session = connectHttp2(app.url.replace('grpc:', 'http:'));
  onTestFinished(() => session.destroy());
  const settings = await new Promise((resolve) => session.once('remoteSettings', resolve));
  expect(settings).toMatchObject({ maxConcurrentStreams: 1_000 });
});
