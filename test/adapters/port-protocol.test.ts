/** The protocol of a port, found by its answers to the beginnings of HTTP/1 and HTTP/2. */
import { createServer as createHttp } from 'node:http';
import { createSecureServer as createHttp2OverTls, createServer as createHttp2 } from 'node:http2';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer as createNet } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createGrpcAppChannel } from '../../core/adapters/grpc-app-channel/channel.ts';
import { createHttpAppChannel } from '../../core/adapters/http-app-channel/channel.ts';
import type { PortProtocol } from '../../core/contract/grpc.ts';
import { LOOPBACK as TLS } from '../support/loopback-certificate.ts';

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Sockets of a server that never answers are ended by the one who asks.
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

const inGrpc: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/grpc', 'grpc-status': '12' }).end();
};
const refusesType: Answer = (_request, response) => {
  response.writeHead(415).end();
};

async function spoken(server: Server, timeoutMs: number): Promise<PortProtocol | undefined> {
  const channel = createHttpAppChannel({ url: `http://127.0.0.1:${await portOf(server)}` });
  try {
    return await channel.protocolOfPort?.(timeoutMs);
  } finally {
    await channel.close();
  }
}

test.each([
  ['http', 'HTTP/1', () => createHttp((_request, response) => response.end())],
  ['h2c', 'HTTP/2 without gRPC', () => createHttp2((_request, response) => response.end())],
  ['grpc', 'gRPC', () => createHttp2(inGrpc)],
  ['some-http2', 'HTTP/2 and refuses types', () => createHttp2(refusesType)],
  ['some-http2', 'HTTP/2 and does not answer', () => createHttp2()],
  ['https', 'HTTP/1 over TLS', () => createHttps(TLS)],
  ['https', 'both over TLS', () => createHttp2OverTls({ ...TLS, allowHTTP1: true })],
  ['grpcs', 'gRPC over TLS', () => createHttp2OverTls(TLS, inGrpc)],
  [
    'http2-tls',
    'HTTP/2 over TLS without gRPC',
    () => createHttp2OverTls(TLS, (_, response) => response.end()),
  ],
  ['some-http2-tls', 'HTTP/2 over TLS and refuses types', () => createHttp2OverTls(TLS, refusesType)],
  [undefined, 'something else', () => createNet((socket) => socket.end('220 mail.test ready\r\n'))],
  [undefined, 'no word and hangs up', () => createNet((socket) => socket.destroy())],
] as const)('%s is what a port speaks that speaks %s', async (scheme, _, make) => {
  expect(await spoken(make(), 500)).toBe(scheme);
});

test('a port that answers nothing has no scheme', async () => {
  expect(await spoken(createNet(), 50)).toBeUndefined();
});

test('a gRPC channel finds the scheme of a port in the same way', async () => {
  const port = await portOf(createHttp((_request, response) => response.end()));
  const channel = createGrpcAppChannel({ url: `grpc://127.0.0.1:${port}` });
  try {
    expect(await channel.protocolOfPort?.(500)).toBe('http');
  } finally {
    await channel.close();
  }
});
