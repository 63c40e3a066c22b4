/**
 * Listener of the gRPC port. It reads the first bytes of a connection and passes it on, or answers that the
 * client uses the wrong port.
 */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** First bytes of a connection with HTTP/2. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/** Time after which a silent connection is closed. */
const SILENT_MS = 20_000;
/** Time after which a refused client that does not hang up is cut. */
const PARTING_MS = 5_000;

/** Protocol of a client that connected to the gRPC port by mistake. */
export type ForeignKind = 'http1' | 'tls' | 'other';

export interface FrontOptions {
  /**
   * Addresses to listen on, all with one port. The port must be free at the first; further ones may be
   * missing.
   */
  readonly hosts: readonly [string, ...string[]];
  /** 0 = any free one. */
  readonly port: number;
  /** Takes a connection whose first bytes are HTTP/2; the bytes are still unread. */
  readonly take: (socket: Socket) => void;
  /** Makes the answer to a client of HTTP/1, one sentence. */
  readonly http1Answer: () => string;
  /** Called when a client does not use HTTP/2. */
  readonly onForeign: (kind: ForeignKind) => void;
  /** Time that a refused client may take to hang up, in ms; default 5 s. */
  readonly partingMs?: number;
}

/** An open listener. */
export interface Front {
  readonly port: number;
  /** Stops accepting connections. Those that were passed on stay open. */
  close(): Promise<void>;
}

/** Opens the listener. Rejects with the system's error, `code` EADDRINUSE when the port is taken. */
export async function openFront(options: FrontOptions): Promise<Front> {
  const undecided = new Set<Socket>();
  // An answer consists of several small frames. With Nagle's algorithm each would wait up to 40 ms for an
  // acknowledgement.
  const serve = (): Server => createServer({ noDelay: true }, (socket) => look(socket, options, undecided));
  const [first, ...further] = options.hosts;
  const main = serve();
  await listen(main, options.port, first);
  const address = main.address();
  if (address === null || typeof address === 'string') throw new Error('the gRPC port is not known');
  const servers = [main];
  for (const host of further) {
    const server = serve();
    try {
      await listen(server, address.port, host);
      servers.push(server);
    } catch (error) {
      // The machine has no IPv6, or the port is in use at ::1. Clients reach the first address.
      if (!(error instanceof Error) || !('code' in error)) throw error;
    }
  }
  return {
    port: address.port,
    close: async () => {
      for (const socket of undecided) socket.destroy();
      await Promise.all(servers.map((server) => new Promise<void>((closed) => server.close(() => closed()))));
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function look(socket: Socket, options: FrontOptions, undecided: Set<Socket>): void {
  let seen = Buffer.alloc(0);
  undecided.add(socket);
  const silent = setTimeout(() => socket.destroy(), SILENT_MS);
  const decided = (): void => {
    clearTimeout(silent);
    undecided.delete(socket);
    socket.off('readable', read);
    socket.off('close', decided);
    socket.off('error', failed);
  };
  const failed = (): void => {
    // The client disconnected before it sent anything.
    socket.destroy();
  };
  function read(): void {
    const chunk: unknown = socket.read();
    if (!Buffer.isBuffer(chunk)) return;
    seen = Buffer.concat([seen, chunk]);
    const length = Math.min(seen.length, PREFACE.length);
    const isHttp2 = seen.subarray(0, length).equals(PREFACE.subarray(0, length));
    if (isHttp2 && length < PREFACE.length) return;
    decided();
    if (isHttp2) {
      socket.unshift(seen);
      options.take(socket);
      return;
    }
    refuse(socket, seen, options);
  }
  socket.on('readable', read);
  socket.on('close', decided);
  socket.on('error', failed);
}

function refuse(socket: Socket, seen: Buffer, options: FrontOptions): void {
  const kind = kindOf(seen);
  options.onForeign(kind);
  // Only a client of HTTP/1 could read an answer.
  socket.on('error', () => socket.destroy());
  if (kind !== 'http1') {
    socket.destroy();
    return;
  }
  const body = `${options.http1Answer()}\n`;
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), options.partingMs ?? PARTING_MS).unref();
  // The rest of the input is read, because closing over unread bytes would reset the connection before the
  // client reads the answer.
  socket.resume();
}

function kindOf(seen: Buffer): ForeignKind {
  if (seen[0] === 0x16) return 'tls';
  return /^[A-Z]{1,20} /.test(seen.subarray(0, 21).toString('latin1')) ? 'http1' : 'other';
}
