/**
 * Rules that all HTTP edges share: when a silent connection is closed, and the answer to bytes that are no
 * readable request.
 */

/** Bytes from which on an answer counts as long as its client has not read it. */
export const LARGE_ANSWER_BYTES = 64 * 1024;

export interface Silence {
  /** Longest time from the connection, or from a request's first byte, to the end of its headers. */
  readonly headersMs: number;
  /** Longest time from a request's first byte to the end of its body. */
  readonly requestMs: number;
  /** Interval at which connections are checked, so a connection may end that much later than its bound. */
  readonly everyMs: number;
  /** Longest time since the client last read bytes of an answer, while more of it waits. */
  readonly unreadMs: number;
  /** Time from the answer after which the server closes the connection to its forced end. */
  readonly partingMs: number;
}

/**
 * Bounds after which a connection is closed that sends nothing, stops in the middle of a request, or does not
 * read its answers.
 */
export const SILENCE: Silence = {
  headersMs: 20_000,
  requestMs: 120_000,
  everyMs: 5_000,
  unreadMs: 60_000,
  partingMs: 5_000,
};

/** The bounds as options of the server framework. */
export function silenceOptions(silence: Silence) {
  return {
    requestTimeout: silence.requestMs,
    connectionTimeout: silence.unreadMs,
    http: {
      headersTimeout: silence.headersMs,
      connectionsCheckingInterval: silence.everyMs,
      // The parser would refuse a request without Host with an undocumented body, so the edge checks it.
      requireHostHeader: false,
    },
  };
}

/** The part of a request that names its host. */
interface Addressed {
  /** Target of the request, unchanged. */
  readonly url?: string | undefined;
  readonly headers: { readonly host?: string | undefined };
  /** Names and values alternate. */
  readonly rawHeaders: readonly string[];
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * The host of a request. By the rules of HTTP an absolute target takes precedence over the header `Host`.
 * undefined: the request names none.
 */
export function hostOf({ url = '', headers }: Addressed): string | undefined {
  return AUTHORITY.exec(url)?.[1] ?? headers.host;
}

/**
 * Number of `Host` headers of a request. HTTP requires one; with several, servers on the way may read
 * different ones.
 */
export function hostHeaders({ rawHeaders }: Addressed): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Characters of an address with its port, in any order, as the reference accepts them. */
const HOST = /^[\w!$%&'()*+,.:;=[\]~-]*$/;

/** Why the `Host` of a request is not usable; undefined: it is. HTTP/1.0 does not have this header. */
export function badHost({
  httpVersion = '1.1',
  headers: { host },
}: Pick<Addressed, 'headers'> & { readonly httpVersion?: string | undefined }): string | undefined {
  if (host === undefined)
    return httpVersion.startsWith('0') || httpVersion === '1.0' ? undefined : 'it has no Host header';
  return HOST.test(host) ? undefined : 'its Host header names no host';
}

/** The part of a socket that ends it. */
interface Ending {
  readonly writableLength: number;
  readonly writableEnded: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/** The part of an answer that reports a silent connection. */
interface Answering {
  on(event: 'timeout', hear: (socket: Ending) => void): unknown;
}

/** A server whose connections time out after `Silence.unreadMs`. */
interface Serving {
  on(event: 'request', hear: (request: unknown, answer: Answering) => void): unknown;
}

/**
 * Uses the timeout of a server's connections for clients that do not read: a silent connection is closed if
 * part of an answer still waits on it. A connection whose request is still being handled stays open, however
 * long that takes.
 */
export function cutUnread(server: Serving): void {
  // Without a listener Node closes a silent connection itself, which is right for one without a request.
  server.on('request', (_request, answer) => answer.on('timeout', cutIfUnread));
}

function cutIfUnread(socket: Ending): void {
  if (socket.writableLength > 0 || socket.writableEnded) socket.destroy();
}

/** The part of a connection that reports its failure, such as a reset by the client. */
interface Failing {
  on(event: 'error', hear: () => void): unknown;
  destroy(): unknown;
}

/** A connection as an answer takes it. `_httpMessage`: the answer that it carries now. */
interface Carrying extends Failing {
  once(event: 'close', hear: () => void): unknown;
  readonly _httpMessage?: { once(event: 'close', hear: () => void): unknown } | null;
}

/** An answer that can be put on a connection. */
interface Assignable<Socket> {
  shouldKeepAlive: boolean;
  assignSocket(socket: Socket): void;
  once(event: 'finish' | 'close', hear: () => void): unknown;
}

/** Connections with the verb CONNECT: Node has given them away, so a server that closes all its connections leaves them open. */
export interface Connects {
  destroyAll(): void;
}

/** A server that may hear the verb CONNECT. */
interface Connecting<Request, Socket, Answer> {
  on(event: 'connect', hear: (request: Request, socket: Socket & Carrying) => void): unknown;
  emit(event: 'request', request: Request, answer: Answer): unknown;
}

/**
 * Answers a request with the verb CONNECT like any other one; without a listener Node closes its connection
 * without an answer. The connection ends afterwards.
 * @param answerTo makes an answer, which this room cannot
 * @param part ends the connection: the server no longer looks after it
 * @returns the connections, for a server that is closed by force
 */
export function answerConnects<Request, Socket, Answer extends Assignable<Socket & Carrying>>(
  server: Connecting<Request, Socket, Answer>,
  answerTo: (request: Request) => Answer,
  part: (socket: Socket) => void,
): Connects {
  const open = new Set<Carrying>();
  server.on('connect', (request, socket) => {
    destroyAtError(socket);
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const answer = (): void => {
      const response = answerTo(request);
      response.shouldKeepAlive = false;
      response.once('finish', () => part(socket));
      response.assignSocket(socket);
      server.emit('request', request, response);
    };
    whenFree(socket, answer);
  });
  return {
    destroyAll: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * Closes a connection that fails. Node takes its own listener from a connection that it gives away (CONNECT, an
 * upgrade), and an error that nobody hears ends the process.
 */
function destroyAtError(socket: Failing): void {
  socket.on('error', () => socket.destroy());
}

/** Calls `go` once the answers to earlier requests of the connection have gone. */
function whenFree(socket: Carrying, go: () => void): void {
  const earlier = socket._httpMessage;
  if (earlier === null || earlier === undefined) go();
  else earlier.once('close', () => whenFree(socket, go));
}

/** The part of a request and of its answer that tells whether both have ended. */
interface Asked {
  readonly socket: object;
  readonly complete: boolean;
}
interface Answered {
  readonly writableEnded: boolean;
}

/**
 * Remembers connections whose request was answered before it had come whole: some are refused before their
 * body is read.
 */
export class EarlyAnswers {
  readonly #last = new WeakMap<object, { readonly request: Asked; readonly answer: Answered }>();

  /** Observes each request of a server. */
  watch(server: { on(event: 'request', hear: (request: Asked, answer: Answered) => void): unknown }): void {
    server.on('request', (request, answer) => this.#last.set(request.socket, { request, answer }));
  }

  /**
   * Whether the unreadable request on this connection already has its answer, so that it gets no second one.
   */
  has(socket: object): boolean {
    const last = this.#last.get(socket);
    return last !== undefined && !last.request.complete && last.answer.writableEnded;
  }
}

/**
 * Sends the last bytes of a connection, and destroys it after `partingMs` if the client neither reads them nor hangs up.
 * @param later `setTimeout`, which this room does not have
 */
export function endWith(
  socket: Ending & Failing,
  text: string,
  partingMs: number,
  later: (run: () => void, ms: number) => { unref(): unknown },
): void {
  destroyAtError(socket);
  socket.end(text);
  later(() => socket.destroy(), partingMs).unref();
}

/**
 * Options that keep a server framework from loading compilers of JSON schemas, which cost time and memory at
 * every start. Edges use no schemas; a route with one fails at its registration.
 */
export const NO_SCHEMAS = {
  compilersFactory: { buildValidator: () => noSchema, buildSerializer: () => noSchema },
} as const;

function noSchema(): never {
  throw new Error('no route of this server has a schema');
}

/** The part of a server that declares verbs. */
interface Verbs {
  addHttpMethod(verb: string, how: { readonly overrideExisting: boolean }): unknown;
}

/**
 * Has a QUERY answered as any verb without a route. The library would refuse one without a content type first, in its own words, and an edge
 * that keeps the content type to itself refused each of them as if its body had been cut.
 */
export function treatQueryAsOthers(server: Verbs): void {
  server.addHttpMethod('QUERY', { overrideExisting: true });
}

/** Why a request could not be read, and the status that says so. */
export interface Unreadable {
  readonly status: 400 | 408 | 431;
  readonly reason: string;
  /** True for a client of HTTP/2, such as a gRPC client, on the wrong port. */
  readonly isHttp2?: true;
}

/** First bytes of a connection with HTTP/2. */
const HTTP2 = 'PRI * HTTP/2.0';

const PHRASES = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const satisfies Readonly<Record<Unreadable['status'], string>>;

/** The parser's report on a request that it gave up. */
export interface ParserError {
  readonly code?: unknown;
  readonly bytesParsed?: number;
  /** Bytes that could not be read, with those before them in the same piece. */
  readonly rawPacket?: unknown;
}

/** Why a request could not be read; undefined: its sender has disconnected and would not read an answer. */
export function whyUnreadable(
  { code, rawPacket }: ParserError,
  grpcAddress?: string,
): Unreadable | undefined {
  if (code === 'ECONNRESET') return undefined;
  const start =
    rawPacket instanceof Uint8Array ? String.fromCharCode(...rawPacket.subarray(0, HTTP2.length)) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, reason: 'its headers are larger than 16 KiB' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, reason: 'it was not complete in time' };
  if (start === HTTP2) {
    const there =
      grpcAddress === undefined ? '; gRPC is off (--grpc-port)' : `; gRPC is served at ${grpcAddress}`;
    return { status: 400, reason: `it is HTTP/2, and this port speaks HTTP/1.1${there}`, isHttp2: true };
  }
  if (code === 'HPE_INVALID_URL')
    return { status: 400, reason: 'its path or query has a character that must be percent-encoded' };
  return { status: 400, reason: 'it is not a valid HTTP/1.1 request' };
}

/** The part of a connection that brings bytes to the parser. */
interface Arriving {
  removeAllListeners(event: 'data'): unknown;
  on(event: 'data', drop: () => void): unknown;
}

/**
 * Drops all further bytes of a connection whose request took too long. The parser does not stop by itself: a
 * request that became whole before its answer is sent would be handled, although its sender is told that it
 * was not.
 */
export function dropIfLate({ code }: Pick<ParserError, 'code'>, socket: Arriving): void {
  if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') return;
  socket.removeAllListeners('data');
  // Node reads a connection past its listeners until somebody listens. Bytes that nobody reads would hide the client's end.
  socket.on('data', () => undefined);
}

/**
 * A complete HTTP answer that closes the connection.
 * @param length of `body` in bytes
 */
export function closingAnswer(status: Unreadable['status'], body: string, length: number): string {
  return [
    `HTTP/1.1 ${status} ${PHRASES[status]}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    body,
  ].join('\r\n');
}
