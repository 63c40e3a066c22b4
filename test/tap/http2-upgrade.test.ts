// Some clients offer an upgrade to HTTP/2 (h2c) on each new connection. The tap forwards the request without the offer.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { readHead, withoutOffer } from '../../core/tap/head.ts';
import { rawRequest } from '../support/raw-request.ts';
import { tapBefore } from './open-listener.ts';

const OFFER =
  'Connection: Upgrade, HTTP2-Settings, close\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nUpgrade: h2c\r\n';

test.each(['passes', 'reads', 'stops'] as const)(
  'a request with an offer of HTTP/2 passes without it where the tap %s',
  async (manner) => {
    const got: (readonly string[])[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        got.push([...request.rawHeaders, body]);
        response.end('ok');
      });
    });
    const port = await tapBefore(server, manner);
    const request = `POST /orders HTTP/1.1\r\nHOST: a\r\n${OFFER}x-One:1\r\nContent-LENGTH: 2\r\n\r\n{}`;
    expect(await rawRequest(port, request)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
    expect(got).toEqual([['HOST', 'a', 'Connection', 'close', 'x-One', '1', 'Content-LENGTH', '2', '{}']]);
  },
);

test.each([
  ['GET / HTTP/1.1\r\nupgrade : H2C\r\nHost: a\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET / HTTP/1.1\nConnection: upgrade\nUpgrade: h2c\nHost: a\n\n', 'GET / HTTP/1.1\nHost: a\n\n'],
  [
    'GET / HTTP/1.1\r\nHTTP2-Settings: AAEA\r\n AAEA\r\nX-Caf\u00e9:  \u00e9 \r\n\r\n',
    'GET / HTTP/1.1\r\nX-Caf\u00e9:  \u00e9 \r\n\r\n',
  ],
])('removing the offer of HTTP/2 leaves every other byte of the head %j', (offered, without) => {
  const bytes = withoutOffer(Buffer.from(offered, 'latin1'));
  expect(bytes.toString('latin1')).toBe(without);
  expect(readHead(bytes)).toEqual(readHead(Buffer.from(without, 'latin1')));
});
