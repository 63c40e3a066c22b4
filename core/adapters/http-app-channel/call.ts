/** One call to the app from its dispatch to its last byte: the HTTP client's events become one answer. */
import type { IncomingHttpHeaders } from 'node:http';
import { duration } from '../../contract/spoken-duration.ts';
import { byteCount, sizeLimit } from '../../contract/spoken-size.ts';

import type { Dispatcher } from 'undici';

import { Pieces } from '../../domain/pieces.ts';
import type { AppTiming, ReceivedAnswer, UnreadBody } from '../../ports/app-channel.ts';
import { decode, encodingsOf } from './content-encoding.ts';
import { noAnswer, noAnswerOf } from './no-answer.ts';

export interface CallLimits {
  /** 0 = none. Counts from the dispatch. */
  readonly timeoutMs: number;
  /** An answer's body beyond it is no longer read and given as unreadable. */
  readonly maxBodyBytes: number;
  /** How much of a body that cannot be read is given. */
  readonly startBytes: number;
}

/** The headers of the last answer: most answers of an app within a second have the same ones, and are kept with them. */
export class KnownHeaders {
  #last: Record<string, string> = {};

  /** Headers to keep for one answer. Equal headers of answers in a row share one object, which saves memory for each message. */
  of(headers: Record<string, string>): Record<string, string> {
    if (!isSame(this.#last, headers)) this.#last = headers;
    return this.#last;
  }
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** A handler of the client that settles exactly once, whatever the client still reports afterwards. */
export class Call implements Dispatcher.DispatchHandler {
  readonly answer: Promise<ReceivedAnswer>;
  readonly #limits: CallLimits;
  readonly #settle: (answer: ReceivedAnswer) => void;
  readonly #ended: () => void;
  readonly #known: KnownHeaders;
  #isSettled = false;
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  readonly #pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
  #size = 0;
  #startedAt = 0;
  #connectedAt = 0;
  #sentAt = 0;
  #answeredAt = 0;

  /** @param known headers of the answers before; @param ended called once, when the connection is no longer needed by this call */
  constructor(limits: CallLimits, known: KnownHeaders, ended: () => void) {
    this.#limits = limits;
    this.#known = known;
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
        () => this.#cut(noAnswer('timeout', `No answer within ${duration(timeoutMs)}.`)),
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
    if (this.#isSettled) controller.abort(new Error('The call was cancelled before it was sent.'));
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
    this.#headers = this.#known.of(flat(headers));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#pieces.add(chunk);
    this.#size += chunk.byteLength;
    if (this.#size <= this.#limits.maxBodyBytes) return;
    this.#cut(this.#unreadable(tooLarge(this.#limits.maxBodyBytes), this.#received()));
  }

  onResponseEnd(): void {
    if (this.#isSettled) return;
    // Copied, so that a small answer does not keep the connection's read buffer alive.
    const bytes = this.#received();
    const encodings = encodingsOf(this.#headers['content-encoding']);
    if (encodings.length === 0 || bytes.byteLength === 0) this.#end(this.#response(bytes));
    else this.#endDecoded(bytes, encodings);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isSettled) return;
    // A final status came: it decides, whatever became of the body.
    if (this.#status >= 200) this.#end(this.#unreadable(cutOff(error, this.#size), this.#received()));
    else this.#end(noAnswerOf(error));
  }

  #endDecoded(bytes: Buffer, encodings: readonly string[]): void {
    const { maxBodyBytes } = this.#limits;
    decode(bytes, encodings, maxBodyBytes).then(
      (decoded) => {
        if (decoded.kind === 'bytes') this.#end(this.#response(decoded.bytes));
        else if (decoded.kind === 'tooLarge')
          this.#end(this.#unreadable(tooLarge(maxBodyBytes), decoded.start));
        else this.#end(this.#unreadable({ reason: 'encoding', message: decoded.why }, bytes));
      },
      (error: unknown) => this.#end(noAnswer('reset', String(error))),
    );
  }

  #received(): Buffer {
    return this.#pieces.whole();
  }

  #response(body: Uint8Array): ReceivedAnswer {
    return {
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body,
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
    this.#pieces.clear();
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
