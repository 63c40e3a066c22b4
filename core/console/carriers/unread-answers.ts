/**
 * Bounds the answers that clients of the console have not read. The system takes little of an answer to a client that does not read; the
 * rest waits in memory outside the heap.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { sizeLimit } from '../../contract/size-text.ts';
import type { AnswerRoom } from '../../contract/rpc.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

export interface UnreadLimits {
  /** Bytes of unread answers, of all connections, from which on requests over HTTP wait. */
  readonly waitFromBytes: number;
  /** Bytes that may be unread beside the newest answer; above them the connection with the most is closed at once. */
  readonly mostBytes: number;
  /** Time after which the connection with the most is closed while requests wait, in ms. */
  readonly patienceMs: number;
}

const UNREAD_LIMITS: UnreadLimits = {
  waitFromBytes: 64 * 1024 * 1024,
  mostBytes: 256 * 1024 * 1024,
  patienceMs: 1000,
};

/** Requests of one connection that wait behind another one; with more, nothing is read from it. */
const MAX_WAITING = 100;

/** Bytes that may be unread on a WebSocket before its next large answer is made. */
const OWN_BYTES = 4 * 1024 * 1024;

/** Answers that wait for one client. */
export interface Unread {
  bytes(): number;
  /** Closes the connection. */
  end(): void;
}

/** Requests of one HTTP connection: one at a time is answered, the others wait here. */
interface Turns {
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

export interface UnreadDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Default `UNREAD_LIMITS`. */
  readonly limits?: UnreadLimits | undefined;
}

export class UnreadAnswers {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: UnreadLimits;
  readonly #all = new Set<Unread>();
  readonly #turns = new WeakMap<Socket, Turns>();
  /** Forgets each answer of a connection that was not read. */
  readonly #open = new WeakMap<Socket, Set<() => void>>();
  /** Requests that wait until clients have read. */
  #waiting: (() => void)[] = [];
  #timer: Cancel | undefined;

  constructor({ clock, log, limits = UNREAD_LIMITS }: UnreadDependencies) {
    this.#clock = clock;
    this.#log = log;
    this.#limits = limits;
  }

  /** Counts what waits for a client. Returns a function that ends that. */
  watch(one: Unread): () => void {
    this.#all.add(one);
    return () => {
      if (this.#all.delete(one)) this.wake();
    };
  }

  /** Called after a client was sent something: closes the connection with the most if there is too much beside that. */
  sent(newest: Unread): void {
    while (this.#total() - newest.bytes() > this.#limits.mostBytes) this.#endLargest(newest);
  }

  /** Room for the next answer on a connection. */
  roomOf(connection: { readonly isGone: () => boolean; readonly bytes?: () => number }): AnswerRoom {
    const isFull = (): boolean => {
      if (connection.isGone()) return false;
      return this.#isFull || (connection.bytes?.() ?? 0) >= OWN_BYTES;
    };
    return {
      get isFull() {
        return isFull();
      },
      wait: () => new Promise((go) => this.#whenRoom(isFull, go)),
    };
  }

  /** Answers requests of the server one by one on each connection, and not while too much is unread. */
  bound(app: FastifyInstance): void {
    app.addHook('onRequest', ({ raw: { socket } }, reply, done) => {
      this.#inTurn(socket, (leave) => {
        reply.raw.once('finish', leave).once('close', leave);
        const isFull = (): boolean => !socket.destroyed && this.#isFull;
        this.#whenRoom(isFull, () => {
          if (socket.destroyed) {
            leave();
            reply.hijack();
          }
          done();
        });
      });
    });
    // Nothing is waited for here: a refusal has to be written before the rest of its request is read.
    app.addHook('onSend', ({ raw: { socket } }, reply, payload: unknown, done) => {
      const bytes = bytesOf(payload);
      if (bytes > 0 && !socket.destroyed) this.#answered(reply.raw, socket, bytes);
      done(null, payload);
    });
  }

  /** Wakes every request that waits, because the server closes. */
  close(): void {
    this.#timer?.();
    this.#timer = undefined;
    this.wake();
  }

  #answered(answer: ServerResponse, socket: Socket, bytes: number): void {
    const open = this.#openOf(socket);
    const one = { bytes: () => bytes, end: () => void socket.destroy() };
    const stop = this.watch(one);
    const forget = (): void => {
      open.delete(forget);
      stop();
    };
    open.add(forget);
    answer.once('finish', forget).once('close', forget);
    this.sent(one);
  }

  /** Answers of a connection that were not read. Those that wait behind another one do not hear of the end of the connection themselves. */
  #openOf(socket: Socket): Set<() => void> {
    const known = this.#open.get(socket);
    if (known !== undefined) return known;
    const open = new Set<() => void>();
    this.#open.set(socket, open);
    socket.once('close', () => {
      for (const forget of open) forget();
    });
    return open;
  }

  /**
   * Runs a request once those before it on its connection have been answered.
   * @param run gets a function to call once this one is answered too
   */
  #inTurn(socket: Socket, run: (leave: () => void) => void): void {
    const turns = this.#turns.get(socket) ?? { isBusy: false, isPaused: false, waiting: [] };
    this.#turns.set(socket, turns);
    const go = (): void => {
      turns.isBusy = true;
      let hasLeft = false;
      run(() => {
        if (hasLeft) return;
        hasLeft = true;
        next(socket, turns);
      });
    };
    if (!turns.isBusy) return go();
    turns.waiting.push(go);
    if (turns.waiting.length > MAX_WAITING) pause(socket, turns);
  }

  /** Calls `run` once little enough is unread. */
  #whenRoom(isFull: () => boolean, run: () => void): void {
    if (!isFull()) return run();
    this.#waiting.push(() => this.#whenRoom(isFull, run));
    this.#timer ??= this.#clock.at(this.#clock.now() + this.#limits.patienceMs, () => this.#late());
  }

  /** Requests have waited long enough. */
  #late(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0 && this.#isFull) this.#endLargest();
    this.wake();
  }

  #endLargest(except?: Unread): void {
    let largest: Unread | undefined;
    for (const one of this.#all) {
      if (one !== except && one.bytes() > (largest?.bytes() ?? 0)) largest = one;
    }
    if (largest === undefined) return;
    this.#all.delete(largest);
    const size = sizeLimit(largest.bytes());
    largest.end();
    this.#log.write(
      'warn',
      'console',
      `A console connection was closed because it did not read its answers: ${size} waited for it.`,
    );
  }

  get #isFull(): boolean {
    return this.#total() >= this.#limits.waitFromBytes;
  }

  #total(): number {
    let total = 0;
    for (const one of this.#all) total += one.bytes();
    return total;
  }

  /** Called when a client has read something: lets requests go on for which there is room. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}

function next(socket: Socket, turns: Turns): void {
  const go = turns.waiting.shift();
  // Called later: the connection may be closed, and then thousands follow each other.
  if (go !== undefined) return queueMicrotask(go);
  turns.isBusy = false;
  resume(socket, turns);
}

function pause(socket: Socket, turns: Turns): void {
  turns.isPaused = true;
  socket.pause();
}

function resume(socket: Socket, turns: Turns): void {
  if (!turns.isPaused) return;
  turns.isPaused = false;
  socket.resume();
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}
