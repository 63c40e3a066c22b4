/** One connection through the tap: forwards bytes between client and server socket, and closes each after the other. */
import type { Socket } from 'node:net';
import { errorText } from '../contract/error-text.ts';
import type { BodyRoom } from './body-room.ts';
import type { DeferredReports } from './deferred-reports.ts';
import type { BegunAnswer, NoReply, Side } from './exchange.ts';
import { ConnectionState } from './connection-state.ts';
import type { ConnectionActions } from './connection-state.ts';
import { SocketWriter } from './socket-writer.ts';
import { closeBodies } from './pending-request.ts';
import type { PendingRequest } from './pending-request.ts';
import { Requests } from './requests.ts';
import { Responses } from './responses.ts';
import { ServerSocket } from './server-socket.ts';
import { UnreadPieces } from './unread-pieces.ts';
import { wholeRequest, wholeResponse } from './whole-message.ts';

/** Bytes that an end may send on while its request or its answer is held; then it waits. */
const MAX_WAITING = 256 * 1024;
/** Number of requests of a client that wait for answers; at more than that it waits. */
const MAX_UNANSWERED = 1_000;
/** Time that a refused client has to read its answer before its connection is closed. */
const LINGER_MS = 2_000;
/** Time that a client has to say its request if the server cannot be reached. */
const MAX_REQUEST_MS = 1_000;
const CONTINUE = Buffer.from('HTTP/1.1 100 Continue\r\n\r\n');
const NO_ANSWER: NoReply = {
  by: 'server',
  code: 'reset',
  message: 'the connection ended before the answer was complete',
};
const CLIENT_GAVE_UP: NoReply = {
  by: 'client',
  code: 'reset',
  message: 'the caller closed its connection before it got an answer',
};
/** Reason where the client has ended its sending: a server often ends its connection because of that. */
const BOTH_ENDED: NoReply = {
  by: 'both',
  code: 'reset',
  message: 'both ends closed the connection before there was an answer',
};

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

/**
 * The connection to the server: from connecting to connected or unreached, from each of these three to detached, and from there to
 * connecting again. One that fails while only a held request is there is detached without being unreached.
 */
type ServerState =
  | { readonly kind: 'connecting' | 'connected' }
  /** The connection failed. The client may still say its request, until `timer` ends. */
  | { readonly kind: 'unreached'; readonly why: NoReply; readonly timer: NodeJS.Timeout }
  /** The server closed its connection, or said something unasked, while the next request was held: it goes out on another connection. */
  | { readonly kind: 'detached' };

export class Relay {
  readonly #target: ConnectionTarget;
  readonly #state: ConnectionState;
  readonly #client: Socket;
  #server: Socket;
  readonly #toClient: SocketWriter;
  #toServer: SocketWriter;
  readonly #requests: Requests;
  readonly #responses: Responses;
  #address: string | undefined;
  readonly #unread: UnreadPieces;
  #clientEnded = false;
  #serverEnded = false;
  #serverState: ServerState = { kind: 'connecting' };
  readonly #onOneClosed: () => void;
  #serverReadsNoMore = false;

  /** @param closed called once, when both connections are gone */
  constructor(client: Socket, target: ConnectionTarget, closed: () => void) {
    this.#client = client;
    this.#target = target;
    this.#state = new ConnectionState(target.side, target.room);
    this.#unread = new UnreadPieces(target.reports);
    this.#server = this.#connect();
    client.setNoDelay(true);
    this.#toClient = new SocketWriter(client, () => this.#server.pause());
    this.#toServer = new SocketWriter(this.#server, () => client.pause());
    const actions = {
      forward: (bytes: Buffer) => this.#forward(bytes),
      sendBack: (bytes: Buffer) => this.#sendBack(bytes),
      ownAnswers: () => this.#ownAnswers(),
    };
    this.#requests = this.#requestsTo(actions);
    this.#responses = new Responses(this.#state, {
      ...actions,
      giveUp: () => this.#giveUp(),
      released: () => {
        this.#server.resume();
        this.#readOn();
        if (this.#serverEnded) this.#serverEnd(true);
        this.#readOn();
      },
    });
    let open = 2;
    const oneClosed = (): void => {
      open -= 1;
      if (open === 0) closed();
    };
    this.#onOneClosed = oneClosed;
    this.#followClient();
    this.#followServer();
  }

  /** Cuts both connections. */
  destroy(): void {
    this.#cut({ by: 'server', code: 'reset', message: 'the tap was closed' });
  }

  #requestsTo(actions: ConnectionActions): Requests {
    return new Requests(this.#state, {
      ...actions,
      from: () => this.#from,
      cut: () => this.#cut({ by: 'server', code: 'reset', message: 'cut by hand' }),
      goneOn: (rest) => {
        this.#toServer.gather(rest);
        this.#readOn();
        if (this.#clientEnded) this.#clientEnd();
      },
    });
  }

  #connect(): Socket {
    const server: ServerSocket = new ServerSocket(() => {
      if (server === this.#server) this.#serverRefuses();
    });
    server.connect({ ...this.#target.to }).setNoDelay(true);
    return server;
  }

  #followClient(): void {
    const client = this.#client;
    // The next read of any client overwrites these bytes, and the tap keeps them.
    client.on('data', (bytes: Buffer) => this.#fromClient(Buffer.from(bytes)));
    client.on('end', () => this.#clientEnd());
    client.on('drain', () => this.#server.resume());
    client.on('error', () => undefined);
    client.on('close', () => {
      if (this.#serverState.kind === 'unreached') clearTimeout(this.#serverState.timer);
      // No other server connection follows, so the one that is gone is counted as closed here.
      if (this.#isServerGone) this.#onOneClosed();
      this.#closed('client');
      this.#onOneClosed();
    });
  }

  #followServer(): void {
    const server = this.#server;
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    server.on('end', () => {
      if (!this.#detachServer()) this.#serverEnd();
    });
    server.on('drain', () => this.#readOn());
    server.on('connect', () => (this.#serverState = { kind: 'connected' }));
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (server !== this.#server || this.#detachServer()) return;
      this.#serverFails(error);
    });
    server.on('close', () => {
      if (server !== this.#server || this.#isServerGone) return;
      this.#closed('server');
      this.#onOneClosed();
    });
  }

  /** True: the connection has ended, and another one may follow. */
  get #isServerGone(): boolean {
    return this.#serverState.kind === 'unreached' || this.#serverState.kind === 'detached';
  }

  /** Handles a server that closed an idle connection. True: only a held request is left, and it stays held. */
  #detachServer(): boolean {
    return this.#requests.isPaused && this.#detachUnasked();
  }

  /** Leaves a server that was asked nothing, because the only request is held here. True: the request stays held. */
  #detachUnasked(): boolean {
    const [held, ...others] = this.#state.pending;
    const isHeld = held !== undefined && others.length === 0 && held.held !== undefined && !held.wasSent;
    if (this.#state.isOver || !isHeld || !this.#responses.isIdle) return false;
    this.#serverState = { kind: 'detached' };
    this.#server.destroy();
    return true;
  }

  /** Opens a new connection to the server, for what the client sends from now on. */
  #reconnect(): void {
    this.#serverState = { kind: 'connecting' };
    this.#server = this.#connect();
    this.#toServer = new SocketWriter(this.#server, () => this.#client.pause());
    this.#followServer();
  }

  #serverFails(error: NodeJS.ErrnoException): void {
    this.#catchUp();
    const message = errorText(error);
    const wasConnected = this.#serverState.kind === 'connected';
    if (!wasConnected) this.#target.side.unreachable(message);
    if (this.#responses.isKept) {
      this.#serverReadsNoMore = true;
      this.#serverEnded = true;
      return;
    }
    if (this.#hasAnsweredEarly()) {
      this.#endClientSlowly();
      return;
    }
    if (wasConnected) {
      this.#responses.passHeld();
      this.#cut({ by: 'server', code: 'reset', message });
    } else this.#cutOnceAsked({ by: 'before', code: 'refused', message });
  }

  /**
   * Cuts the client of a server that cannot be reached. The client has a moment to say its request first, so
   * that the request is reported with the reason.
   */
  #cutOnceAsked(why: NoReply): void {
    const timer = setTimeout(() => this.#cut(why), MAX_REQUEST_MS);
    this.#serverState = { kind: 'unreached', why, timer };
    // A client that sent more than the connection could take was paused, and nothing else resumes it.
    this.#readOn();
    this.#cutIfAsked();
  }

  /** Cuts the client if the server cannot be reached and a request is complete. One that is held stays held. */
  #cutIfAsked(): void {
    const state = this.#serverState;
    if (state.kind !== 'unreached') return;
    this.#catchUp();
    if (this.#state.pending.length === 0 || this.#requests.coming !== undefined) return;
    clearTimeout(state.timer);
    if (!this.#detachServer()) this.#cut(state.why);
  }

  #fromClient(bytes: Buffer): void {
    if (this.#state.dropsClientBytes) return;
    const head = this.#requests.isIdle ? wholeRequest(bytes) : undefined;
    if (head !== undefined && this.#target.side.letsPass(this.#from)) {
      this.#forward(bytes);
      this.#readLater('request', bytes, () => this.#requests.readWhole(head, bytes));
    } else {
      this.#catchUp();
      this.#toServer.gather(() => this.#requests.push(bytes));
    }
    this.#cutIfAsked();
    // A client may have sent more before it saw the end of its server.
    if (this.#serverEnded && !this.#responses.isPaused) this.#loseAsked();
    if (this.#isFull) this.#client.pause();
  }

  #fromServer(bytes: Buffer): void {
    const head = this.#answersPass ? wholeResponse(bytes) : undefined;
    if (head !== undefined) {
      this.#toClient.write(bytes);
      this.#readLater('answer', bytes, () => this.#responses.readWhole(head, bytes));
      this.#readOn();
      return;
    }
    this.#catchUp();
    // Servers say 408 over a connection that is quiet for long: it is no answer to the request, which they do not have.
    if (this.#detachUnasked()) return;
    this.#toClient.gather(() => this.#responses.push(bytes));
    if (this.#responses.waitingBytes > MAX_WAITING) this.#server.pause();
    this.#readOn();
  }

  /** True: every open request went on unread, so nothing can hold the next answer. */
  get #answersPass(): boolean {
    if (!this.#responses.isIdle) return false;
    return this.#unanswered > 0 && this.#state.pending.every(({ forwardedUnread }) => forwardedUnread);
  }

  /** Reads bytes that have gone on, in the order in which they did. */
  #readLater(kind: 'request' | 'answer', bytes: Buffer, read: () => void): void {
    this.#unread.add(kind, bytes, () => {
      this.#state.isForwarded = true;
      try {
        read();
      } finally {
        this.#state.isForwarded = false;
      }
      this.#readOn();
    });
  }

  /** Reads all bytes that went on unread, before a decision that depends on them. */
  #catchUp(): void {
    this.#unread.catchUp();
  }

  /** Address of the client. */
  get #from(): string {
    this.#address ??= `${this.#client.remoteAddress ?? ''}:${this.#client.remotePort ?? ''}`;
    return this.#address;
  }

  /** True while the client has sent more than may wait here. */
  get #isFull(): boolean {
    return this.#requests.waitingBytes > MAX_WAITING || this.#unanswered > MAX_UNANSWERED;
  }

  /** Number of requests that wait for their answers, read or not. */
  get #unanswered(): number {
    return this.#state.pending.length + this.#unread.unanswered;
  }

  /** Resumes a client that was paused, unless something still is full. */
  #readOn(): void {
    if (this.#client.isPaused() && !this.#isFull && !this.#server.writableNeedDrain) this.#client.resume();
  }

  #clientEnd(): void {
    this.#catchUp();
    this.#clientEnded = true;
    if (this.#requests.isPaused || this.#responses.isKept) {
      // The client that waited for the held request, or for its answer, has disconnected.
      this.#cut({ by: 'client', code: 'reset', message: 'the sidecar closed the connection' });
      return;
    }
    this.#requests.finish();
    if (this.#serverState.kind === 'unreached') this.#cut(this.#serverState.why);
    else if (this.#serverState.kind === 'detached') this.#endClient();
    else this.#server.end();
  }

  /** The server broke the connection after it had answered what it had begun to read. */
  #hasAnsweredEarly(): boolean {
    if (this.#responses.isPaused) return false;
    return this.#serverEnded || (this.#requests.coming !== undefined && this.#state.pending.length === 0);
  }

  /** The server takes no more bytes: its answer is still read to the end, and further bytes of the client are dropped. */
  #serverRefuses(): void {
    // Bytes that were to go out over a connection that failed.
    if (this.#isServerGone) return;
    this.#catchUp();
    this.#serverReadsNoMore = true;
    this.#state.dropsClientBytes = true;
    this.#client.resume();
    if (this.#serverEnded) this.#serverEnd();
  }

  /** @param isReleased an answer was held until now: its bytes may still be on their way, and a reset would drop them */
  #serverEnd(isReleased = false): void {
    this.#catchUp();
    this.#serverEnded = true;
    if (this.#responses.isPaused) return;
    this.#responses.finish();
    // `finish` may complete an answer that is now held: the end of the connection waits for its release.
    if (this.#responses.isPaused) return;
    if (this.#serverReadsNoMore && this.#state.pending.length > 0 && !isReleased) {
      this.#cut(NO_ANSWER);
      return;
    }
    this.#loseAsked();
    if (this.#serverReadsNoMore) this.#endClientSlowly();
    else this.#endClient();
    // A client that waited for answers is read to its end, as none come any more.
    this.#readOn();
  }

  /** Loses what was asked of a server that has said everything. */
  #loseAsked(): void {
    this.#catchUp();
    this.#loseAll(this.#clientEnded ? BOTH_ENDED : NO_ANSWER);
  }

  /** Both ends said that they are done: each connection closes by itself once its bytes are written. */
  #closed(by: 'client' | 'server'): void {
    if (this.#clientEnded && this.#serverEnded) return;
    // The end of the connection waits for the release of the answer.
    if (by === 'server' && this.#serverEnded && this.#responses.isKept) return;
    const gone: NoReply =
      by === 'client'
        ? CLIENT_GAVE_UP
        : { by, code: 'reset', message: 'the other end closed the connection' };
    const state = this.#serverState;
    this.#cut(state.kind === 'unreached' ? state.why : gone);
  }

  /** The server has answered and reads no more: the client may still read the answer, even if it goes on sending. */
  #endClientSlowly(): void {
    this.#state.isOver = true;
    this.#state.dropsClientBytes = true;
    this.#requests.lose();
    this.#server.destroy();
    this.#endClient();
    this.#client.resume();
    this.#client.setTimeout(LINGER_MS, () => this.#client.destroy());
  }

  /** Ends both connections without waiting; what is not answered is lost. */
  #cut(why: NoReply): void {
    if (this.#state.isOver) return;
    this.#catchUp();
    this.#state.isOver = true;
    this.#loseAll(why);
    cutSocket(this.#client);
    cutSocket(this.#server);
  }

  #loseAll(why: NoReply): void {
    const { coming } = this.#requests;
    const left = 'the sidecar closed the connection while the answer was held';
    const kept = this.#responses.takeKept();
    kept?.lost({ ...why, by: 'after', message: why.by === 'client' ? left : why.message });
    for (const one of this.#state.pending.splice(0)) {
      const isWhole = one !== coming && one.wasSent;
      const begun = isWhole && why.by === 'server' ? this.#begun(one) : undefined;
      closeBodies(one);
      if (one.own === undefined)
        one.exchange.lost({
          ...why,
          ...(isWhole ? {} : { by: 'before' }),
          ...(begun === undefined ? {} : { begun }),
        });
    }
    this.#requests.lose();
  }

  /** The answer to a request that has gone on in part; undefined: nothing of it has. */
  #begun({ answer, response, exchange }: PendingRequest): BegunAnswer | undefined {
    if (answer === undefined || this.#responses.isHolding) return undefined;
    return { head: answer, body: exchange.readsResponse ? response.whole() : undefined };
  }

  /** Answers that are given here wait until those before them have passed, also one that is held. */
  #ownAnswers(): void {
    while (!this.#responses.isKept) {
      const first = this.#state.pending[0];
      if (first?.toContinue === 'asked') {
        first.toContinue = 'told';
        this.#toClient.write(CONTINUE);
      }
      if (first?.own === undefined) return;
      this.#state.pending.shift();
      this.#toClient.write(first.own.bytes);
      if (!first.own.thenEnd) continue;
      this.#state.isOver = true;
      this.#client.setTimeout(LINGER_MS, () => this.#client.destroy());
      this.#endClient();
      this.#server.destroy();
    }
  }

  /** Lets all further bytes pass without being read. */
  #giveUp(): void {
    this.#state.passesThrough = true;
    this.#requests.stop();
    this.#loseAll({ by: 'server', code: 'reset', message: 'what passes here is not HTTP/1.1' });
  }

  #forward(bytes: Buffer): void {
    if (this.#state.dropsClientBytes || this.#state.isForwarded) return;
    if (this.#serverState.kind === 'detached') this.#reconnect();
    this.#toServer.write(bytes);
  }

  #sendBack(bytes: Buffer): void {
    if (!this.#state.isForwarded) this.#toClient.write(bytes);
  }

  /** Ends the client's connection after everything that was said. */
  #endClient(): void {
    this.#toClient.flush();
    this.#client.end();
  }
}

/** Closes a socket without waiting. A reset would wait for a connection that is still being made. */
function cutSocket(socket: Socket): void {
  if (socket.destroyed) return;
  if (socket.connecting) socket.destroy();
  else socket.resetAndDestroy();
}
