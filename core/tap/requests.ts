/** From the client to the server: requests go on as they come, or wait as a whole until it is decided how they go on. */
import { bytePieces } from './body-room.ts';
import type { Exchange, RequestDecision } from './exchange.ts';
import { requestBodyLength } from './body-length.ts';
import { Framing } from './framing.ts';
import type { BodyLength } from './framing.ts';
import {
  headerOf,
  lengthOf,
  offersHttp2,
  readHead,
  readHeadText,
  requestOf,
  saysClose,
  withoutOffer,
} from './head.ts';
import type { Head, RequestHead } from './head.ts';
import { mayBeInRequest } from './head-part.ts';
import type { ConnectionState, ConnectionActions } from './connection-state.ts';
import { answeredHere, closeBodies, pendingRequest } from './pending-request.ts';
import type { PendingRequest } from './pending-request.ts';
import { refusalBytes, whyRefused } from './refusals.ts';
import { bodyAt } from './whole-message.ts';

/** Maximum number of raw bytes of a request that is held back whole. */
export const MAX_GATHERED = 32 * 1024 * 1024;

interface RequestActions extends ConnectionActions {
  /** Address of the client. */
  readonly from: () => string;
  /** Cuts the connection, as if no program listened. */
  readonly cut: () => void;
  /** A held request was decided: `rest` reads what came behind it. */
  readonly goneOn: (rest: () => void) => void;
}

export class Requests {
  readonly #state: ConnectionState;
  readonly #actions: RequestActions;
  readonly #framing: Framing;
  /** The request whose bytes are coming. */
  #coming: PendingRequest | undefined;
  /** The head that was read last of those that had gone on. */
  #last: {
    readonly text: string;
    readonly request: RequestHead | undefined;
    readonly bytes: number | 'wrong';
  } = {
    text: '',
    request: undefined,
    bytes: 0,
  };

  constructor(state: ConnectionState, actions: RequestActions) {
    this.#state = state;
    this.#actions = actions;
    this.#framing = new Framing({
      mayBeInHead: mayBeInRequest,
      head: (head, bytes) => this.#head(head, bytes),
      body: (bytes, content) => this.#body(bytes, content),
      end: () => this.#end(),
      unreadable: () => this.#unreadable(),
      opaque: (bytes) => actions.forward(bytes),
    });
  }

  /** True between two requests, while nothing waits. */
  get isIdle(): boolean {
    return this.#framing.isIdle;
  }

  /** True while a request is held. */
  get isPaused(): boolean {
    return this.#framing.isPaused;
  }

  /** Bytes that came behind a held request. */
  get waitingBytes(): number {
    return this.#framing.waitingBytes;
  }

  get coming(): PendingRequest | undefined {
    return this.#coming;
  }

  push(bytes: Buffer): void {
    this.#framing.push(bytes);
  }

  /** Reads a whole request that has gone on, as the framing would. What is odd about it is left to the framing. */
  readWhole(text: string, bytes: Buffer): void {
    if (text !== this.#last.text) this.#readHead(text);
    const { request, bytes: length } = this.#last;
    const from = bodyAt(text);
    if (
      request === undefined ||
      this.#state.passesThrough ||
      !this.#framing.isIdle ||
      length !== bytes.length - from
    ) {
      this.#framing.push(bytes);
      return;
    }
    const one = this.#begin(request, false);
    one.wasSent = true;
    void one.exchange.requested(one.exchange.readsRequest ? bytes.subarray(from) : undefined);
  }

  #readHead(text: string): void {
    const head = readHeadText(text);
    const request = head && requestOf(head);
    this.#last = { text, request, bytes: (request && lengthOf(request)) ?? 0 };
  }

  /** The client has said everything. A request that was to be held whole is cut off: its bytes go on as they are. */
  finish(): void {
    this.#framing.finish();
    this.#passHeld();
  }

  /** All further bytes pass without being read. */
  stop(): void {
    this.#passHeld();
    this.#framing.stop();
  }

  /** Forgets the request whose bytes are coming: they are not read to their end. */
  lose(): void {
    const one = this.#coming;
    this.#coming = undefined;
    if (one?.early === undefined || one.early === 'told') return;
    closeBodies(one);
    void one.exchange.responded(one.early.head, one.early.body);
  }

  #begin(request: RequestHead, mayStop: boolean): PendingRequest {
    const { side, room, pending, isForwarded } = this.#state;
    const exchange: Exchange = side.begin(request, this.#actions.from(), mayStop);
    const held = exchange.stopsRequest ? bytePieces() : undefined;
    // Only an answer of the tap depends on it, and only to a request that is held.
    const isLast = held !== undefined && saysClose(request, !request.startLine.endsWith('HTTP/1.1'));
    const one = pendingRequest(
      request.method,
      { exchange, held, forwardedUnread: isForwarded, isLast },
      room,
    );
    pending.push(one);
    return one;
  }

  #head(head: Head, bytes: Buffer): BodyLength {
    const request = requestOf(head);
    if (request === undefined || this.#state.passesThrough) {
      this.#actions.forward(bytes);
      return { kind: 'opaque' };
    }
    const without = offersHttp2(request) ? withoutOffer(bytes) : undefined;
    const plain = without && readHead(without);
    if (without !== undefined && plain !== undefined && !offersHttp2(plain))
      return this.#head(plain, without);
    const refusal = whyRefused(request);
    if (refusal !== undefined) {
      this.#refuse(request, refusal);
      return { kind: 'opaque' };
    }
    const one = this.#begin(request, !this.#state.isForwarded);
    this.#coming = one;
    if (one.held !== undefined && waitsForContinue(request)) {
      one.toContinue = 'asked';
      this.#actions.ownAnswers();
    }
    this.#hold(one, bytes);
    return requestBodyLength(request);
  }

  #body(bytes: Buffer, content: Buffer | undefined): void {
    const one = this.#coming;
    if (one === undefined) {
      this.#actions.forward(bytes);
      return;
    }
    if (content !== undefined && one.exchange.readsRequest && one.early !== 'told') one.request.add(content);
    this.#hold(one, bytes);
  }

  /** Sends bytes of a request on, or keeps them with the others of one that is held back. */
  #hold(one: PendingRequest, bytes: Buffer): void {
    if (one.held === undefined) {
      this.#actions.forward(bytes);
      return;
    }
    one.held.add(bytes);
    if (one.held.length <= MAX_GATHERED && !one.request.isOver) return;
    // The request is too large to be held back, so it passes.
    this.#passHeld();
  }

  /** The end of the request that is coming cannot be found: it passes, with all that follows it. */
  #unreadable(): void {
    this.#passHeld();
    const one = this.#coming;
    if (one === undefined) return;
    one.isUnreadable = true;
    one.exchange.unreadable?.();
  }

  /** Sends on what is held of a request that is not complete: it cannot be held back any more. */
  #passHeld(): void {
    const one = this.#coming;
    if (one === undefined) return;
    for (const bytes of one.held?.all ?? []) this.#actions.forward(bytes);
    one.held = undefined;
    // From now on the server says it.
    if (one.toContinue === 'asked') one.toContinue = undefined;
  }

  #end(): void {
    const one = this.#coming;
    this.#coming = undefined;
    if (one === undefined) return;
    const body = one.exchange.readsRequest ? one.request.whole() : undefined;
    one.request.close();
    if (one.early === 'told') return;
    if (one.held === undefined) {
      one.wasSent = true;
      void one.exchange.requested(body);
      if (one.early !== undefined) {
        one.response.close();
        void one.exchange.responded(one.early.head, one.early.body);
      }
      return;
    }
    // Its client did not wait.
    if (one.toContinue === 'asked') one.toContinue = undefined;
    this.#framing.pause();
    const going = one.exchange.requested(body) ?? Promise.resolve<RequestDecision>({ kind: 'pass' });
    void going.then((how) => this.#goOn(one, how));
  }

  #goOn(one: PendingRequest, how: RequestDecision): void {
    if (this.#state.isOver) return;
    const held = one.held?.all ?? [];
    one.held = undefined;
    switch (how.kind) {
      case 'pass':
        one.wasSent = true;
        for (const bytes of held) this.#actions.forward(bytes);
        break;
      case 'send':
        one.wasSent = true;
        one.toContinue = undefined;
        this.#actions.forward(how.bytes);
        break;
      case 'answer':
        if (one.isLast) {
          this.#state.dropsClientBytes = true;
          this.#framing.stop();
        }
        one.own = { bytes: how.bytes, thenEnd: one.isLast };
        this.#actions.ownAnswers();
        break;
      case 'cut':
        one.own = { bytes: Buffer.alloc(0), thenEnd: true };
        this.#actions.cut();
        return;
    }
    this.#actions.goneOn(() => this.#framing.resume());
  }

  #refuse(request: RequestHead, reason: string): void {
    const { side, room, pending } = this.#state;
    side.refused(request, reason);
    this.#state.dropsClientBytes = true;
    pending.push(answeredHere(request.method, { bytes: refusalBytes(reason), thenEnd: true }, room));
    this.#actions.ownAnswers();
  }
}

/** Whether the client may wait for `100 Continue`. One of HTTP/1.0 knows no such answer. */
function waitsForContinue(request: RequestHead): boolean {
  return request.startLine.endsWith('HTTP/1.1') && /^100-continue$/i.test(headerOf(request, 'expect') ?? '');
}
