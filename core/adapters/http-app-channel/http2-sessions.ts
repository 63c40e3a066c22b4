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

/** So many sessions in a row that the app ends before they are given a request say that it takes none now. */
const MAX_USELESS = 2;

export class Http2Sessions implements SessionOwner {
  readonly #target: Target;
  readonly #most: number;
  readonly #all = new Set<Http2Session>();
  #waiting: Waiting[] = [];
  #turn: NodeJS.Immediate | undefined;
  #isTurnDue = false;
  #isClosed = false;
  /** Sessions in a row that were of no use while requests waited. */
  #uselessInRow = 0;
  /** Requests that a new session is given at first: as many as the app took of one that it ended before others. */
  #offer = Infinity;

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
    if (session.tookAll) this.#offer *= 2;
    const why = error ?? this.#whyUseless(session);
    if (why !== undefined) {
      const failed = this.#waiting;
      this.#waiting = [];
      for (const { exchange } of failed) if (!exchange.isSettled) exchange.failed(why);
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

  /** @returns why the requests that wait fail: the app takes none, and no other session may soon have room for them */
  #whyUseless(session: Http2Session): Error | undefined {
    const why = this.#waiting.length === 0 ? undefined : session.uselessness;
    this.#uselessInRow = why === undefined ? 0 : this.#uselessInRow + 1;
    return this.#takesNone && !this.#hasOther ? why : undefined;
  }

  get #takesNone(): boolean {
    return this.#uselessInRow >= MAX_USELESS;
  }

  /** Whether there is a session that may have room for a request, or is gone soon. */
  get #hasOther(): boolean {
    return [...this.#all].some((session) => !session.isDraining);
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
    const again: Again = (taken) => {
      if (wasRefused || this.#isClosed || exchange.isSettled) return false;
      // Where each session takes some of the requests, all have their turn.
      this.#waiting.push({ request, exchange, wasRefused: taken === 0 });
      if (taken > 0) this.#offer = taken;
      this.changed();
      return true;
    };
    this.#uselessInRow = 0;
    session.send(request, exchange, again);
  }

  /** Opens one session at a time: it may have room for everything that waits. */
  #open(): void {
    if (this.#all.size >= this.#most || (this.#takesNone && this.#hasOther)) return;
    if ([...this.#all].some((session) => session.isAwaited)) return;
    this.#all.add(new Http2Session(this.#target, this, this.#offer));
  }
}
