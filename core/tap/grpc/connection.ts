/** One connection of HTTP/2 through the tap: it gets one of its own to the real side, and each of its streams one there. */
import { connect as connectHttp2, performServerHandshake } from 'node:http2';
import type { ClientHttp2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { BodyRoom } from '../body-room.ts';
import type { Target } from '../relay.ts';
import { CallRelay } from './call-relay.ts';
import { headerList, PATH, valueOf } from './headers.ts';
import type { GrpcSide } from './side.ts';
import { TalkRelay } from './talk-relay.ts';
import type { OpenStream } from './upstream.ts';

const MIB = 1024 * 1024;
/** Bytes of one stream, and of a connection, that are under way unread: with the library's own 64 KiB large messages take many turns. */
const STREAM_WINDOW = MIB;
const CONNECTION_WINDOW = 8 * MIB;

/** Streams of one connection that its client may cancel in a row, and for each second after that. */
const MOST_CANCELLED = 100_000;

/** What both ends of the tap allow: it refuses nothing that the real side would take. */
export const SESSION = {
  maxSessionMemory: 1_000,
  maxHeaderListPairs: 4_000,
  maxSendHeaderBlockLength: MIB,
  // Node takes a client that cancels 1,000 streams in a row for an attack, and gives its connection up.
  streamResetBurst: MOST_CANCELLED,
  streamResetRate: MOST_CANCELLED,
  settings: { initialWindowSize: STREAM_WINDOW, maxHeaderListSize: MIB },
} as const;

export interface ConnectionEnds {
  readonly side: GrpcSide;
  readonly to: Target;
  readonly room: BodyRoom;
}

export class Connection {
  readonly #socket: Socket;
  readonly #client: ServerHttp2Session;
  readonly #server: ClientHttp2Session;
  readonly #parts: ConnectionEnds;
  #isOpen = false;
  #error: string | undefined;
  #isOver = false;

  constructor(socket: Socket, parts: ConnectionEnds) {
    const client = performServerHandshake(socket, SESSION);
    this.#socket = socket;
    this.#client = client;
    this.#parts = parts;
    const { host, port } = parts.to;
    const authority = host.includes(':') ? `[${host}]` : host;
    this.#server = connectHttp2(`http://${authority}:${port}`, {
      ...SESSION,
      settings: { ...SESSION.settings, enablePush: false },
      createConnection: () => connect({ host, port, noDelay: true }),
    });
    client.setLocalWindowSize(CONNECTION_WINDOW);
    client.on('stream', (stream, _, __, raw) => this.#begin(stream, raw));
    // What is wrong with a connection is told by its end.
    client.on('error', () => undefined);
    client.on('close', () => this.#clientClosed());
    this.#follow(this.#server);
  }

  #follow(server: ClientHttp2Session): void {
    server.on('connect', () => {
      // The library says so of a connection that was destroyed in the moment before as well.
      if (server.destroyed) return;
      this.#isOpen = true;
      server.setLocalWindowSize(CONNECTION_WINDOW);
      this.#parts.side.reached(undefined);
    });
    server.on('error', (error) => {
      this.#error = error.message;
      if (!this.#isOpen) this.#parts.side.reached(error.message);
    });
    // The real side takes no new streams: neither does the tap.
    server.on('goaway', () => this.#client.close());
    server.on('close', () => {
      this.#isOver = true;
      // What was answered is sent to its end; a stream that was not cuts the connection.
      if (!this.#client.destroyed) this.#client.close();
      if (!this.#isOpen) this.#cutClient();
    });
  }

  /** Cuts both connections. */
  destroy(): void {
    this.#error ??= 'the tap was closed';
    this.#server.destroy();
    this.#cutClient();
  }

  #begin(stream: ServerHttp2Stream, raw: readonly string[]): void {
    const headers = headerList(raw);
    const { remoteAddress = '', remotePort = '' } = this.#client.socket ?? {};
    const path = valueOf(headers, PATH) ?? '';
    const exchange = this.#parts.side.begin({ path, headers, from: `${remoteAddress}:${remotePort}` });
    const open: OpenStream = {
      begin: (outgoing) => this.#server.request(outgoing, { endStream: false, waitForTrailers: true }),
      why: () => this.#why(),
      cut: () => this.#cutClient(),
    };
    if (exchange.kind === 'call') new CallRelay(stream, exchange, { headers, open, room: this.#parts.room });
    else new TalkRelay(stream, exchange, { headers, open });
  }

  #why(): ReturnType<OpenStream['why']> {
    if (!this.#isOver && this.#error === undefined) return undefined;
    return { wasOpen: this.#isOpen, message: this.#error ?? 'the connection was closed by its other end' };
  }

  #cutClient(): void {
    if (!this.#socket.destroyed) this.#socket.resetAndDestroy();
  }

  #clientClosed(): void {
    if (!this.#server.closed) this.#server.close();
    // Streams of the client are reset one by one; a connection without a client is of no use.
    setImmediate(() => this.#server.destroy());
  }
}
