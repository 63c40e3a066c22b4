/**
 * Handles pipelined requests of one connection one after another, so that two publishes never change places, and bounds how many wait.
 */
import type { FastifyInstance } from 'fastify';
import type { BodyCount } from '../domain/request-bodies.ts';
import { largeBytes, whenGone } from './large-answers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Turn of the request; undefined before the first hook ran. */
    turn: Turn | undefined;
  }
}

/**
 * Number of requests of one connection that begin in a row before everything else has its turn. If requests need not
 * wait for anything, a client that sends thousands without waiting for their answers would block timers, health
 * probes, the answers of apps and all other clients.
 */
export const MAX_IN_A_ROW = 16;

/** Requests of one connection that may wait; with more, nothing is read from it until half of them have had their turn. */
const MAX_WAITING = 100;

/**
 * Bytes that a request counts which was read although so many wait: one piece of a connection may bring two thousand small ones, and
 * each takes about 2.5 kB of memory.
 */
const WAITING_BYTES = 4 * 1024;

/** The part of a connection that its requests stop and start. */
interface Connection {
  pause(): unknown;
  resume(): unknown;
  on(event: 'resume', hear: () => void): unknown;
  destroy(): unknown;
}

/** A request, as far as its queue knows it. */
interface Arriving {
  /** True once its body has come to its end. */
  readonly complete: boolean;
}

/** The requests of one connection that have not had their turn. */
class Queue {
  /** The newest request. */
  last: { readonly turn: Turn; readonly request: Arriving } | undefined;
  readonly #socket: Connection;
  #open = 0;
  #isStopped = false;
  #isClosed = false;
  #isHeard = false;
  #whenRead: (() => void)[] = [];

  constructor(socket: Connection) {
    this.#socket = socket;
  }

  /** True while the connection is not read, because so many wait. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isFull(): boolean {
    return this.#open > MAX_WAITING;
  }

  begun(): void {
    this.#open += 1;
    if (this.isFull && !this.#isStopped) this.#stop();
  }

  ended(): void {
    this.#open -= 1;
    if (!this.#isStopped || this.#open > MAX_WAITING / 2) return;
    this.#isStopped = false;
    this.#socket.resume();
    for (const go of this.#whenRead.splice(0)) go();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  /** Calls back when the connection is read again. */
  whenRead(go: () => void): void {
    this.#whenRead.push(go);
  }

  #stop(): void {
    this.#isStopped = true;
    this.#socket.pause();
    if (this.#isHeard) return;
    this.#isHeard = true;
    // Whoever reads the body of a request lets its connection go on.
    this.#socket.on('resume', () => {
      if (this.#isStopped) this.#socket.pause();
    });
  }
}

/**
 * Turn of one request on its connection. It ends when its answer is ready and every earlier request has
 * ended.
 */
export class Turn {
  #before: Turn | undefined;
  /** Requests that it waited behind when it came. */
  readonly #place: number;
  readonly #ended: () => void;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  /** @param ended called once, when it has ended */
  constructor(before: Turn | undefined, ended: () => void) {
    this.#ended = ended;
    this.#before = before === undefined || before.#hasEnded ? undefined : before;
    this.#place = this.#before === undefined ? 0 : this.#before.#place + 1;
  }

  /** Calls `go` when it is this request's turn: at once if there is no earlier one, but for one of `MAX_IN_A_ROW`. */
  begin(go: () => void): void {
    if (this.#place % MAX_IN_A_ROW === MAX_IN_A_ROW - 1) this.#inTurn(() => void setImmediate(go));
    else this.#inTurn(go);
  }

  end(): void {
    this.#inTurn(() => this.#end());
  }

  #inTurn(go: () => void): void {
    if (this.#before === undefined) go();
    else this.#before.#after(go);
  }

  #after(go: () => void): void {
    if (this.#hasEnded) go();
    else this.#waiting.push(go);
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The reference is dropped, because a long-lived connection must not keep all of its requests.
    this.#before = undefined;
    this.#ended();
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** Gives each request its turn. */
export class Turns {
  readonly #bodies: BodyCount;
  readonly #closed: (reason: string) => void;
  readonly #queues = new WeakMap<object, Queue>();

  /**
   * @param bodies counts requests beyond those that may wait
   * @param closed called with the reason when a connection was closed because there is no room for its next one
   */
  constructor(bodies: BodyCount, closed: (reason: string) => void) {
    this.#bodies = bodies;
    this.#closed = closed;
  }

  /**
   * To be called once for each request of a connection, in order.
   * @returns undefined: it is not handled, because its connection was closed
   */
  next(socket: Connection, request: Arriving): Turn | undefined {
    let queue = this.#queues.get(socket);
    if (queue === undefined) this.#queues.set(socket, (queue = new Queue(socket)));
    const isCounted = queue.isFull;
    if (isCounted && !this.#hasRoom(queue)) return undefined;
    const turn = new Turn(queue.last?.turn, () => {
      if (isCounted) this.#bodies.free(WAITING_BYTES);
      queue.ended();
    });
    queue.last = { turn, request };
    queue.begun();
    return turn;
  }

  /** Counts one more request of a connection that has too many; without room the connection is closed. */
  #hasRoom(queue: Queue): boolean {
    if (queue.isClosed) return false;
    const noRoom = this.#bodies.take(WAITING_BYTES);
    if (noRoom === undefined) return true;
    queue.close();
    this.#closed(noRoom);
    return false;
  }

  /**
   * Whether a request is incomplete because its connection is not read. Its client gets the time for it anew.
   * @param late called if it is still incomplete when that time is over
   * @param ms time for a request, from the moment on at which the connection is read again
   */
  holdsBack(socket: object, late: () => void, ms: number): boolean {
    const queue = this.#queues.get(socket);
    const last = queue?.last;
    if (queue?.isStopped !== true || last === undefined) return false;
    // After a request that is complete, the incomplete one is the next, which has no turn yet.
    const isNext = last.request.complete;
    const isIncomplete = (): boolean => (isNext ? queue.last === last : !last.request.complete);
    const look = (): void => {
      if (isIncomplete()) late();
    };
    // What has arrived by then is read first.
    queue.whenRead(() => setTimeout(() => setImmediate(look), ms).unref());
    return true;
  }
}

/**
 * Keeps the order. It must be added before any other hook, because requests that a hook refuses have a turn
 * too.
 */
export function keepOrder(app: FastifyInstance, turns: Turns): void {
  app.decorateRequest('turn', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.turn = turns.next(request.raw.socket, request.raw);
    if (request.turn === undefined) reply.hijack();
    else done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const { turn } = request;
    if (turn === undefined) return done();
    turn.begin(() => {
      // A question whose client has gone needs no answer; a publish goes on without its client.
      if (request.method === 'GET' && request.raw.socket.destroyed) {
        reply.hijack();
        turn.end();
      }
      done();
    });
  });
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    // After a large answer the next request waits until the client has taken it, or has gone.
    if (largeBytes(payload) === 0) request.turn?.end();
    else whenGone(request, reply, () => request.turn?.end());
    done(null, payload);
  });
  // The client has disconnected and needs no answer.
  app.addHook('onRequestAbort', (request, done) => {
    request.turn?.end();
    done();
  });
}
