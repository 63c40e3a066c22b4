/** One call to the app from its dispatch to its last byte: turns the events of its connection into one answer. */
import { performance } from 'node:perf_hooks';
import { Buffer } from 'node:buffer';
import { duration } from '../../contract/duration-text.ts';
import { isGrpcType } from '../../contract/grpc.ts';
import { byteCount, sizeLimit } from '../../contract/size-text.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import { Pieces } from '../../domain/pieces.ts';
import type { AppTiming, PendingAnswer, ReceivedAnswer, UnreadBody } from '../../ports/app-channel.ts';
import type { Exchange } from './connection.ts';
import { decode } from './content-encoding.ts';
import type { Decoded } from './content-encoding.ts';
import type { Deadline, Deadlines } from './deadlines.ts';
import { noAnswer, noAnswerOf } from './no-answer.ts';

export interface CallLimits {
  /** Time limit of the call from its dispatch; 0 = none. */
  readonly timeoutMs: number;
  readonly deadlines: Deadlines;
  /** An answer's body beyond it is no longer read and given as unreadable. */
  readonly maxBodyBytes: number;
  /** Bytes of an unreadable body that the answer has. */
  readonly startBytes: number;
}

const NOTHING = Buffer.alloc(0);

/** Settles exactly once, whatever its connection still tells afterwards. */
export class Call implements Exchange, PendingAnswer {
  readonly answer: Promise<ReceivedAnswer>;
  readonly #limits: CallLimits;
  readonly #settle: (answer: ReceivedAnswer) => void;
  readonly #ended: () => void;
  #isSettled = false;
  #deadline: Deadline | undefined;
  #connection: { cut(): void } | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  /** Received parts of the body; undefined: none, as with most positive answers. */
  #pieces: Pieces<Buffer> | undefined;
  #size = 0;
  #startedAt = 0;
  #connectedAt = 0;
  #sentAt = 0;
  #answeredAt = 0;

  /** @param ended called once, when the connection is no longer needed by this call */
  constructor(limits: CallLimits, ended: () => void) {
    this.#limits = limits;
    this.#ended = ended;
    let settle: (answer: ReceivedAnswer) => void = () => undefined;
    this.answer = new Promise((resolve) => {
      settle = resolve;
    });
    this.#settle = settle;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Starts the clock; called just before the call is given to the connections. */
  begin(): void {
    this.#startedAt = performance.now();
    const { timeoutMs, deadlines } = this.#limits;
    if (timeoutMs > 0) this.#deadline = deadlines.begin(timeoutMs, this.#late);
  }

  readonly #late = (): void => {
    this.#cut(noAnswer('timeout', `No answer within ${duration(this.#limits.timeoutMs)}.`));
  };

  cancel(reason: string): void {
    this.#cut(noAnswer('cancelled', reason));
  }

  started(connection: { cut(): void }): void {
    this.#connection = connection;
    this.#connectedAt = performance.now();
    // The call was cancelled while it waited for the connection, so it must not be sent.
    if (this.#isSettled) connection.cut();
  }

  sent(): void {
    this.#sentAt = performance.now();
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#answeredAt = performance.now();
    this.#status = status;
    this.#headers = headers;
  }

  data(bytes: Buffer): void {
    if (this.#isSettled) return;
    this.#pieces ??= new Pieces((all) => Buffer.concat(all));
    this.#pieces.add(Buffer.from(bytes));
    this.#size += bytes.byteLength;
    if (this.#size <= this.#limits.maxBodyBytes) return;
    this.#cut(this.#unreadable(tooLarge(this.#limits.maxBodyBytes), this.#received()));
  }

  ended(): void {
    if (this.#isSettled) return;
    const bytes = this.#received();
    const header = this.#headers['content-encoding'];
    if (header === undefined || bytes.byteLength === 0) this.#end(this.#response(bytes));
    else this.#endDecoded(bytes, header);
  }

  failed(error: Error): void {
    if (this.#isSettled) return;
    // The status has come and decides, even if the body is incomplete.
    if (this.#status > 0) this.#endCut(cutOff(error, this.#size), this.#received());
    else this.#end(noAnswerOf(error));
  }

  #endDecoded(bytes: Buffer, header: string): void {
    const { maxBodyBytes } = this.#limits;
    this.#after(decode(bytes, header, maxBodyBytes), (decoded) => {
      if (decoded.kind === 'bytes') return this.#response(decoded.bytes);
      if (decoded.kind === 'tooLarge') return this.#unreadable(tooLarge(maxBodyBytes), decoded.start);
      if (decoded.kind === 'cutOff')
        return this.#unreadable({ reason: 'cut-off', message: decoded.why }, decoded.start);
      return this.#unreadable({ reason: 'encoding', message: decoded.why }, bytes);
    });
  }

  /** The answer has what came, decoded as far as it can be. */
  #endCut(unread: UnreadBody, bytes: Buffer): void {
    const header = this.#headers['content-encoding'];
    if (header === undefined || bytes.byteLength === 0) return this.#end(this.#unreadable(unread, bytes));
    this.#after(decode(bytes, header, this.#limits.maxBodyBytes, true), (decoded) => {
      if (decoded.kind === 'bytes') return this.#unreadable(unread, decoded.bytes);
      return this.#unreadable(unread, 'start' in decoded ? decoded.start : NOTHING);
    });
  }

  /** An answer that has come in time stays in time, however long its decoding takes. */
  #after(decoding: Promise<Decoded>, answerOf: (decoded: Decoded) => ReceivedAnswer): void {
    this.#deadline?.end();
    decoding.then(
      (decoded) => this.#end(answerOf(decoded)),
      (error: unknown) => this.#end(noAnswer('reset', String(error))),
    );
  }

  #received(): Buffer {
    return this.#pieces?.whole() ?? NOTHING;
  }

  #response(body: Uint8Array): ReceivedAnswer {
    return {
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body,
      ...(isGrpcType(this.#headers['content-type']) ? { isForeign: true } : {}),
      timing: this.#timing(),
    };
  }

  #unreadable(unread: UnreadBody, received: Uint8Array): ReceivedAnswer {
    return {
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body: undefined,
      bodyStart: received.subarray(0, this.#limits.startBytes),
      unread,
      timing: this.#timing(),
    };
  }

  #timing(): AppTiming {
    const endedAt = performance.now();
    // The app may answer before it has read the whole request; then there is no time of "sent".
    const sentAt = this.#sentAt === 0 ? this.#answeredAt : Math.min(this.#sentAt, this.#answeredAt);
    return {
      connectMs: rounded(this.#connectedAt - this.#startedAt),
      sendMs: rounded(sentAt - this.#connectedAt),
      waitMs: rounded(this.#answeredAt - sentAt),
      readMs: rounded(endedAt - this.#answeredAt),
    };
  }

  #cut(answer: ReceivedAnswer): void {
    if (this.#isSettled) return;
    this.#end(answer);
    this.#connection?.cut();
  }

  #end(answer: ReceivedAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#deadline?.end();
    this.#pieces = undefined;
    const decodedBytes = answer.kind === 'response' ? (answer.body?.length ?? 0) : 0;
    if (Math.max(this.#size, decodedBytes) <= SMALL_BODY_BYTES) {
      lastMade.call = this;
      lastMade.answer = answer;
    }
    this.#settle(answer);
    this.#ended();
  }
}

function tooLarge(maxBodyBytes: number): UnreadBody {
  return { reason: 'too-large', message: `The body is larger than ${sizeLimit(maxBodyBytes)}.` };
}

function cutOff(error: Error, size: number): UnreadBody {
  return {
    reason: 'cut-off',
    message: `The body ended after ${byteCount(size)} before it was complete: ${error.message}`,
  };
}

function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}
