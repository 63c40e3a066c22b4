/** Bodies in pieces of one byte: each piece takes far more memory than its byte, so a router must not keep them apart. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../core/event-router/webhook/webhook-request.ts';
import { collectGarbage } from '../support/garbage.ts';
import { wireStand } from '../local-router/wire-stand.ts';

const PIECES = 400_000;
/** A piece that is kept apart takes more than a hundred bytes. */
const MOST_BYTES = PIECES * 30;

async function kept(of: () => Promise<unknown>): Promise<number> {
  const nothing = async (): Promise<void> => undefined;
  await collectGarbage(nothing);
  const before = process.memoryUsage().heapUsed;
  const held = await of();
  await collectGarbage(nothing);
  const more = process.memoryUsage().heapUsed - before;
  expect(held).toBeDefined();
  return more;
}

test('to the router', async () => {
  const stand = await wireStand();
  const { host, port } = new URL(stand.base);
  let bytesRead = (): number => 0;
  const hear = (message: unknown): void => {
    const { socket } = message as { readonly socket: { readonly bytesRead: number } };
    bytesRead = () => socket.bytesRead;
  };
  subscribe('net.server.socket', hear);
  onTestFinished(() => void unsubscribe('net.server.socket', hear));
  const ca = stand.router.certificates.caPem();
  const socket = connect({ port: Number(port), host: '127.0.0.1', servername: 'localhost', ca });
  socket.on('error', () => socket.destroy());
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  const head = `POST /tenant/oauth2/v2.0/token HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: chunked\r\n\r\n`;
  const more = await kept(async () => {
    const body = Buffer.from(`${head}${'1\r\nx\r\n'.repeat(PIECES)}`);
    socket.write(body);
    await expect.poll(() => bytesRead(), { timeout: 20_000 }).toBeGreaterThan(body.length);
    return stand;
  });
  expect(more).toBeLessThan(MOST_BYTES);
}, 40_000);

test('to the webhook', async () => {
  const request = new PassThrough();
  const reading = readBody(Object.assign(request, { headers: {} }) as unknown as IncomingMessage);
  const more = await kept(async () => {
    for (let each = 0; each < PIECES; each += 1) request.emit('data', Buffer.allocUnsafeSlow(1));
    return request;
  });
  request.end();
  expect(await reading).toHaveLength(PIECES);
  expect(more).toBeLessThan(MOST_BYTES);
});
