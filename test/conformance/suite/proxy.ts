/** A proxy between suite and sidecar that applies the sidecar's side of a spoil. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createClient } from './http-client.ts';
import type { Delivery } from './deliveries.ts';
import type { Spoil, WireAnswer, WireRequest } from './spoiler.ts';
import { UNTOUCHED, withBody } from './spoiler.ts';

export interface SpoilingProxy {
  readonly url: string;
  spoil: Spoil | undefined;
  close(): Promise<void>;
}

/**
 * Starts a proxy to `sidecarUrl` on a free port.
 * @param tell takes the deliveries that a spoil invents
 */
export async function startSpoilingProxy(
  sidecarUrl: string,
  tell: (delivery: Delivery) => void,
): Promise<SpoilingProxy> {
  const client = createClient();
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const asked = await requestOf(incoming);
    const spoil = asked.target.includes(UNTOUCHED) ? undefined : proxy.spoil;
    const request = spoil?.request === undefined ? asked : spoil.request(asked);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) {
      // A host that is not the proxy's own is what a case is about.
      if (name === 'host' && value === new URL(proxy.url).host) continue;
      if (value !== undefined && !['connection', 'content-length'].includes(name)) {
        headers[name] = Array.isArray(value) ? value.join(', ') : value;
      }
    }
    const hasBody = request.body.length > 0 || request.headers['content-length'] !== undefined;
    const got = await client.send(`${sidecarUrl}${request.target}`, {
      method: request.method,
      headers,
      ...(hasBody ? { body: request.body } : {}),
    });
    const path = spoil?.invented?.(request);
    if (path !== undefined) tell(inventedAt(path));
    const answer: WireAnswer = spoil?.answer === undefined ? got : spoil.answer(got, request);
    const kept = Object.entries(answer.headers).filter(
      ([name]) => !['content-length', 'transfer-encoding', 'connection'].includes(name),
    );
    for (const [name, value] of kept) if (value !== undefined) outgoing.setHeader(name, value);
    outgoing.statusCode = answer.status;
    outgoing.end(answer.status === 204 ? undefined : answer.body);
  };
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    pass(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  };
  const server = createServer(take);
  // Node answers an unknown expectation by itself; here the sidecar has to.
  server.on('checkExpectation', take);
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('the proxy listens on no port'));
      else resolve(address.port);
    });
  });
  const proxy: SpoilingProxy = {
    url: `http://127.0.0.1:${port}`,
    spoil: undefined,
    close: async () => {
      client.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

async function requestOf(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}

function inventedAt(path: string): Delivery {
  const empty: Delivery = {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/cloudevents+json' },
    body: Buffer.alloc(0),
    text: '',
    atMs: performance.now(),
    json: () => ({}),
  };
  return withBody(empty, '{"id":"invented","specversion":"1.0"}');
}
