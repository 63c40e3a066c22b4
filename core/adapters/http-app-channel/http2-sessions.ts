/** The HTTP/2 sessions to one app: one, which is opened again when it has ended, and more only while the streams of the others are all in use. */
import type { Exchange, Target } from './connection.ts';
import { Http2Session } from './http2-session.ts';
import type { Again, SessionOwner } from './http2-session.ts';
import type { AppRequest } from './request-form.ts';

interface Waiting {
  readonly request: AppRequest;
  readonly exchange: Exchange;
  /** The app has refused to process it once, so that it may be sent again, as HTTP/2 says. */
  readonly wasRefused: boolean;
}

export class Http2Sessions implements SessionOwner {
  readonly #target: Target;
  readonly #most: number;
  readonly #all = new Set<Http2Session>();
  #waiting: Waiting[] = [];
  #turn: NodeJS.Immediate | undefined;
  #isTurnDue = false;
  #isClosed = false;

  constructor(target: Target, most: number) {
    this.#target = target;
    this.#most = most;
  }

  send(request: AppRequest, exchange: Exchange): void {
    this.#waiting.push({ request, exchange, wasRefused: false });
    this.changed();
  }

  /** Requests go out once this turn of the event loop has read everything that came: a session may have ended in it. */
  changed(): void {
    if (this.#isClosed || this.#isTurnDue || this.#waiting.length === 0) return;
    this.#isTurnDue = true;
    this.#turn = setImmediate(this.#go);
  }

  gone(session: Http2Session, error?: Error): void {
    this.#all.delete(session);
    if (error !== undefined) {
      const failed = this.#waiting;
      this.#waiting = [];
      for (const { exchange } of failed) if (!exchange.isSettled) exchange.failed(error);
    }
    this.changed();
  }

  isSpare(session: Http2Session): boolean {
    return [...this.#all].some((other) => other !== session && other.mayCarry());
  }

  /** Resolves when all are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting = [];
    clearImmediate(this.#turn);
    await Promise.all([...this.#all].map((session) => session.close()));
  }

  readonly #go = (): void => {
    this.#isTurnDue = false;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (next.exchange.isSettled) continue;
      const session = [...this.#all].find((one) => one.mayCarry());
      if (session === undefined) {
        this.#waiting.unshift(next);
        this.#open();
        return;
      }
      this.#carry(session, next);
    }
  };

  #carry(session: Http2Session, { request, exchange, wasRefused }: Waiting): void {
    const again: Again = (tookOthers) => {
      if (wasRefused || this.#isClosed || exchange.isSettled) return false;
      // Where each session takes some of the requests, all have their turn.
      this.#waiting.push({ request, exchange, wasRefused: !tookOthers });
      this.changed();
      return true;
    };
    session.send(request, exchange, again);
  }

  /** Opens one session at a time: it may have room for everything that waits. */
  #open(): void {
    if (this.#all.size >= this.#most) return;
    if ([...this.#all].some((session) => session.isAwaited)) return;
    this.#all.add(new Http2Session(this.#target, this));
  }
}
