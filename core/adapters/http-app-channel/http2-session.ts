/** One HTTP/2 session to the app without TLS: it begins with HTTP/2 at once, as the reference does, and carries many requests at a time. */
import { connect as connectSession } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { sharedHeaders } from './answer-head.ts';
import { closedEarly, connectError, CONNECT_MS, REST_MS, SOCKET_OPTIONS, tooLate } from './connection.ts';
import type { Exchange, Target } from './connection.ts';
import { NotHttp2 } from './no-answer.ts';
import { DEFAULT_HEADERS, http2Fields } from './request-form.ts';
import type { AppRequest } from './request-form.ts';

/** Owner of the session, which hears of its state. */
export interface SessionOwner {
  /** The session is open, or has room for another request. */
  changed(): void;
  /**
   * The session has ended.
   * @param error given where it could not be opened
   */
  gone(session: Http2Session, error?: Error): void;
  /** Whether another session has room, so that this one may be closed when it rests. */
  isSpare(session: Http2Session): boolean;
}

/**
 * Called where the app has refused the request without processing it. True: it is sent again.
 * @param taken how many others the app took of the session, where that has ended before this request; 0: none, or it refused this one alone
 */
export type Again = (taken: number) => boolean;

/** Error codes of HTTP/2 in the order of their numbers. */
const CODES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
] as const;
const NO_ERROR = CODES.indexOf('NO_ERROR');
const PROTOCOL = CODES.indexOf('PROTOCOL_ERROR');
const REFUSED = CODES.indexOf('REFUSED_STREAM');
const CANCEL = CODES.indexOf('CANCEL');
const CALM = CODES.indexOf('ENHANCE_YOUR_CALM');
/** The library resets such a stream itself, and does not say that it did. */
const MALFORMED =
  '. Either the app sent that, or its answer is not what HTTP/2 allows, for example a header "connection", or a content-length that is not the length of the body';
/** Megabytes that a session may hold: bodies of many calls at the same time are more than the library's 10. */
const MAX_SESSION_MEGABYTES = 1024;
/** Bytes of all headers of a request: message metadata may be as large as a message, where the library sends no more than 64 KiB. */
const MAX_SENT_HEADERS = 16 * 1024 * 1024;
/** Headers of an answer: as many as 16 KiB over HTTP/1.1 can have, where the library refuses more than 128. */
const MAX_HEADERS = 4096;
/** Characters of all headers of an answer: compressed they may be a thousandth, and they are kept with each message. */
const MAX_HEADERS_LENGTH = 64 * 1024;
/** Interim answers (1xx) before the final one; few apps send more than one. */
const MAX_INTERIM = 100;

export class Http2Session {
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #owner: SessionOwner;
  #streams = 0;
  /** Requests that it may still be given: one more with each answer, so that an app that ends its sessions early refuses few. */
  #offer: number;
  #isOpen = false;
  #isGone = false;
  #wasUsed = false;
  #tookAll = true;
  /** The last stream has just ended. */
  #isLookedAt = false;
  #error: Error | undefined;
  /** The last stream that the app takes, once it ends the session. */
  #lastTaken: number | undefined;
  /** Error with which the app has ended the session. */
  #endedWith: string | undefined;
  #headers: Readonly<Record<string, string>> | undefined;

  /** @param offer requests that it is given before it brings an answer */
  constructor({ host, port }: Target, owner: SessionOwner, offer: number) {
    this.#owner = owner;
    this.#offer = offer;
    this.#socket = connect({ host, port, ...SOCKET_OPTIONS }).on('error', (error: Error) => {
      this.#error ??= this.#isOpen ? error : connectError(error);
    });
    this.#session = connectSession('http://app', {
      createConnection: () => this.#socket,
      settings: { enablePush: false },
      maxSessionMemory: MAX_SESSION_MEGABYTES,
      maxHeaderListPairs: MAX_HEADERS,
      maxSendHeaderBlockLength: MAX_SENT_HEADERS,
    });
    const late = setTimeout(() => this.#end(tooLate()), CONNECT_MS);
    this.#session
      // The first frame of an app that speaks HTTP/2 has its settings: without them nothing is sent.
      .on('remoteSettings', () => {
        clearTimeout(late);
        this.#isOpen = true;
        // A session that rests keeps no program alive.
        if (this.#streams === 0) this.#session.unref();
        owner.changed();
      })
      .on('error', (error: Error) => void (this.#error ??= error))
      .on('goaway', (code: number, last: number) => {
        this.#lastTaken = last;
        if (code !== NO_ERROR) this.#endedWith = nameOf(code);
      })
      .once('close', () => {
        clearTimeout(late);
        this.#gone();
      })
      .setTimeout(REST_MS, () => this.#rested());
  }

  /** Another session would not help: this one may soon have room for everything that waits, or the app allows no streams now. */
  get isAwaited(): boolean {
    if (this.#hasEnded) return false;
    return !this.#isOpen || this.#isLookedAt || this.#room === 0;
  }

  /** The session carries no more requests, and those on their way may still take long. */
  get isDraining(): boolean {
    return this.#hasEnded && this.#streams > 0;
  }

  /** Why a session that has ended was of no use; undefined: it was given a request. */
  get uselessness(): Error | undefined {
    if (this.#wasUsed) return undefined;
    const why = this.#endedWith ?? this.#error?.message;
    return new Error(`the app ended the session before it took a call${why === undefined ? '' : `: ${why}`}`);
  }

  /** The app has not refused a request because it ended the session before. */
  get tookAll(): boolean {
    return this.#tookAll;
  }

  mayCarry(): boolean {
    return (
      this.#isOpen && !this.#hasEnded && !this.#isLookedAt && this.#streams < this.#room && this.#offer > 0
    );
  }

  send(request: AppRequest, exchange: Exchange, again: Again): void {
    const { method, host, target, headers, body, bodyBytes } = request;
    let stream: ClientHttp2Stream;
    try {
      stream = this.#session.request(
        {
          ...http2Fields(request, headers, DEFAULT_HEADERS),
          ':method': method,
          ':authority': host,
          ':path': target,
        },
        { endStream: bodyBytes === 0 },
      );
    } catch (error) {
      exchange.failed(error instanceof Error ? error : closedEarly());
      return;
    }
    if (this.#streams === 0) this.#session.ref();
    this.#streams += 1;
    this.#offer -= 1;
    this.#wasUsed = true;
    const cut = this.#listen(stream, exchange, again);
    exchange.started({ cut });
    if (exchange.isSettled) return;
    if (bodyBytes > 0) stream.end(body);
    exchange.sent();
  }

  /** Resolves when its socket is closed. */
  async close(): Promise<void> {
    const over = this.#socket.closed
      ? undefined
      : new Promise((resolve) => this.#socket.once('close', resolve));
    this.#end(closedEarly());
    await over;
  }

  /** @returns cuts the request */
  #listen(stream: ClientHttp2Stream, exchange: Exchange, again: Again): () => void {
    let hasHead = false;
    let isOver = false;
    let isCounted = true;
    let interim = 0;
    let broken: Error | undefined;
    const cut = (): void => {
      stream.close(CANCEL);
      if (hasHead && !isOver) this.#retire();
    };
    const giveUp = (why: string): void => {
      exchange.failed(new Error(why));
      cut();
    };
    const leave = (): void => {
      if (!isCounted) return;
      isCounted = false;
      this.#streams -= 1;
      // A session that rests can always be given a request, whatever became of those before.
      this.#offer += 1;
      if (this.#streams === 0) this.#empty();
      this.#owner.changed();
    };
    stream
      .on('response', (fields) => {
        const headers = headersOf(fields);
        if (lengthOf(headers) > MAX_HEADERS_LENGTH)
          return giveUp(`the answer has headers of more than ${MAX_HEADERS_LENGTH} characters`);
        hasHead = true;
        this.#headers = sharedHeaders(this.#headers, headers);
        exchange.head(fields[':status'] ?? 0, this.#headers);
      })
      .on('headers', () => {
        if (++interim > MAX_INTERIM) giveUp(`more than ${MAX_INTERIM} interim answers (1xx) came`);
      })
      .on('data', (bytes: Buffer) => exchange.data(bytes))
      .on('end', () => {
        if (!hasHead || stream.aborted || stream.rstCode !== 0) return;
        isOver = true;
        this.#offer += 1;
        if (stream.writableFinished) leave();
        // An app that has answered early may never read the rest of the request.
        else stream.close(CANCEL);
        exchange.ended();
      })
      // What went wrong is known when the stream closes.
      .on('error', (error: Error) => (broken = error))
      .once('close', () => {
        leave();
        if (stream.rstCode === CALM) this.#retire();
        if (isOver || exchange.isSettled) return;
        if (!hasHead && this.#isRefusedAnd(stream, again)) return;
        exchange.failed(this.#reasonOf(stream, broken));
      });
    return cut;
  }

  /**
   * Carries no further request: those on their way are still answered. For an app on Node, the rest of an answer that was cut counts as memory
   * of the session until its end; beyond 10 MB it refuses every request of the session (ENHANCE_YOUR_CALM).
   */
  #retire(): void {
    if (!this.#hasEnded) this.#session.close();
  }

  /** A request up to the last taken one can be refused as well: the end of the session is not the reason for that. */
  #isRefusedAnd({ id, rstCode }: ClientHttp2Stream, again: Again): boolean {
    const last = this.#lastTaken;
    if (last !== undefined && id !== undefined && id > last) {
      this.#tookAll = false;
      return again(takenOf(last));
    }
    return rstCode === REFUSED && again(0);
  }

  /** @param broken error of the stream; where the session has ended, it is the reason for that */
  #reasonOf(stream: ClientHttp2Stream, broken: Error | undefined): Error {
    if (this.#endedWith !== undefined)
      return new Error(`the app ended the session before the answer was complete: ${this.#endedWith}`);
    if (this.#socket.destroyed) return this.#error ?? closedEarly();
    if (this.#session.destroyed && broken !== undefined)
      return new Error(`what the app sent is not HTTP/2 as it should be: ${broken.message}`);
    const code = stream.rstCode ?? CANCEL;
    return new Error(
      `the stream was reset before the answer was complete: ${nameOf(code)}${code === PROTOCOL ? MALFORMED : ''}`,
    );
  }

  /** Streams that the app allows at the same time. */
  get #room(): number {
    return this.#session.remoteSettings?.maxConcurrentStreams ?? Infinity;
  }

  /** The app has ended the session, or is ending it: the requests on their way may still be answered. */
  get #hasEnded(): boolean {
    return this.#isGone || this.#session.closed || this.#session.destroyed || this.#socket.destroyed;
  }

  /** No request is on its way. The session carries none for a whole turn of the event loop: the app may end it, which is read in that turn. */
  #empty(): void {
    if (!this.#session.destroyed) this.#session.unref();
    if (this.#isLookedAt) return;
    this.#isLookedAt = true;
    setImmediate(() =>
      setImmediate(() => {
        this.#isLookedAt = false;
        this.#owner.changed();
      }),
    );
  }

  #rested(): void {
    if (this.#streams === 0 && this.#owner.isSpare(this)) this.#session.close();
  }

  #end(error: Error): void {
    this.#error ??= error;
    this.#session.destroy();
    this.#socket.destroy();
  }

  #gone(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (this.#isOpen) this.#owner.gone(this);
    else this.#owner.gone(this, this.#whyNotOpen());
  }

  #whyNotOpen(): Error {
    const isAnswered = this.#socket.bytesRead > 0;
    return isAnswered ? new NotHttp2('The answer is not HTTP/2.') : (this.#error ?? closedEarly());
  }
}

/** Streams of requests have the odd numbers. */
function takenOf(last: number): number {
  return Math.ceil(last / 2);
}

function nameOf(code: number): string {
  return CODES[code] ?? `code ${code}`;
}

function headersOf(fields: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith(':') || value === undefined) continue;
    headers.push([name, Array.isArray(value) ? value.join(', ') : value]);
  }
  return Object.fromEntries(headers);
}

function lengthOf(headers: Readonly<Record<string, string>>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}
