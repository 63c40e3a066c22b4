/** An "app" on a bare TCP port that does exactly what a test says with each request, well-formed or not. */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

export interface RawRequest {
  /** First line, for example `POST /orders HTTP/1.1`. */
  readonly line: string;
  /** Header lines as they came. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface RawApp {
  readonly port: number;
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** Sockets open now. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/**
 * Listens on loopback; `answer` gets every complete request (body by content-length) with its socket.
 * @param port 0 = any free one
 */
export async function startRawApp(
  answer: (socket: Socket, request: RawRequest) => void,
  port = 0,
): Promise<RawApp> {
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The caller may cut the connection at any moment; that is what the tests are about.
    socket.on('error', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let next = takeRequest(text); next !== undefined; next = takeRequest(text)) {
        text = next.rest;
        requests.push(next.request);
        answer(socket, next.request);
      }
    });
  });
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    requests,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function takeRequest(text: string): { request: RawRequest; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...headers] = text.slice(0, end).split('\r\n');
  const given = headers.find((header) => /^content-length:/i.test(header));
  const length = given === undefined ? 0 : Number(given.slice('content-length:'.length));
  const body = text.slice(end + 4, end + 4 + length);
  if (body.length < length) return undefined;
  return { request: { line, headers, body }, rest: text.slice(end + 4 + length) };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
