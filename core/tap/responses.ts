/** From the server to the client: each answer is matched with its request and passes at once, or waits until its release. */
import { bytePieces } from './body-room.ts';
import type { Exchange } from './exchange.ts';
import { responseBodyLength, lengthOfWhole } from './body-length.ts';
import { Framing } from './framing.ts';
import type { BodyLength } from './framing.ts';
import { readHeadText, responseOf } from './head.ts';
import type { Head, ResponseHead } from './head.ts';
import { mayBeInAnswer } from './head-part.ts';
import type { ConnectionState, ConnectionActions } from './connection-state.ts';
import { closeBodies } from './pending-request.ts';
import { MAX_GATHERED } from './requests.ts';
import { bodyAt } from './whole-message.ts';
import type { Pieces } from '../domain/pieces.ts';

interface ResponseActions extends ConnectionActions {
  /** Called when bytes are not HTTP/1.1: all further bytes pass unread. */
  readonly giveUp: () => void;
  /** A held answer was released, and what came behind it was read. */
  readonly released: () => void;
}

export class Responses {
  readonly #state: ConnectionState;
  readonly #actions: ResponseActions;
  readonly #framing: Framing;
  /** The answer whose bytes are held back. */
  #held: Pieces<Buffer> | undefined;
  /** Exchange whose answer is complete and held until its release. */
  #kept: Exchange | undefined;
  #isInterim = false;
  /** The head that was read last of those that had gone on, and the bytes of its body, if it says. */
  #last: {
    readonly text: string;
    readonly response: ResponseHead | undefined;
    readonly bytes: number | undefined;
  } = { text: '', response: undefined, bytes: undefined };

  constructor(state: ConnectionState, actions: ResponseActions) {
    this.#state = state;
    this.#actions = actions;
    this.#framing = new Framing({
      mayBeInHead: mayBeInAnswer,
      head: (head, bytes) => this.#head(head, bytes),
      body: (bytes, content) => this.#body(bytes, content),
      end: () => this.#end(),
      unreadable: () => {
        this.passHeld();
        actions.giveUp();
      },
      opaque: (bytes) => actions.sendBack(bytes),
    });
  }

  /** True between two answers, while nothing waits. */
  get isIdle(): boolean {
    return this.#framing.isIdle;
  }

  /** True while an answer is held. */
  get isPaused(): boolean {
    return this.#framing.isPaused;
  }

  /** Bytes that came behind a held answer. */
  get waitingBytes(): number {
    return this.#framing.waitingBytes;
  }

  /** True while a complete answer is held. */
  get isKept(): boolean {
    return this.#kept !== undefined;
  }

  /** True while what has come of an answer is held back. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  push(bytes: Buffer): void {
    this.#framing.push(bytes);
  }

  /** Reads a whole answer that has gone on, as the framing would. What is odd about it is left to the framing. */
  readWhole(text: string, bytes: Buffer): void {
    const { pending } = this.#state;
    if (text !== this.#last.text) this.#readHead(text);
    const { response, bytes: length } = this.#last;
    const one = pending[0];
    const from = bodyAt(text);
    if (
      response === undefined ||
      one === undefined ||
      !this.#framing.isIdle ||
      length !== bytes.length - from
    ) {
      this.#framing.push(bytes);
      return;
    }
    pending.shift();
    closeBodies(one);
    void one.exchange.responded(response, one.exchange.readsResponse ? bytes.subarray(from) : undefined);
    this.#actions.ownAnswers();
  }

  #readHead(text: string): void {
    const head = readHeadText(text);
    const response = head && responseOf(head);
    this.#last = { text, response, bytes: response && lengthOfWhole(response) };
  }

  /** The server has said everything. It may complete an answer that is then held. */
  finish(): void {
    this.#framing.finish();
    this.passHeld();
  }

  /** Sends on what is held of an answer that is not complete: it cannot be held back any more. */
  passHeld(): void {
    for (const bytes of this.#held?.all ?? []) this.#actions.sendBack(bytes);
    this.#held = undefined;
  }

  /** Gives up the complete answer that is held: its exchange; undefined: none is held. */
  takeKept(): Exchange | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept;
  }

  #head(head: Head, bytes: Buffer): BodyLength {
    const response = responseOf(head);
    const one = this.#state.pending[0];
    if (response === undefined || one === undefined || response.status === 101) return this.#opaque(bytes);
    this.#isInterim = response.status < 200;
    if (this.#isInterim) {
      const isKnown = response.status === 100 && one.toContinue === 'told';
      if (!isKnown) this.#actions.sendBack(bytes);
      return { kind: 'none' };
    }
    one.answer = response;
    if (one.method === 'CONNECT' && response.status < 300) return this.#opaque(bytes);
    this.#held = one.exchange.stopsResponse ? bytePieces() : undefined;
    this.#hold(bytes);
    return responseBodyLength(response, one.method);
  }

  #opaque(bytes: Buffer): BodyLength {
    this.#actions.sendBack(bytes);
    return { kind: 'opaque' };
  }

  #body(bytes: Buffer, content: Buffer | undefined): void {
    const one = this.#state.pending[0];
    if (content !== undefined && one?.exchange.readsResponse === true) one.response.add(content);
    this.#hold(bytes);
  }

  /** Sends bytes of an answer on, or keeps them with the others of one that is held back. */
  #hold(bytes: Buffer): void {
    if (this.#held === undefined) {
      this.#actions.sendBack(bytes);
      return;
    }
    this.#held.add(bytes);
    if (this.#held.length <= MAX_GATHERED && this.#state.pending[0]?.response.isOver !== true) return;
    this.passHeld();
  }

  #end(): void {
    if (this.#isInterim) {
      this.#isInterim = false;
      return;
    }
    const one = this.#state.pending.shift();
    if (one?.answer === undefined) return;
    const body = one.exchange.readsResponse ? one.response.whole() : undefined;
    const held = this.#held?.all;
    this.#held = undefined;
    if (!one.wasSent && !one.isUnreadable && held === undefined) {
      one.early = { head: one.answer, body };
      this.#actions.ownAnswers();
      return;
    }
    closeBodies(one);
    // An answer that was gathered to be held is reported at once, and its request not any more.
    if (!one.wasSent) one.early = 'told';
    const changed = one.exchange.responded(one.answer, body);
    if (held !== undefined && changed !== undefined) {
      this.#keep(one.exchange, held, changed);
      return;
    }
    for (const bytes of held ?? []) this.#actions.sendBack(bytes);
    this.#actions.ownAnswers();
  }

  /** Holds a complete answer until its release. */
  #keep(exchange: Exchange, held: readonly Buffer[], changed: Promise<Buffer | undefined>): void {
    this.#framing.pause();
    this.#kept = exchange;
    void changed.then((instead) => {
      if (this.#state.isOver) return;
      this.#kept = undefined;
      for (const bytes of instead === undefined ? held : [instead]) this.#actions.sendBack(bytes);
      this.#actions.ownAnswers();
      this.#framing.resume();
      this.#actions.released();
    });
  }
}
