/** What listens on the gRPC port: it looks at the first bytes of a connection and hands it on, or says what this port is. */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** How HTTP/2 begins. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/** A connection that says nothing is closed after this. */
const SILENT_MS = 20_000;
/** A client that was refused and does not hang up is cut after this. */
const PARTING_MS = 5_000;

/** What a client speaks that came to the gRPC port by mistake. */
export type ForeignKind = 'http1' | 'tls' | 'other';

export interface FrontOptions {
  /** Addresses to listen on, all with one port; the first must be free, a further one may be missing. */
  readonly hosts: readonly [string, ...string[]];
  /** 0 = any free one. */
  readonly port: number;
  /** Takes a connection whose first bytes are HTTP/2; they are still unread. */
  readonly take: (socket: Socket) => void;
  /** The whole sentence that a client of HTTP/1 is answered. */
  readonly sayHttp1: () => string;
  /** Something else than HTTP/2 came. */
  readonly onForeign: (kind: ForeignKind) => void;
  /** How long a client that was refused may take to hang up, in ms; default 5 s. */
  readonly partingMs?: number;
}

/** A listening front. */
export interface Front {
  readonly port: number;
  /** Takes no new connection. Those that were handed on stay. */
  close(): Promise<void>;
}

/** Rejects with the system's error, `code` EADDRINUSE when the port is taken. */
export async function openFront(options: FrontOptions): Promise<Front> {
  const undecided = new Set<Socket>();
  // An answer is several small frames: none waits for the client's acknowledgement of the one before, which can take 40 ms.
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
      // A machine without IPv6, or whose ::1 has that port in use: clients reach the first address.
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
    // The client is gone before it said anything.
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
  const body = `${options.sayHttp1()}\n`;
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), options.partingMs ?? PARTING_MS).unref();
  // What the client still sends is read away: closing over unread bytes would reset the connection before the answer is read.
  socket.resume();
}

function kindOf(seen: Buffer): ForeignKind {
  if (seen[0] === 0x16) return 'tls';
  return /^[A-Z]{1,20} /.test(seen.subarray(0, 21).toString('latin1')) ? 'http1' : 'other';
}
