/**
 * Handles pipelined requests of one connection one after another, so that two publishes never change places.
 */
import type { FastifyInstance } from 'fastify';
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

/**
 * Turn of one request on its connection. It ends when its answer is ready and every earlier request has
 * ended.
 */
export class Turn {
  #before: Turn | undefined;
  /** Requests that it waited behind when it came. */
  readonly #place: number;
  #hasEnded = false;
  #waiting: (() => void)[] = [];

  constructor(before: Turn | undefined) {
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
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** Gives each request its turn; to be called once for each, in order. */
export class Turns {
  readonly #last = new WeakMap<object, Turn>();

  next(socket: object): Turn {
    const turn = new Turn(this.#last.get(socket));
    this.#last.set(socket, turn);
    return turn;
  }
}

/**
 * Keeps the order. It must be added before any other hook, because requests that a hook refuses have a turn
 * too.
 */
export function keepOrder(app: FastifyInstance, turns: Turns): void {
  app.decorateRequest('turn', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    request.turn = turns.next(request.raw.socket);
    done();
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
