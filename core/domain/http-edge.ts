/** What every HTTP edge of ours does alike: when a silent connection ends, and what is said to bytes that are no readable request. */

export interface Silence {
  /** From connecting, or from a request's first byte, to the end of its headers. */
  readonly headersMs: number;
  /** From a request's first byte to the end of its body. */
  readonly requestMs: number;
  /** How often connections are looked at: so much later than the bound one ends at most. */
  readonly everyMs: number;
  /** From the last byte of an answer that the client took, while more of it waits. */
  readonly unreadMs: number;
  /** From the answer after which we close the connection, until it ends whatever the client does. */
  readonly partingMs: number;
}

/** A connection that sends nothing, stops in the middle of a request, or does not read its answers, is closed after this. */
export const SILENCE: Silence = {
  headersMs: 20_000,
  requestMs: 120_000,
  everyMs: 5_000,
  unreadMs: 60_000,
  partingMs: 5_000,
};

/** The bounds of silent connections, as the server framework takes them. */
export function silenceOptions(silence: Silence) {
  return {
    requestTimeout: silence.requestMs,
    connectionTimeout: silence.unreadMs,
    http: {
      headersTimeout: silence.headersMs,
      connectionsCheckingInterval: silence.everyMs,
      // The parser's own refusal of a request without Host has no body that anyone could look up.
      requireHostHeader: false,
    },
  };
}

/** The part of a request that says whom it is for. */
interface Addressed {
  /** As it came: not cleaned, not rewritten. */
  readonly url?: string | undefined;
  readonly headers: { readonly host?: string | undefined };
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** The host that a request is for: HTTP has an absolute target win over the header `Host`. undefined: the request names none. */
export function hostOf({ url = '', headers }: Addressed): string | undefined {
  return AUTHORITY.exec(url)?.[1] ?? headers.host;
}

/** How many `Host` headers a request has. HTTP wants one; with several, each server on the way may take another one. */
export function hostHeaders({ rawHeaders }: Addressed): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** The characters that an address with its port has; the reference takes them in any order. */
const HOST = /^[\w!$%&'()*+,.:;=[\]~-]*$/;

/** Why the `Host` of a request says nobody whom it is for; undefined: it does. HTTP/1.0 knew no such header. */
export function badHost({
  httpVersion = '1.1',
  headers: { host },
}: Pick<Addressed, 'headers'> & { readonly httpVersion?: string | undefined }): string | undefined {
  if (host === undefined)
    return httpVersion.startsWith('0') || httpVersion === '1.0' ? undefined : 'it has no Host header';
  return HOST.test(host) ? undefined : 'its Host header names no host';
}

/** The part of a socket that is needed to end it. */
interface Ending {
  readonly writableLength: number;
  readonly writableEnded: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/** The part of an answer that is needed to hear that nothing moved on its connection. */
interface Answering {
  on(event: 'timeout', hear: (socket: Ending) => void): unknown;
}

/** A server whose connections have a timeout of `Silence.unreadMs`. */
interface Serving {
  on(event: 'request', hear: (request: unknown, answer: Answering) => void): unknown;
}

/**
 * Makes the timeout of a server's connections one for clients that do not read: a connection on which nothing moved is closed
 * when an answer still waits in it. One whose request is still being worked on stays, for as long as that takes.
 */
export function cutUnread(server: Serving): void {
  // Node closes a connection by itself when nobody hears of its timeout: that is one without a request.
  server.on('request', (_request, answer) => answer.on('timeout', cutIfUnread));
}

function cutIfUnread(socket: Ending): void {
  if (socket.writableLength > 0 || socket.writableEnded) socket.destroy();
}

/** The part of a request and of its answer that says whether both have ended. */
interface Asked {
  readonly socket: object;
  readonly complete: boolean;
}
interface Answered {
  readonly writableEnded: boolean;
}

/** Knows which connections have an answer to a request that has come in part only: some are refused before their body is read. */
export class EarlyAnswers {
  readonly #last = new WeakMap<object, { readonly request: Asked; readonly answer: Answered }>();

  /** Hears of each request of a server. */
  watch(server: { on(event: 'request', hear: (request: Asked, answer: Answered) => void): unknown }): void {
    server.on('request', (request, answer) => this.#last.set(request.socket, { request, answer }));
  }

  /** Whether the request that cannot be read on this connection has its answer: then it gets no second one. */
  has(socket: object): boolean {
    const last = this.#last.get(socket);
    return last !== undefined && !last.request.complete && last.answer.writableEnded;
  }
}

/**
 * Sends the last bytes of a connection, and destroys it after `partingMs` where the client neither reads them nor hangs up.
 * @param later `setTimeout`, which this room does not have
 */
export function endWith(
  socket: Ending,
  text: string,
  partingMs: number,
  later: (run: () => void, ms: number) => { unref(): unknown },
): void {
  socket.end(text);
  later(() => socket.destroy(), partingMs).unref();
}

/**
 * For a server framework that would load compilers of JSON schemas: no edge of ours has schemas there, and each takes time and
 * memory at every start. A route with a schema fails at its registration.
 */
export const NO_SCHEMAS = {
  compilersFactory: { buildValidator: () => noSchema, buildSerializer: () => noSchema },
} as const;

function noSchema(): never {
  throw new Error('no route of this server has a schema');
}

/** Why a request could not be read, and the status that says so. */
export interface Unreadable {
  readonly status: 400 | 408 | 431;
  readonly reason: string;
  /** Set for a client of HTTP/2, gRPC among them, that came to the wrong port. */
  readonly isHttp2?: true;
}

/** How HTTP/2 begins. */
const HTTP2 = 'PRI * HTTP/2.0';

const PHRASES = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const satisfies Readonly<Record<Unreadable['status'], string>>;

/** What the HTTP parser says of a request that it gave up. */
export interface ParserError {
  readonly code?: unknown;
  readonly bytesParsed?: number;
  /** The bytes it could not read, and those before them that came in the same piece. */
  readonly rawPacket?: unknown;
}

/** Why a request could not be read; undefined: its sender is gone, so nobody would read an answer. */
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

/** A whole HTTP answer that closes the connection. @param length of `body` in bytes */
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
