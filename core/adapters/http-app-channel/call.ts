/** One call to the app from its dispatch to its last byte: the HTTP client's events become one answer. */
import type { IncomingHttpHeaders } from 'node:http';

import type { Dispatcher } from 'undici';

import type { AppTiming, ReceivedAnswer } from '../../ports/app-channel.ts';
import { decode, encodingsOf } from './content-encoding.ts';
import { noAnswer, noAnswerOf } from './no-answer.ts';

export interface CallLimits {
  /** 0 = none. Counts from the dispatch. */
  readonly timeoutMs: number;
  /** An answer's body beyond it is cut off and given as unreadable. */
  readonly maxBodyBytes: number;
  /** How much of a body that is too large is given. */
  readonly startBytes: number;
}

/** A handler of the client that settles exactly once, whatever the client still reports afterwards. */
export class Call implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ReceivedAnswer>;
  readonly #limits: CallLimits;
  readonly #settle: (answer: ReceivedAnswer) => void;
  readonly #ended: () => void;
  #isSettled = false;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Record<string, string> = {};
  readonly #chunks: Buffer[] = [];
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

  /** Starts the clock; called just before the call is given to the client. */
  begin(): void {
    this.#startedAt = performance.now();
    const { timeoutMs } = this.#limits;
    if (timeoutMs > 0) {
      this.#timer = setTimeout(
        () => this.#cut(noAnswer('timeout', `No answer within ${timeoutMs} ms.`)),
        timeoutMs,
      );
    }
  }

  cancel(reason: string): void {
    this.#cut(noAnswer('cancelled', reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#connectedAt = performance.now();
    // Cut while it waited for the connection: it must not be sent any more.
    if (this.#isSettled) controller.abort(new Error('The call was cut before it was sent.'));
  }

  onRequestSent(): void {
    this.#sentAt = performance.now();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Called for interim answers (1xx) too; the last one counts.
    this.#answeredAt = performance.now();
    this.#status = statusCode;
    this.#headers = flat(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    if (this.#size <= this.#limits.maxBodyBytes) return;
    const start = Buffer.concat(this.#chunks).subarray(0, this.#limits.startBytes);
    this.#cut(this.#response(undefined, start));
  }

  onResponseEnd(): void {
    if (this.#isSettled) return;
    // Copied, so that a small answer does not keep the connection's read buffer alive.
    const bytes = Buffer.concat(this.#chunks);
    const encodings = encodingsOf(this.#headers['content-encoding']);
    if (encodings.length === 0 || bytes.byteLength === 0) this.#end(this.#response(bytes));
    else this.#endDecoded(bytes, encodings);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#end(noAnswerOf(error));
  }

  #endDecoded(bytes: Buffer, encodings: readonly string[]): void {
    const { maxBodyBytes, startBytes } = this.#limits;
    decode(bytes, encodings, maxBodyBytes, startBytes).then(
      (decoded) => {
        if (decoded.kind === 'tooLarge') this.#end(this.#response(undefined, decoded.start));
        // Bytes that are not what their header says stay as they came: not JSON, so an unreadable payload.
        else this.#end(this.#response(decoded.kind === 'bytes' ? decoded.bytes : bytes));
      },
      (error: unknown) => this.#end(noAnswer('reset', String(error))),
    );
  }

  #response(body: Uint8Array | undefined, bodyStart?: Uint8Array): ReceivedAnswer {
    return {
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body,
      ...(bodyStart === undefined ? {} : { bodyStart }),
      timing: this.#timing(),
    };
  }

  #timing(): AppTiming {
    const endedAt = performance.now();
    // An app that answers before it has read everything: nothing was measured as "sent".
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
    this.#controller?.abort(new Error('The call was cut.'));
  }

  #end(answer: ReceivedAnswer): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#chunks.length = 0;
    this.#settle(answer);
    this.#ended();
  }
}

function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const flattened: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flattened[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flattened;
}

function rounded(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}
