/** The connections to one app: as few as there are calls at the same time, used again and again, closed when they rest. */
import { performance } from 'node:perf_hooks';
import { HeadReader } from './answer-head.ts';
import { Connection } from './connection.ts';
import type { ConnectionOwner, Exchange, Sent, Target } from './connection.ts';

interface Waiting {
  readonly exchange: Exchange;
  readonly sent: Sent;
}

/** Time between two checks for connections that were idle too long. */
const POLL_INTERVAL_MS = 1_000;

export class Connections implements ConnectionOwner {
  readonly #target: Target;
  readonly #most: number;
  readonly #heads = new HeadReader();
  readonly #all = new Set<Connection>();
  #waiting: Waiting[] = [];
  /** Connections that may carry a request; the last one has rested least. */
  #free: Connection[] = [];
  /** Connections that have answered since the last turn; the next one finds out whether the app has closed them with that. */
  #answered: Connection[] = [];
  /** Connections that had answered by the last turn: everything that came meanwhile was read before the next one. */
  #resting: Connection[] = [];
  #opening = 0;
  /** The last turn that was asked for. It stays when it is over, for the reason of last-made.ts. */
  #turn: NodeJS.Immediate | undefined;
  #isTurnDue = false;
  #look: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** @param most of them at the same time; further requests wait */
  constructor(target: Target, most: number) {
    this.#target = target;
    this.#most = most;
  }

  send(sent: Sent, exchange: Exchange): void {
    this.#waiting.push({ sent, exchange });
    this.#goSoon();
  }

  opened(connection: Connection): void {
    this.#opening -= 1;
    this.#free.push(connection);
    this.#goSoon();
  }

  rested(connection: Connection): void {
    this.#answered.push(connection);
    this.#goSoon();
  }

  gone(connection: Connection, error?: Error): void {
    this.#all.delete(connection);
    if (error !== undefined) {
      this.#opening -= 1;
      // Each connection is opened for one request that waits: the oldest fails with it.
      this.#nextWaiting()?.exchange.failed(error);
    }
    if (this.#waiting.length > 0) this.#goSoon();
  }

  /** Resolves when all are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting = [];
    clearImmediate(this.#turn);
    clearTimeout(this.#look);
    await Promise.all([...this.#all].map((connection) => connection.close()));
  }

  /** Requests go out together, once this turn of the event loop has read everything that came. */
  #goSoon(): void {
    if (this.#isClosed || this.#isTurnDue) return;
    this.#isTurnDue = true;
    this.#turn = setImmediate(this.#go);
  }

  /**
   * Sends waiting requests. A connection that has answered is not used for a whole turn of the event loop: the app may close it, or send
   * extra bytes that would be taken for the next answer, and both are read in that turn.
   */
  readonly #go = (): void => {
    this.#isTurnDue = false;
    this.#free.push(...this.#resting);
    this.#resting = this.#answered;
    this.#answered = [];
    let isQuiet = true;
    for (let next = this.#nextWaiting(); next !== undefined; next = this.#nextWaiting()) {
      const connection = this.#takeFree();
      if (connection === undefined) {
        this.#waiting.unshift(next);
        this.#open();
        if (this.#resting.length > 0) this.#goSoon();
        return;
      }
      isQuiet = false;
      connection.send(next.sent, next.exchange);
    }
    // Requests keep the program alive by themselves. Idle connections are released only in quiet turns, to save two calls per request.
    if (isQuiet) this.#restAll();
    if (this.#all.size > 0) this.#look ??= setTimeout(() => this.#closeRested(), POLL_INTERVAL_MS).unref();
  };

  #restAll(): void {
    for (const connection of this.#resting) connection.unref();
    for (const connection of this.#free) connection.unref();
  }

  /** The oldest request whose caller still waits. */
  #nextWaiting(): Waiting | undefined {
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined || !next.exchange.isSettled) return next;
    }
  }

  #takeFree(): Connection | undefined {
    const now = performance.now();
    for (;;) {
      const connection = this.#free.pop();
      if (connection === undefined || connection.mayCarry(now)) return connection;
      void connection.close();
    }
  }

  /** Opens one for each request that waits. */
  #open(): void {
    while (this.#opening < this.#waiting.length && this.#all.size < this.#most) {
      this.#opening += 1;
      this.#all.add(new Connection(this.#target, this.#heads, this));
    }
  }

  #closeRested(): void {
    this.#look = undefined;
    const now = performance.now();
    const mayStay = (connection: Connection): boolean => {
      if (connection.mayCarry(now)) return true;
      void connection.close();
      return false;
    };
    this.#free = this.#free.filter(mayStay);
    this.#resting = this.#resting.filter(mayStay);
    if (this.#all.size > 0) this.#look = setTimeout(() => this.#closeRested(), POLL_INTERVAL_MS).unref();
  }
}
