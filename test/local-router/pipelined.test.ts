/** A client that sends many requests over one connection before it reads an answer gets an answer to each of them. */
import tls from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { wireStand } from './wire-stand.ts';

const MANY = 5000;

/** Statuses of the answers, in their order, until so many have come or the connection ends. */
function statusesOf(address: string, ca: string, requests: string, most: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const port = Number(new URL(address).port);
    const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
    onTestFinished(() => void socket.destroy());
    let text = '';
    const statuses: string[] = [];
    socket.on('secureConnect', () => socket.write(requests));
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(status);
      // A beginning of the next status line may be the end of this piece.
      text = text.slice(-12).replace(/HTTP\/1\.1 \d{3} /, '');
      if (statuses.length >= most) resolve(statuses);
    });
    socket.on('close', () => resolve(statuses));
    socket.on('error', reject);
  });
}

test.each<[string, string, string]>([
  ['without a body', `GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n`, '404'],
  [
    'with a body',
    `POST /topics/orders/api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]`,
    '401',
  ],
])('requests %s', { timeout: 60_000 }, async (_, one, status) => {
  const { router } = await wireStand();
  const address = router.addresses().router;
  const request = one.replace('Host: localhost', `Host: ${new URL(address).host}`);
  const statuses = await statusesOf(address, router.certificates.caPem(), request.repeat(MANY), MANY);
  expect(new Set(statuses)).toEqual(new Set([status]));
  expect(statuses).toHaveLength(MANY);
});
