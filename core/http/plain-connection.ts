/**
 * One connection of a client that publishes. A plain publish whose head arrives in one piece is read and
 * answered on the socket itself, also if its body follows later. At the first other bytes the connection goes
 * to the HTTP server, and stays there.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ParserError, Silence } from '../domain/http-edge.ts';
import { lastMade } from '../domain/last-made.ts';
import { BegunPublish, MAX_AWAITED_LENGTH } from './begun-publish.ts';
import { failureOf } from './errors.ts';
import { MAX_IN_A_ROW } from './order.ts';
import { PlainHeadReader } from './plain-head.ts';
import type { PlainHead } from './plain-head.ts';
import { fits, isPlainTarget, isSeenByRule } from './plain-publish.ts';
import type { PlainPublishDependencies } from './plain-publish.ts';
import { publishOf } from './publish.ts';
import type { SharedRead } from './shared-read.ts';

export interface PlainConnectionDependencies extends Omit<PlainPublishDependencies, 'turns'> {
  readonly silence: Silence;
  /** Time for which an idle connection stays open, as the answers promise. */
  readonly keptMs: number;
}

/** Owner of the connection. */
export interface PlainConnectionOwner {
  /** Passes the connection to the HTTP server; its unread bytes are in the socket again. */
  handOver(connection: PlainConnection): void;
  /**
   * Reports a client that sent an incomplete request and sends no more of it. The client gets the HTTP
   * server's answer.
   */
  unreadable(connection: PlainConnection, why: ParserError): void;
  /** Reports that the connection is closed. */
  gone(connection: PlainConnection): void;
}

type Request = ReturnType<typeof publishOf>;

const NO_BODY = Buffer.alloc(0);
/**
 * Time for which a connection stays open beyond the promise, as in Node, because a request may be on its way.
 */
const BEYOND_MS = 1_000;
/**
 * Errors of the HTTP server's parser for a request that takes too long, and for one that ends in its middle.
 */
const TOO_LATE: ParserError = { code: 'ERR_HTTP_REQUEST_TIMEOUT' };
const CUT_SHORT: ParserError = { code: 'HPE_INVALID_EOF_STATE' };

export class PlainConnection {
  readonly socket: Socket;
  readonly #reading: SharedRead;
  readonly #deps: PlainConnectionDependencies;
  readonly #owner: PlainConnectionOwner;
  readonly #heads = new PlainHeadReader();
  readonly #from: { readonly remoteAddress?: string | undefined; readonly remotePort?: number | undefined };
  #isPublishing = false;
  /** The last head and its request, without the body. */
  #lastRequest: { readonly head: PlainHead; readonly request: Request } | undefined;
  /** The last head that was plain: nearly all clients send the same one again. */
  #plainHead: PlainHead | undefined;
  /** A publish whose body has not arrived completely. */
  #begun: BegunPublish | undefined;
  /** True while the client does not read its answers: then no further request is read. */
  #isUnread = false;
  /** Publishes that were read since others had their turn, of those that were sent behind another one. */
  #inARow = 0;
  #isEnding = false;
  /** True when the sidecar stops: the connection closes after the next answer. */
  #isStopping = false;
  #hasAsked = false;
  #movedAt = performance.now();

  constructor(read: SharedRead, deps: PlainConnectionDependencies, owner: PlainConnectionOwner) {
    const { socket } = read;
    this.socket = socket;
    this.#reading = read;
    this.#deps = deps;
    this.#owner = owner;
    const { remoteAddress, remotePort } = socket;
    this.#from = { remoteAddress, remotePort };
    socket.on('data', this.#take).on('drain', this.#drained).on('end', this.#ended);
    socket.on('error', this.#broken).on('close', this.#closed);
  }

  /** Closes a connection that was silent for too long. */
  look(nowMs: number): void {
    if (this.#isPublishing) return;
    const { silence, keptMs } = this.#deps;
    if (this.#begun !== undefined) {
      // The HTTP server applies the limit for the duration of a request.
      if (nowMs - this.#begun.sinceMs >= silence.everyMs) this.#handOverBegun(this.#begun);
      return;
    }
    const quietMs = nowMs - this.#movedAt;
    if (!this.#hasAsked) {
      if (quietMs >= silence.headersMs) this.#giveUp(TOO_LATE);
    } else if (quietMs >= (this.socket.writableLength > 0 ? silence.unreadMs : keptMs + BEYOND_MS))
      this.socket.destroy();
  }

  /**
   * Ends the connection, at once or with the answer to the publish that has begun. Further publishes that
   * were sent already are not read.
   */
  end(): void {
    this.#isStopping = true;
    if (!this.#isPublishing && this.#begun === undefined) this.socket.destroy();
  }

  readonly #take = (bytes: Buffer): void => {
    this.#movedAt = performance.now();
    this.#hasAsked = true;
    if (this.#isPublishing || this.#isUnread) this.#giveBack(bytes);
    else if (this.#begun === undefined) this.#read(bytes);
    else this.#readOn(this.#begun, bytes);
  };

  readonly #drained = (): void => {
    this.#movedAt = performance.now();
    this.#isUnread = false;
    this.#goOn();
  };

  readonly #ended = (): void => {
    this.#isEnding = true;
    if (this.#begun !== undefined) {
      this.#drop(this.#begun);
      this.#giveUp(CUT_SHORT);
    } else if (!this.#isPublishing) this.socket.end();
  };

  readonly #broken = (): void => {
    // The client has disconnected. Its publish goes on without it.
    this.socket.destroy();
  };

  readonly #closed = (): void => {
    if (this.#begun !== undefined) this.#drop(this.#begun);
    lastMade.plainConnection = this;
    this.#owner.gone(this);
  };

  /**
   * Puts a copy of the bytes back, to be read after the answer to those before them. The end of the connection is
   * reported after them.
   */
  #giveBack(bytes: Buffer): void {
    this.socket.pause();
    this.socket.unshift(Buffer.from(bytes));
  }

  #read(bytes: Buffer): void {
    const head = this.#heads.read(bytes);
    if (head === undefined || !this.#isPlain(head)) return this.#handOver(bytes);
    const bodyAt = head.bytes;
    const here = Math.min(head.bodyBytes, bytes.length - bodyAt);
    const isAwaited = here < head.bodyBytes;
    if (isAwaited && head.bodyBytes > MAX_AWAITED_LENGTH) return this.#handOver(bytes);
    if (this.#deps.bodies.take(here) !== undefined) return this.#handOver(bytes);
    if (!isAwaited) return this.#begin(head, bytes, bodyAt);
    this.#begun = new BegunPublish(head, bodyAt, this.#movedAt);
    this.#begun.add(Buffer.from(bytes));
  }

  /** Adds bytes to a publish whose body is incomplete. */
  #readOn(begun: BegunPublish, bytes: Buffer): void {
    const more = begun.add(Buffer.from(bytes));
    if (this.#deps.bodies.take(more) !== undefined) this.#handOverBegun(begun, more);
    else if (begun.isWhole) {
      this.#begun = undefined;
      this.#begin(begun.head, begun.bytes(), begun.bodyAt);
    }
  }

  /** Publishes a request that is complete, and counts its body. */
  #begin(head: PlainHead, bytes: Buffer, bodyAt: number): void {
    const end = bodyAt + head.bodyBytes;
    if (end < bytes.length) this.#giveBack(bytes.subarray(end));
    this.#isPublishing = true;
    // The body is copied, so that it does not keep the head and later bytes in memory.
    this.#publish(head, Buffer.from(bytes.subarray(bodyAt, end)));
  }

  #isPlain(head: PlainHead): boolean {
    const { hasToken, maxBodyBytes } = this.#deps;
    if (head !== this.#plainHead) {
      if (!isPlainTarget(head.url) || isSeenByRule(head.headers) || !hasToken(head.headers)) return false;
      this.#plainHead = head;
    }
    return fits(head.bodyBytes, maxBodyBytes());
  }

  /**
   * Publishes. If nothing has to be awaited, the answer is written before this method returns: a promise for
   * each publish would cost as much as its checks.
   */
  #publish(head: PlainHead, body: Buffer): void {
    try {
      const accepted = this.#deps.sidecar.publish(this.#requestOf(head, body));
      if (!(accepted instanceof Promise)) return this.#published(body, this.#accepted());
      accepted.then(
        () => this.#published(body, this.#accepted()),
        (error: unknown) => this.#published(body, this.#refused(error, head)),
      );
    } catch (error) {
      this.#published(body, this.#refused(error, head));
    }
  }

  /** The request of a head. A client sends the same head again and again, so it is read once. */
  #requestOf(head: PlainHead, body: Buffer): Request {
    const last = this.#lastRequest;
    if (last?.head === head) return { ...last.request, body };
    const given = { body, contentType: head.headers['content-type'], isBeginning: false };
    const raw = { url: head.url, headers: head.headers, socket: this.#from };
    const request = publishOf(raw, given, this.#deps.errors.profile.differences);
    this.#lastRequest = { head, request: { ...request, body: NO_BODY } };
    return request;
  }

  #published(body: Buffer, answer: string | Buffer): void {
    this.#deps.bodies.free(body.length);
    this.#isPublishing = false;
    this.#answer(answer);
  }

  #answer(answer: string | Buffer): void {
    if (this.socket.destroyed) return;
    this.#movedAt = performance.now();
    this.#isUnread = !(typeof answer === 'string'
      ? this.socket.write(answer, 'latin1')
      : this.socket.write(answer));
    if (this.#isStopping) this.#part();
    else this.#goOn();
  }

  /**
   * Closes the connection once the answer is sent. Later bytes are dropped: unread ones could destroy the
   * answer.
   */
  #part(): void {
    this.socket.off('data', this.#take).off('drain', this.#drained).resume();
    this.socket.destroySoon();
  }

  #goOn(): void {
    if (this.#isPublishing || this.#isUnread) return;
    if (!this.socket.isPaused()) {
      if (this.#isEnding) this.socket.end();
      return;
    }
    this.#inARow += 1;
    if (this.#inARow < MAX_IN_A_ROW) this.socket.resume();
    else setImmediate(this.#readOnInTurn);
  }

  readonly #readOnInTurn = (): void => {
    this.#inARow = 0;
    this.socket.resume();
  };

  #accepted(): string {
    return `HTTP/1.1 204 No Content\r\n${this.#lastFields()}`;
  }

  #refused(error: unknown, { url: target }: PlainHead): Buffer {
    const { status, type, body } = failureOf(
      error instanceof Error ? error : new Error(String(error)),
      { edge: 'publish', method: 'POST', target },
      this.#deps.errors,
    );
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n`;
    return Buffer.concat([Buffer.from(head + this.#lastFields(), 'latin1'), body]);
  }

  /** Headers that the HTTP server adds to each answer. */
  #lastFields(): string {
    if (this.#isStopping) return `Date: ${httpDate()}\r\nConnection: close\r\n\r\n`;
    const seconds = Math.floor(this.#deps.keptMs / 1000);
    return `Date: ${httpDate()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
  }

  /** Gives up a publish whose body will not arrive. */
  #drop(begun: BegunPublish): void {
    this.#begun = undefined;
    this.#deps.bodies.free(begun.bodyBytes);
    // The error that the HTTP server has for it.
    const error = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
    // Observers get the error. The HTTP server answers a client that still reads.
    failureOf(error, { edge: 'publish', method: 'POST', target: begun.head.url }, this.#deps.errors);
  }

  #giveUp(why: ParserError): void {
    this.#leave();
    this.socket.on('error', this.#broken);
    this.#owner.unreadable(this, why);
  }

  /**
   * Passes a connection with an incomplete publish to the HTTP server.
   * @param uncounted bytes of its body that are not counted separately
   */
  #handOverBegun(begun: BegunPublish, uncounted = 0): void {
    this.#begun = undefined;
    this.#deps.bodies.free(begun.bodyBytes - uncounted);
    this.#handOver(begun.bytes());
  }

  #handOver(bytes: Buffer): void {
    this.#leave();
    this.#giveBack(bytes);
    this.#owner.handOver(this);
    this.socket.resume();
  }

  #leave(): void {
    this.#reading.end();
    this.socket.off('data', this.#take).off('drain', this.#drained).off('end', this.#ended);
    this.socket.off('error', this.#broken).off('close', this.#closed);
  }
}

const date = { second: 0, text: '' };

/** Date header of an answer, made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== date.second) Object.assign(date, { second, text: new Date(second * 1000).toUTCString() });
  return date.text;
}
