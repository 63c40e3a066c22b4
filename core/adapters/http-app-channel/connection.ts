/** One connection to the app: it carries one request at a time, and rests in between. */
import { performance } from 'node:perf_hooks';
import { Buffer } from 'node:buffer';
import { connect, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { hasCode } from '../../contract/error-text.ts';
import { NotHttp } from './answer-head.ts';
import type { HeadReader } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';
import type { AnswerTaker } from './answer-reader.ts';

/** Callbacks of one request: `started`, `sent`, then the answer; `ended` or `failed` comes last, once. */
export interface Exchange extends AnswerTaker {
  /** True if the caller no longer waits for the answer: the request must not be sent. */
  readonly isSettled: boolean;
  /** Called when the request has a connection, which can be cut if the caller no longer waits. */
  started(connection: { cut(): void }): void;
  sent(): void;
  ended(): void;
  failed(error: Error): void;
}

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Request line and headers with the empty line at their end, one character for each byte; and the body. */
export interface Sent {
  readonly head: string;
  readonly body: Buffer | string;
  readonly bodyBytes: number;
}

/** Owner of the connection, which hears of its state. */
export interface ConnectionOwner {
  /** The connection is ready for its first request. */
  opened(connection: Connection): void;
  /** The connection has carried a request and can carry another one. */
  rested(connection: Connection): void;
  /**
   * The connection has closed.
   * @param error given where it could not be opened
   */
  gone(connection: Connection, error?: Error): void;
}

/** Time limit to connect, so that an unresponsive address does not keep a connection for ever when calls have no timeout. */
export const CONNECT_MS = 30_000;
/** Options of every socket to an app. */
export const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 } as const;
const READ_BYTES = 16 * 1024;
/** Maximum number of characters of a body that is sent in one piece with its head. */
const MAX_IN_ONE = 64 * 1024;
/**
 * Longest idle time of a connection, unless the app promises longer (`keep-alive: timeout=…`). The app may close an idle connection,
 * and if it does so while a call goes out, the call looks like a reset.
 */
export const REST_MS = 1_000;

export class Connection {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #reader: AnswerReader;
  #exchange: Exchange | undefined;
  #isOpen = false;
  /** Keeps the program alive. */
  #isAlive = true;
  #isGone = false;
  #error: Error | undefined;
  /** Time until which the connection may carry another request, on the monotonic clock. */
  #restsUntil = 0;

  constructor(target: Target, heads: HeadReader, owner: ConnectionOwner) {
    this.#owner = owner;
    this.#reader = new AnswerReader(heads);
    this.#socket = this.#connect(target);
    const late = setTimeout(() => this.#break(tooLate()), CONNECT_MS);
    this.#socket
      .once(target.isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(late);
        this.#isOpen = true;
        this.#restsUntil = performance.now() + REST_MS;
        owner.opened(this);
      })
      .on('end', () => this.#end())
      .on('error', (error: Error) => this.#trouble(error))
      .once('close', () => {
        clearTimeout(late);
        this.#break(closedEarly());
      });
  }

  /** True when it may carry another request now. */
  mayCarry(nowMs: number): boolean {
    return !this.#isGone && !this.#socket.destroyed && nowMs < this.#restsUntil;
  }

  send({ head, body, bodyBytes }: Sent, exchange: Exchange): void {
    this.#exchange = exchange;
    if (!this.#isAlive) this.#socket.ref();
    this.#isAlive = true;
    exchange.started(this);
    if (this.#exchange !== exchange) return;
    const isText = typeof body === 'string';
    // A text of ASCII alone has the same bytes as the head has, one for each character.
    if (isText && body.length <= MAX_IN_ONE && bodyBytes === body.length)
      this.#socket.write(head + body, 'latin1');
    else {
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    }
    exchange.sent();
  }

  /** Ends the connection without telling the request that it carries. */
  cut(): void {
    this.#exchange = undefined;
    this.#break(closedEarly());
  }

  /** A connection that rests keeps no program alive. */
  unref(): void {
    if (this.#exchange !== undefined || !this.#isAlive) return;
    this.#socket.unref();
    this.#isAlive = false;
  }

  /** Resolves when its socket is closed. */
  async close(): Promise<void> {
    const { closed } = this.#socket;
    const over = closed ? undefined : new Promise((resolve) => this.#socket.once('close', resolve));
    this.#break(closedEarly());
    await over;
  }

  #connect({ host, port, isSecure }: Target): Socket {
    const common = { host, port, ...SOCKET_OPTIONS };
    if (!isSecure) {
      // Each connection reads into a piece of memory of its own: what comes is read at once, and nothing is kept of it.
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      const callback = (count: number): boolean => {
        this.#read(buffer.subarray(0, count));
        return true;
      };
      return connect({ ...common, onread: { buffer, callback } });
    }
    const servername = isIP(host) === 0 ? host : '';
    const options = { ...common, servername, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
    return connectSecurely(options).on('data', (bytes: Buffer) => this.#read(bytes));
  }

  #read(bytes: Buffer): void {
    const exchange = this.#exchange;
    // Bytes that arrive without a request would be taken for the answer to the next one.
    if (exchange === undefined) return this.#break(closedEarly());
    try {
      const whole = this.#reader.read(bytes, exchange);
      if (whole !== undefined) this.#answered(exchange, whole);
    } catch (error) {
      if (!(error instanceof NotHttp)) throw error;
      this.#break(error);
    }
  }

  #answered(exchange: Exchange, { head, isFollowed }: NonNullable<ReturnType<AnswerReader['read']>>): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = undefined;
    exchange.ended();
    if (!head.keepsOpen || isFollowed || this.#isBusy) this.#break(closedEarly());
    else {
      this.#restsUntil = performance.now() + (head.keptMs ?? REST_MS);
      this.#owner.rested(this);
    }
  }

  /** True while request bytes are unsent: an app that has answered early may never read them, nor the next request. */
  get #isBusy(): boolean {
    return this.#socket.destroyed || this.#socket.writableLength > 0;
  }

  #end(): void {
    if (this.#reader.isEndedByEnd()) this.#endWithConnection();
    this.#break(closedEarly());
  }

  #trouble(error: Error): void {
    this.#error ??= this.#isOpen ? error : connectError(error);
    // Some systems report a reset for a connection that was closed normally.
    const isReset = hasCode(error, 'ECONNRESET');
    if (isReset && this.#reader.isEndedByEnd()) this.#endWithConnection();
    this.#break(error);
  }

  #endWithConnection(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    exchange?.ended();
  }

  #break(error: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const why = this.#error ?? error;
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#socket.destroy();
    exchange?.failed(why);
    if (this.#isOpen) this.#owner.gone(this);
    else this.#owner.gone(this, why);
  }
}

export function closedEarly(): Error {
  return new Error('the connection was closed before the answer was complete');
}

export function tooLate(): Error {
  return Object.assign(new Error(`no connection within ${CONNECT_MS} ms`), { code: 'ETIMEDOUT' });
}

/** The error of an address that did not answer in time says more than that of one that refused. */
export function connectError(error: Error): Error {
  if (!(error instanceof AggregateError)) return error;
  const tried: readonly unknown[] = error.errors;
  return (
    tried.find((one): one is Error => one instanceof Error && 'code' in one && one.code === 'ETIMEDOUT') ??
    error
  );
}
