/** One HTTP/2 connection of a client through the tap: it has one connection to the real side, with one stream for each of its streams. */
import { connect as connectHttp2, performServerHandshake } from 'node:http2';
import type { ClientHttp2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { errorText } from '../../contract/error-text.ts';
import type { BodyRoom } from '../body-room.ts';
import type { Target } from '../relay.ts';
import { CallRelay } from './call-relay.ts';
import { headerList, PATH, valueOf } from './headers.ts';
import { isLoop, passedBefore, passedSetting, READS_PASSED, signalLoop } from './loop.ts';
import type { GrpcSide } from './side.ts';
import { StreamRelay } from './stream-relay.ts';
import type { OpenStream } from './upstream.ts';

const MIB = 1024 * 1024;
/** Flow-control windows in bytes, of a stream and of a connection: with the default of 64 KiB, large messages take many round trips. */
const STREAM_WINDOW = MIB;
const CONNECTION_WINDOW = 8 * MIB;

const CLOSED = 'the other end closed the connection';

/** Number of streams that the client of a connection may cancel in a row, and then per second. */
const MAX_CANCELLED = 100_000;

/** Session limits at both ends of the tap, wide enough that it refuses nothing that the real side would accept. */
const SESSION = {
  maxSessionMemory: 1_000,
  maxHeaderListPairs: 4_000,
  maxSendHeaderBlockLength: MIB,
  // By default Node treats 1,000 cancelled streams in a row as an attack and closes the connection.
  streamResetBurst: MAX_CANCELLED,
  streamResetRate: MAX_CANCELLED,
  settings: { initialWindowSize: STREAM_WINDOW, maxHeaderListSize: MIB },
} as const;

/** Options of a stream to the real side: its body and its trailers follow. */
const KEPT_OPEN = { endStream: false, waitForTrailers: true } as const;

export interface GrpcTarget {
  readonly side: GrpcSide;
  readonly to: Target;
  readonly room: BodyRoom;
}

interface ConnectionOptions extends GrpcTarget {
  /** Called when the connection turns out to come back to this tap. */
  readonly onLoop: () => void;
}

export class Connection {
  readonly #socket: Socket;
  /** Undefined until the connection to the real side stands. */
  #client: ServerHttp2Session | undefined;
  readonly #server: ClientHttp2Session;
  /** The connection to the real side for calls that were held while the first one ended. */
  #later: LaterConnection | undefined;
  readonly #options: ConnectionOptions;
  #isOpen = false;
  #error: string | undefined;
  #isOver = false;
  #hasComeBack = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#server = connectTo(options.to);
    // Errors of a connection are handled when it closes.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#client === undefined) this.#server.destroy();
    });
    this.#follow(this.#server);
  }

  /**
   * Answers the client's handshake. A gRPC client sends its calls after that, so a call that waits until its sidecar
   * is there waits in the client, as it does without the tap.
   */
  #shakeHands(): void {
    const client = performServerHandshake(this.#socket, { ...SESSION, ...READS_PASSED });
    this.#client = client;
    client.setLocalWindowSize(CONNECTION_WINDOW);
    client.on('remoteSettings', (settings) => this.#passed(passedBefore(settings)));
    client.on('stream', (stream, _, __, raw) => this.#begin(client, stream, raw));
    client.on('error', () => undefined);
    client.on('close', () => this.#clientClosed());
  }

  #follow(server: ClientHttp2Session): void {
    server.on('connect', () => {
      // Node emits `connect` even for a session that was destroyed a moment before.
      if (server.destroyed || this.#socket.destroyed) return;
      this.#isOpen = true;
      server.setLocalWindowSize(CONNECTION_WINDOW);
      this.#options.side.reached(undefined);
      this.#shakeHands();
    });
    server.on('error', (error) => {
      this.#error = errorText(error);
      if (!this.#isOpen) this.#options.side.reached(this.#error);
    });
    // The real side accepts no new streams, so the tap accepts none either.
    server.on('goaway', () => this.#client?.close());
    server.on('remoteSettings', (settings) => {
      // Only a tap that knows of a loop says this to its client.
      if (isLoop(passedBefore(settings))) this.#comesBack();
    });
    server.on('close', () => {
      this.#isOver = true;
      // The client is closed once it has read why.
      if (this.#hasComeBack) return;
      // Finished answers are still sent to the client; a stream without a finished answer cuts its connection.
      if (this.#client?.destroyed === false) this.#client.close();
      if (!this.#isOpen) this.#cutClient();
    });
  }

  /** @param before taps that the connection has passed before this one */
  #passed(before: number): void {
    if (isLoop(before)) this.#comesBack();
    else if (before > 0 && !this.#server.destroyed) this.#server.settings(passedSetting(before + 1));
  }

  #comesBack(): void {
    if (this.#hasComeBack) return;
    this.#hasComeBack = true;
    this.#error ??= 'calls come back';
    this.#options.onLoop();
    if (this.#client !== undefined) signalLoop(this.#client);
    this.#server.destroy();
  }

  /** Whether the connection to the real side is open. */
  get isConnected(): boolean {
    return this.#isOpen && !this.#isOver && !this.#server.destroyed;
  }

  /** Cuts both connections. */
  destroy(): void {
    this.#error ??= 'the tap was closed';
    this.#destroyServers();
    this.#cutClient();
  }

  #begin(client: ServerHttp2Session, stream: ServerHttp2Stream, raw: readonly string[]): void {
    const headers = headerList(raw);
    const { remoteAddress = '', remotePort = '' } = client.socket ?? {};
    const path = valueOf(headers, PATH) ?? '';
    const exchange = this.#options.side.begin({ path, headers, from: `${remoteAddress}:${remotePort}` });
    const open: OpenStream = {
      begin: (outgoing) => this.#server.request(outgoing, KEPT_OPEN),
      why: () => this.#why(),
      cut: () => {
        if (!this.#hasComeBack) this.#cutClient();
      },
    };
    const later = (): OpenStream => (this.#hasEnded ? this.#another() : open);
    if (exchange.kind === 'call')
      new CallRelay(stream, exchange, { headers, open, later, room: this.#options.room });
    else new StreamRelay(stream, exchange, { headers, open });
  }

  /** Whether the real side has ended a connection that was open. One that comes back is not opened again. */
  get #hasEnded(): boolean {
    return this.#isOpen && !this.#hasComeBack && (this.#server.closed || this.#server.destroyed);
  }

  #another(): OpenStream {
    if (this.#later?.isUsable !== true) this.#later = new LaterConnection(connectTo(this.#options.to));
    return this.#later.stream();
  }

  #why(): ReturnType<OpenStream['why']> {
    if (!this.#isOver && this.#error === undefined) return undefined;
    return { wasOpen: this.#isOpen, message: this.#error ?? CLOSED };
  }

  #cutClient(): void {
    if (!this.#socket.destroyed) this.#socket.resetAndDestroy();
  }

  #clientClosed(): void {
    if (!this.#server.closed) this.#server.close();
    // The client's streams are reset first; then the connection to the real side is of no more use.
    setImmediate(() => this.#destroyServers());
  }

  #destroyServers(): void {
    this.#server.destroy();
    this.#later?.destroy();
  }
}

/**
 * A connection for calls that were held while the first one ended, as an app may have been started again meanwhile. It closes with the
 * last of its streams; others on the client's connection stay as they are if it fails.
 */
class LaterConnection {
  readonly #server: ClientHttp2Session;
  #streams = 0;
  #isOpen = false;
  #error: string | undefined;

  constructor(server: ClientHttp2Session) {
    this.#server = server;
    server.on('connect', () => (this.#isOpen = true));
    server.on('error', (error) => (this.#error = errorText(error)));
  }

  get isUsable(): boolean {
    return !this.#server.closed && !this.#server.destroyed;
  }

  stream(): OpenStream {
    let error: string | undefined;
    const server = this.#server;
    return {
      why: () =>
        server.destroyed ? { wasOpen: this.#isOpen, message: this.#error ?? error ?? CLOSED } : undefined,
      begin: (outgoing) => {
        const stream = server.request(outgoing, KEPT_OPEN);
        this.#streams += 1;
        // A stream that waits for its connection fails before it does, with an error that names the other as its cause.
        stream.on('error', (failure: Error) => (error = errorText(failure.cause ?? failure)));
        // Why the stream has ended is asked before its connection is closed.
        stream.on('close', () => setImmediate(() => this.#streamClosed()));
        return stream;
      },
    };
  }

  destroy(): void {
    this.#server.destroy();
  }

  #streamClosed(): void {
    this.#streams -= 1;
    if (this.#streams === 0) this.#server.close();
  }
}

function connectTo({ host, port }: Target): ClientHttp2Session {
  const authority = host.includes(':') ? `[${host}]` : host;
  return connectHttp2(`http://${authority}:${port}`, {
    ...SESSION,
    ...READS_PASSED,
    settings: { ...SESSION.settings, enablePush: false, ...passedSetting(1) },
    createConnection: () => connect({ host, port, noDelay: true }),
  });
}
