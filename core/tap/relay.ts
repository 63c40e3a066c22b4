/** One connection through the tap: bytes go on as they come, in both directions, and each request is paired with its answer. */
import type { Socket } from 'node:net';
import type { Pieces } from '../domain/pieces.ts';
import { Gathered, passingBytes } from './body-room.ts';
import type { DeferredReports } from './deferred-reports.ts';
import type { BodyRoom } from './body-room.ts';
import type { Exchange, Going, NoReply, Side } from './exchange.ts';
import { Framing } from './framing.ts';
import type { Extent } from './framing.ts';
import {
  headerOf,
  isChunked,
  lengthOf,
  offersHttp2,
  readHead,
  readHeadText,
  requestOf,
  responseOf,
  withoutOffer,
} from './head.ts';
import type { Head, RequestHead, ResponseHead } from './head.ts';
import { Outlet } from './outlet.ts';
import { ServerSocket } from './server-socket.ts';
import { bodyAt, wholeRequest, wholeResponse } from './whole-message.ts';

/** Bytes that a client may send on while its request is held; then it waits. */
const MOST_WAITING = 256 * 1024;
/** Most raw bytes of a request or an answer that is held back whole. */
const MOST_GATHERED = 32 * 1024 * 1024;
/** Time that a refused client has to read its answer before its connection is closed. */
const LINGER_MS = 2_000;
const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface ConnectionTarget {
  readonly side: Side;
  readonly to: Target;
  readonly room: BodyRoom;
  readonly reports: DeferredReports;
}

/** A request that waits for its answer. */
interface Pending {
  readonly method: string;
  /** The request went on before it was read: nothing can stop it, or its answer. */
  readonly wentUnread: boolean;
  readonly exchange: Exchange;
  readonly request: Gathered;
  readonly response: Gathered;
  /** Bytes of the request while it is held back. */
  held: Pieces<Buffer> | undefined;
  /** The request is complete and went to the server. */
  wasSent: boolean;
  /** The tap itself sent `100 Continue` to the client, so the server's own one is not passed on. */
  saidContinue: boolean;
  answer: ResponseHead | undefined;
  /** The tap's own answer, sent once the answers to earlier requests have passed. */
  own: { readonly bytes: Buffer; readonly thenEnd: boolean } | undefined;
}

export class Relay {
  readonly #parts: ConnectionTarget;
  readonly #client: Socket;
  #server: Socket;
  readonly #toClient: Outlet;
  #toServer: Outlet;
  readonly #requests: Framing;
  readonly #responses: Framing;
  readonly #pending: Pending[] = [];
  #address: string | undefined;
  /** The request whose bytes are coming. */
  #coming: Pending | undefined;
  /** The answer whose bytes are held back. */
  #heldAnswer: Pieces<Buffer> | undefined;
  /** Exchange whose answer is complete and held until somebody releases it. */
  #kept: Exchange | undefined;
  /** Number of pieces that went on and are not read yet. */
  #unread = 0;
  /** The bytes that are being read have gone on already, so they must not be sent again. */
  #hasGone = false;
  #isInterim = false;
  #isSwallowing = false;
  #isOpaque = false;
  #clientEnded = false;
  #serverEnded = false;
  #isConnected = false;
  /** The server closed its connection while the next request was held; that request goes out on another connection. */
  #isParted = false;
  readonly #closedOne: () => void;
  #isOver = false;
  /** True: nothing of the client goes on to the server any more. */
  #isRefusing = false;
  #serverReadsNoMore = false;

  /** @param closed called once, when both connections are gone */
  constructor(client: Socket, parts: ConnectionTarget, closed: () => void) {
    this.#client = client;
    this.#parts = parts;
    this.#server = this.#connect();
    client.setNoDelay(true);
    this.#toClient = new Outlet(client, () => this.#server.pause());
    this.#toServer = new Outlet(this.#server, () => client.pause());
    this.#requests = new Framing({
      head: (head, bytes) => this.#requestHead(head, bytes),
      body: (bytes, content) => this.#requestBody(bytes, content),
      end: () => this.#requestEnd(),
      opaque: (bytes) => this.#sendOn(bytes),
    });
    this.#responses = new Framing({
      head: (head, bytes) => this.#responseHead(head, bytes),
      body: (bytes, content) => this.#responseBody(bytes, content),
      end: () => this.#responseEnd(),
      opaque: (bytes) => this.#passBack(bytes),
    });
    let open = 2;
    const oneClosed = (): void => {
      open -= 1;
      if (open === 0) closed();
    };
    this.#closedOne = oneClosed;
    this.#followClient();
    this.#followServer();
  }

  /** Cuts both connections. */
  destroy(): void {
    this.#cut({ by: 'server', code: 'reset', message: 'the tap was closed' });
  }

  #connect(): Socket {
    const server = new ServerSocket(() => this.#serverRefuses()).connect({ ...this.#parts.to });
    return server.setNoDelay(true);
  }

  #followClient(): void {
    const client = this.#client;
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    client.on('end', () => this.#clientEnd());
    client.on('drain', () => this.#server.resume());
    client.on('error', () => undefined);
    client.on('close', () => {
      this.#closed('client');
      // No other server connection follows, so the parted one is counted as closed here.
      if (this.#isParted) this.#closedOne();
      this.#closedOne();
    });
  }

  #followServer(): void {
    const server = this.#server;
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    server.on('end', () => {
      if (!this.#part()) this.#serverEnd();
    });
    server.on('drain', () => this.#readOn());
    server.on('connect', () => (this.#isConnected = true));
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server !== this.#server || this.#part()) return;
      this.#serverFails(error);
    });
    server.on('close', () => {
      if (server !== this.#server || this.#isParted) return;
      this.#closed('server');
      this.#closedOne();
    });
  }

  /** Handles a server that closed an idle connection. True: only a held request is left, and it stays held. */
  #part(): boolean {
    const [held, ...others] = this.#pending;
    const isHeld = held !== undefined && others.length === 0 && held.held !== undefined && !held.wasSent;
    if (this.#isOver || !isHeld || !this.#requests.isPaused || !this.#responses.isIdle) return false;
    this.#isParted = true;
    this.#server.destroy();
    return true;
  }

  /** Opens a new connection to the server, for what the client sends from now on. */
  #rejoin(): void {
    this.#isParted = false;
    this.#isConnected = false;
    this.#server = this.#connect();
    this.#toServer = new Outlet(this.#server, () => this.#client.pause());
    this.#followServer();
  }

  #serverFails(error: NodeJS.ErrnoException): void {
    this.#catchUp();
    if (!this.#isConnected) this.#parts.side.unreachable(error.message);
    if (this.#hasAnsweredEarly()) {
      this.#partFromClient();
      return;
    }
    this.#cut({
      by: this.#isConnected ? 'server' : 'before',
      code: this.#isConnected ? 'reset' : 'refused',
      message: error.message,
    });
  }

  #fromClient(bytes: Buffer): void {
    if (this.#isRefusing) return;
    const head = this.#requests.isIdle ? wholeRequest(bytes) : undefined;
    if (head !== undefined && this.#parts.side.letsPass(this.#from)) {
      this.#sendOn(bytes);
      this.#readLater(bytes, () => this.#readRequest(head, bytes));
      return;
    }
    this.#catchUp();
    this.#toServer.gather(() => this.#requests.push(bytes));
    if (this.#requests.waitingBytes > MOST_WAITING) this.#client.pause();
  }

  #fromServer(bytes: Buffer): void {
    const head = this.#answersPass ? wholeResponse(bytes) : undefined;
    if (head !== undefined) {
      this.#toClient.write(bytes);
      this.#readLater(bytes, () => this.#readResponse(head, bytes));
      return;
    }
    this.#catchUp();
    this.#toClient.gather(() => this.#responses.push(bytes));
  }

  /** True: every open request went on unread, so nothing can hold the next answer. */
  get #answersPass(): boolean {
    if (!this.#responses.isIdle) return false;
    const isAsked = this.#unread > 0 || this.#pending.length > 0;
    return isAsked && this.#pending.every(({ wentUnread }) => wentUnread);
  }

  /** Reads bytes that have gone on, in the order in which they did. */
  #readLater(bytes: Buffer, read: () => void): void {
    this.#unread += 1;
    this.#parts.reports.defer(() => {
      this.#unread -= 1;
      this.#hasGone = true;
      try {
        read();
      } finally {
        this.#hasGone = false;
      }
    }, bytes.length);
  }

  /** Reads a whole request that has gone on, as its framing would. What is odd about it is left to the framing. */
  #readRequest(text: string, bytes: Buffer): void {
    const head = readHeadText(text);
    const request = head && requestOf(head);
    const from = bodyAt(text);
    if (
      request === undefined ||
      this.#isOpaque ||
      !this.#requests.isIdle ||
      (lengthOf(request) ?? 0) !== bytes.length - from
    ) {
      this.#requests.push(bytes);
      return;
    }
    const exchange = this.#parts.side.begin(request, this.#from, false);
    const one = this.#pendingOf(request, exchange);
    one.wasSent = true;
    this.#pending.push(one);
    void exchange.requested(exchange.readsRequest ? bytes.subarray(from) : undefined);
  }

  /** Reads a whole answer that has gone on, as its framing would. What is odd about it is left to the framing. */
  #readResponse(text: string, bytes: Buffer): void {
    const head = readHeadText(text);
    const response = head && responseOf(head);
    const one = this.#pending[0];
    const from = bodyAt(text);
    if (
      response === undefined ||
      one === undefined ||
      !this.#responses.isIdle ||
      lengthAsIn(response) !== bytes.length - from
    ) {
      this.#responses.push(bytes);
      return;
    }
    this.#pending.shift();
    close(one);
    void one.exchange.responded(response, one.exchange.readsResponse ? bytes.subarray(from) : undefined);
    this.#ownAnswers();
  }

  /** Reads all bytes that went on unread, before a decision that depends on them. */
  #catchUp(): void {
    if (this.#unread > 0) this.#parts.reports.flush();
  }

  /** Address of the client. */
  get #from(): string {
    this.#address ??= `${this.#client.remoteAddress ?? ''}:${this.#client.remotePort ?? ''}`;
    return this.#address;
  }

  #readOn(): void {
    if (this.#requests.waitingBytes <= MOST_WAITING) this.#client.resume();
  }

  #clientEnd(): void {
    this.#catchUp();
    this.#clientEnded = true;
    if (this.#requests.isPaused || this.#kept !== undefined) {
      // The client that waited for the held request, or for its answer, is gone.
      this.#cut({ by: 'client', code: 'reset', message: 'the sidecar closed the connection' });
      return;
    }
    this.#requests.finish();
    // A request that was to be held whole is cut off: its bytes go on as they are.
    for (const bytes of this.#coming?.held?.all ?? []) this.#sendOn(bytes);
    if (this.#isParted) this.#endClient();
    else this.#server.end();
  }

  /** The server broke the connection after it had answered what it had begun to read. */
  #hasAnsweredEarly(): boolean {
    if (this.#responses.isPaused) return false;
    return this.#serverEnded || (this.#coming !== undefined && this.#pending.length === 0);
  }

  /** The server takes no more bytes: its answer is still read to the end, and further bytes of the client are dropped. */
  #serverRefuses(): void {
    this.#catchUp();
    this.#serverReadsNoMore = true;
    this.#isRefusing = true;
    this.#client.resume();
    if (this.#serverEnded) this.#serverEnd();
  }

  #serverEnd(): void {
    this.#catchUp();
    this.#serverEnded = true;
    if (this.#responses.isPaused) return;
    this.#responses.finish();
    // `finish` may complete an answer that is now held: the end of the connection waits for its release.
    if (this.#responses.isPaused) return;
    const why: NoReply = {
      by: 'server',
      code: 'reset',
      message: 'the connection ended before the answer was complete',
    };
    if (this.#serverReadsNoMore && this.#pending.length > 0) {
      this.#cut(why);
      return;
    }
    this.#loseAll(why);
    if (this.#serverReadsNoMore) this.#partFromClient();
    else this.#endClient();
  }

  /** Both ends said that they are done: each connection closes by itself once its bytes are written. */
  #closed(by: 'client' | 'server'): void {
    if (this.#clientEnded && this.#serverEnded) return;
    this.#cut({ by, code: 'reset', message: 'the other end closed the connection' });
  }

  /** The server has answered and reads no more: the client may still read the answer, even if it goes on sending. */
  #partFromClient(): void {
    this.#isOver = true;
    this.#isRefusing = true;
    this.#server.destroy();
    this.#endClient();
    this.#client.resume();
    this.#client.setTimeout(LINGER_MS, () => this.#client.destroy());
  }

  /** Ends both connections without waiting; what is not answered is lost. */
  #cut(why: NoReply): void {
    if (this.#isOver) return;
    this.#catchUp();
    this.#isOver = true;
    this.#loseAll(why);
    for (const socket of [this.#client, this.#server]) if (!socket.destroyed) socket.resetAndDestroy();
  }

  #loseAll(why: NoReply): void {
    const coming = this.#coming;
    const left = 'the sidecar closed the connection while the answer was held';
    this.#kept?.lost({ ...why, by: 'after', message: why.by === 'client' ? left : why.message });
    this.#kept = undefined;
    for (const one of this.#pending.splice(0)) {
      const isWhole = one !== coming && one.wasSent;
      close(one);
      if (one.own === undefined) one.exchange.lost(isWhole ? why : { ...why, by: 'before' });
    }
    this.#coming = undefined;
  }

  // From the client.

  #requestHead(head: Head, bytes: Buffer): Extent {
    const request = requestOf(head);
    if (request === undefined || this.#isOpaque) {
      this.#sendOn(bytes);
      return { kind: 'opaque' };
    }
    const without = offersHttp2(request) ? withoutOffer(bytes) : undefined;
    const plain = without && readHead(without);
    if (without !== undefined && plain !== undefined && !offersHttp2(plain))
      return this.#requestHead(plain, without);
    const refusal = whyRefused(request);
    if (refusal !== undefined) {
      this.#refuse(request, refusal);
      return { kind: 'opaque' };
    }
    const exchange = this.#parts.side.begin(request, this.#from, !this.#hasGone);
    const one = this.#pendingOf(request, exchange);
    this.#pending.push(one);
    this.#coming = one;
    if (one.held !== undefined && /^100-continue$/i.test(headerOf(request, 'expect') ?? '')) {
      one.saidContinue = true;
      this.#toClient.write(CONTINUE);
    }
    this.#hold(one, bytes);
    return extentOfRequest(request);
  }

  #pendingOf({ method }: RequestHead, exchange: Exchange): Pending {
    return {
      method,
      wentUnread: this.#hasGone,
      exchange,
      request: new Gathered(this.#parts.room),
      response: new Gathered(this.#parts.room),
      held: exchange.stopsRequest ? passingBytes() : undefined,
      wasSent: false,
      saidContinue: false,
      answer: undefined,
      own: undefined,
    };
  }

  #requestBody(bytes: Buffer, content: Buffer | undefined): void {
    const one = this.#coming;
    if (one === undefined) {
      this.#sendOn(bytes);
      return;
    }
    if (content !== undefined && one.exchange.readsRequest) one.request.add(content);
    this.#hold(one, bytes);
  }

  /** Sends bytes of a request on, or keeps them with the others of one that is held back. */
  #hold(one: Pending, bytes: Buffer): void {
    if (one.held === undefined) {
      this.#sendOn(bytes);
      return;
    }
    one.held.add(bytes);
    if (one.held.length <= MOST_GATHERED && !one.request.isOver) return;
    // The request is too large to be held back, so it passes.
    for (const part of one.held.all) this.#sendOn(part);
    one.held = undefined;
  }

  #requestEnd(): void {
    const one = this.#coming;
    this.#coming = undefined;
    if (one === undefined) return;
    const body = one.exchange.readsRequest ? one.request.whole() : undefined;
    one.request.close();
    if (one.held === undefined) {
      one.wasSent = true;
      void one.exchange.requested(body);
      return;
    }
    this.#requests.pause();
    const going = one.exchange.requested(body) ?? Promise.resolve<Going>({ kind: 'pass' });
    void going.then((how) => this.#goOn(one, how));
  }

  #goOn(one: Pending, how: Going): void {
    if (this.#isOver) return;
    const held = one.held?.all ?? [];
    one.held = undefined;
    switch (how.kind) {
      case 'pass':
        one.wasSent = true;
        for (const bytes of held) this.#sendOn(bytes);
        break;
      case 'send':
        one.wasSent = true;
        one.saidContinue = false;
        this.#sendOn(how.bytes);
        break;
      case 'answer':
        one.own = { bytes: how.bytes, thenEnd: false };
        this.#ownAnswers();
        break;
      case 'cut':
        one.own = { bytes: Buffer.alloc(0), thenEnd: true };
        this.#cut({ by: 'server', code: 'reset', message: 'cut by hand' });
        return;
    }
    this.#toServer.gather(() => this.#requests.resume());
    this.#readOn();
    if (this.#clientEnded) this.#clientEnd();
  }

  #refuse(request: RequestHead, reason: string): void {
    this.#parts.side.refused(request, reason);
    this.#isRefusing = true;
    const body = Buffer.from(`${reason}\n`);
    const head = `HTTP/1.1 501 Not Implemented\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    const nothing = new Gathered(this.#parts.room);
    this.#pending.push({
      method: request.method,
      wentUnread: false,
      exchange: NOBODY,
      request: nothing,
      response: nothing,
      held: undefined,
      wasSent: false,
      saidContinue: false,
      answer: undefined,
      own: { bytes: Buffer.concat([Buffer.from(head), body]), thenEnd: true },
    });
    this.#ownAnswers();
  }

  /** Answers that are given here wait until those before them have passed. */
  #ownAnswers(): void {
    for (;;) {
      const first = this.#pending[0];
      if (first?.own === undefined) return;
      this.#pending.shift();
      this.#toClient.write(first.own.bytes);
      if (!first.own.thenEnd) continue;
      this.#isOver = true;
      this.#client.setTimeout(LINGER_MS, () => this.#client.destroy());
      this.#endClient();
      this.#server.destroy();
    }
  }

  // From the server.

  #responseHead(head: Head, bytes: Buffer): Extent {
    const response = responseOf(head);
    const one = this.#pending[0];
    if (response === undefined || one === undefined || response.status === 101) {
      this.#giveUp();
      this.#passBack(bytes);
      return { kind: 'opaque' };
    }
    this.#isInterim = response.status < 200;
    if (this.#isInterim) {
      this.#isSwallowing = response.status === 100 && one.saidContinue;
      if (!this.#isSwallowing) this.#passBack(bytes);
      return { kind: 'none' };
    }
    one.answer = response;
    if (one.method === 'CONNECT' && response.status < 300) {
      this.#giveUp();
      this.#passBack(bytes);
      return { kind: 'opaque' };
    }
    this.#heldAnswer = one.exchange.stopsResponse ? passingBytes() : undefined;
    this.#holdAnswer(bytes);
    return extentOfResponse(response, one.method);
  }

  #responseBody(bytes: Buffer, content: Buffer | undefined): void {
    const one = this.#pending[0];
    if (content !== undefined && one?.exchange.readsResponse === true) one.response.add(content);
    this.#holdAnswer(bytes);
  }

  #holdAnswer(bytes: Buffer): void {
    if (this.#heldAnswer === undefined) {
      this.#passBack(bytes);
      return;
    }
    this.#heldAnswer.add(bytes);
    if (this.#heldAnswer.length <= MOST_GATHERED && this.#pending[0]?.response.isOver !== true) return;
    for (const part of this.#heldAnswer.all) this.#passBack(part);
    this.#heldAnswer = undefined;
  }

  #responseEnd(): void {
    if (this.#isInterim) {
      this.#isInterim = false;
      return;
    }
    const one = this.#pending.shift();
    if (one?.answer === undefined) return;
    const body = one.exchange.readsResponse ? one.response.whole() : undefined;
    close(one);
    const held = this.#heldAnswer?.all;
    this.#heldAnswer = undefined;
    const changed = one.exchange.responded(one.answer, body);
    if (held === undefined || changed === undefined) {
      for (const bytes of held ?? []) this.#passBack(bytes);
      this.#ownAnswers();
      return;
    }
    this.#responses.pause();
    this.#kept = one.exchange;
    void changed.then((instead) => {
      if (this.#isOver) return;
      this.#kept = undefined;
      for (const bytes of instead === undefined ? held : [instead]) this.#passBack(bytes);
      this.#ownAnswers();
      this.#responses.resume();
      if (this.#serverEnded) this.#serverEnd();
    });
  }

  /** Lets all further bytes pass without being read. */
  #giveUp(): void {
    this.#isOpaque = true;
    this.#requests.stop();
    this.#loseAll({ by: 'server', code: 'reset', message: 'what passes here is not HTTP/1.1' });
  }

  /** Sends bytes of the client to the server. */
  #sendOn(bytes: Buffer): void {
    if (this.#isRefusing || this.#hasGone) return;
    if (this.#isParted) this.#rejoin();
    this.#toServer.write(bytes);
  }

  /** Sends bytes of the server to the client. */
  #passBack(bytes: Buffer): void {
    if (!this.#hasGone) this.#toClient.write(bytes);
  }

  /** Ends the client's connection after everything that was said. */
  #endClient(): void {
    this.#toClient.flush();
    this.#client.end();
  }
}

const NOBODY: Exchange = {
  stopsRequest: false,
  stopsResponse: false,
  readsRequest: false,
  readsResponse: false,
  requested: () => undefined,
  responded: () => undefined,
  lost: () => undefined,
};

function close({ request, response }: Pending): void {
  request.close();
  response.close();
}

/** Why a request may not pass; undefined: it may. */
function whyRefused(request: RequestHead): string | undefined {
  if (request.method === 'PRI' && request.target === '*')
    return 'This is HTTP/2, and the tap passes HTTP/1.1 on this port. gRPC is tapped with --sidecar-grpc and --tap-grpc-port.';
  const protocol = headerOf(request, 'upgrade');
  if (protocol === undefined) return undefined;
  return `The tap does not pass an upgrade to ${protocol}: it could not read what passes after that. Connect to the real port.`;
}

function extentOfRequest(head: RequestHead): Extent {
  const chunked = isChunked(head);
  if (chunked !== undefined) return { kind: chunked ? 'chunked' : 'opaque' };
  const bytes = lengthOf(head);
  return bytes === undefined ? { kind: 'none' } : { kind: 'length', bytes };
}

/** Bytes of the body of a whole answer to a POST or PUT. */
function lengthAsIn(head: ResponseHead): number | undefined {
  return head.status === 204 || head.status === 304 ? 0 : lengthOf(head);
}

function extentOfResponse(head: ResponseHead, method: string): Extent {
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return { kind: 'none' };
  const chunked = isChunked(head);
  if (chunked !== undefined) return { kind: chunked ? 'chunked' : 'to-end' };
  const bytes = lengthOf(head);
  return bytes === undefined ? { kind: 'to-end' } : { kind: 'length', bytes };
}
