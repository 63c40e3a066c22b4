/**
 * The listener of the webhook: on loopback, with limits on size and time; incomplete requests are answered
 * and reported.
 */
import { createServer, ServerResponse } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { answerConnects, cutUnread, dropIfLate, endWith, SILENCE } from '../../domain/http-edge.ts';
import { PORT_CODES } from '../../contract/event-router/words.ts';
import { isPortRefusal, whyNoPort } from '../../contract/port-text.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';

export interface Webhook {
  /** The port that is in use. */
  readonly port: number;
  /** Closes the listener; requests in progress get 5 s. */
  close(): Promise<void>;
}

export interface WebhookServerDependencies {
  readonly port: number;
  readonly clock: Clock;
  /** Answers a request; never rejects. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Receives reports on incomplete requests. */
  readonly broken: (status: number, reason: string) => void;
  /** Limits in ms for the headers, for the whole request, and without reading more of an answer; absent: 10 s, 30 s and 60 s. */
  readonly times?: { readonly headersMs: number; readonly requestMs: number; readonly unreadMs: number };
}

const GRACE_MS = 5_000;
const TIMES = { headersMs: 10_000, requestMs: 30_000, unreadMs: SILENCE.unreadMs };
const BROKEN: Readonly<Record<string, readonly [line: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'its headers have more than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'it was not complete in time'],
};

/** Opens the listener on 127.0.0.1. Rejects RouterTrouble EVR-NET-01 or -02. */
export async function serveWebhook(deps: WebhookServerDependencies): Promise<Webhook> {
  const running = new Set<Promise<void>>();
  const { headersMs, requestMs, unreadMs } = deps.times ?? TIMES;
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      // Node checks every 30 s by default, which would give a slow caller three times the limit.
      connectionsCheckingInterval: Math.min(1000, headersMs / 2),
    },
    (request, response) => {
      const answering = deps.answer(request, response).finally(() => running.delete(answering));
      running.add(answering);
    },
  );
  server.maxConnections = 256;
  server.timeout = unreadMs;
  cutUnread(server);
  const connects = answerConnects(
    server,
    (request) => new ServerResponse(request),
    (socket) => endWith(socket, '', SILENCE.partingMs, setTimeout),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    dropIfLate(error, socket);
    const [line, reason] = BROKEN[error.code ?? ''] ?? ['400 Bad Request', `not HTTP: ${error.message}`];
    const text = `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    if (socket.writable) socket.end(text, () => socket.destroy());
    else socket.destroy();
    deps.broken(Number(line.slice(0, 3)), reason);
  });
  await listen(server, deps.port);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const { clock } = deps;
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => (cancel = clock.at(clock.now() + GRACE_MS, resolve)));
      await Promise.race([Promise.allSettled(running), late]);
      cancel();
      server.closeAllConnections();
      connects.destroyAll();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code } = error;
      const [kind, text] = isPortRefusal(code)
        ? [PORT_CODES[code], `Sidelight cannot listen: ${whyNoPort(code, port)}.`]
        : [PORT_CODES.EACCES, `Sidelight cannot listen on port ${port}: ${error.message}.`];
      reject(new RouterTrouble(kind, text, { cause: error }));
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
}
