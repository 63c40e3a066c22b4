// Sidecars that journeys tap, and an app beside them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startProduct } from './fixture.ts';
import { reusablePort } from './reusable-port.ts';
import { freeBase, startRealSidecar, WHY_NO_REFERENCE } from '../support/reference.ts';

/** An app with one subscription that says yes to everything. */
export async function startApp(): Promise<{ readonly url: string; readonly got: string[]; close(): void }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (request.url === '/sidecar/subscribe' || request.url === '/dapr/subscribe') {
        response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }]));
        return;
      }
      if (text !== '') got.push(text);
      response.end('{"status":"SUCCESS"}');
    });
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, got, close: () => void server.close() };
}

interface Tapped {
  readonly name: string;
  readonly why: string | undefined;
  readonly port: () => Promise<string>;
  readonly start: (port: string, appPort: number) => Promise<{ stop(): Promise<unknown> }>;
}

export const SIDECARS: readonly Tapped[] = [
  {
    name: 'another Sidelight',
    why: undefined,
    port: reusablePort,
    start: async (port, appPort) => {
      const product = await startProduct({
        flags: ['--app-id', 'shop', '--app-url', `http://127.0.0.1:${appPort}`, '--sidecar-port', port],
      });
      return { stop: product.kill };
    },
  },
  {
    name: 'the real sidecar 1.13.6',
    why: WHY_NO_REFERENCE,
    port: async () => String(await freeBase()),
    start: async (port, appPort) => startRealSidecar({ version: '1.13.6', port: Number(port), appPort }),
  },
];
