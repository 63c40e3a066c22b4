/** A host of a few lines: answers methods by functions, pushes notifications, and can be cut off. */
import type { Method, Notifications, Params, Result } from '../../core/contract/console.ts';
import { FrameParts } from '../../core/console/frame-parts.ts';
import type { TextPipe } from '../../core/contract/rpc.ts';
import { ManualClock } from '../support/manual-clock.ts';

export interface Call {
  readonly method: string;
  readonly params: unknown;
}

/** Thrown by an answer: becomes the error of the response. */
export class Refused extends Error {
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, more: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.data = { code, ...more };
  }
}

type Answers = { [M in Method]?: (params: Params<M>) => Result<M> };

interface Peer {
  take: ((text: string) => void) | undefined;
  done: ((reason: string) => void) | undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export class FakeHost {
  readonly calls: Call[] = [];
  /** Everything that was sent, as it was sent. */
  readonly frames: string[] = [];
  readonly #parts = new FrameParts(new ManualClock(), () => undefined);
  readonly answers: Answers;
  /** Rejects the next openings with this. */
  refuses: string | undefined;
  /** Texts that the host keeps back until `let`. */
  holds = false;
  #held: string[] = [];
  #peer: Peer | undefined;

  constructor(answers: Answers = {}) {
    this.answers = answers;
  }

  get isOpen(): boolean {
    return this.#peer !== undefined;
  }

  readonly open = async (): Promise<TextPipe> => {
    await Promise.resolve();
    if (this.refuses !== undefined) throw new Error(this.refuses);
    const peer: Peer = { take: undefined, done: undefined };
    this.#peer = peer;
    return {
      send: (text) => {
        if (this.#peer === peer) this.#take(text);
      },
      onText(take) {
        peer.take = take;
        return () => {
          peer.take = undefined;
        };
      },
      onClose(done) {
        peer.done = done;
        return () => {
          peer.done = undefined;
        };
      },
    };
  };

  cut(reason = '1006'): void {
    const peer = this.#peer;
    this.#peer = undefined;
    this.#held = [];
    peer?.done?.(reason);
  }

  push<N extends keyof Notifications>(method: N, params: Notifications[N]): void {
    this.say(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  say(text: string): void {
    if (this.holds) this.#held.push(text);
    else this.#peer?.take?.(text);
  }

  let(): void {
    const texts = this.#held;
    this.#held = [];
    this.holds = false;
    for (const text of texts) this.#peer?.take?.(text);
  }

  called(method: Method): readonly Call[] {
    return this.calls.filter((call) => call.method === method);
  }

  #take(frame: string): void {
    this.frames.push(frame);
    const text = this.#parts.take(frame);
    if (text === undefined) return;
    const request: unknown = JSON.parse(text);
    if (!isRecord(request) || typeof request['method'] !== 'string') throw new Error('not a request');
    const { id, method, params } = request;
    this.calls.push({ method, params });
    const peer = this.#peer;
    // Like a socket: the answer never comes inside the call.
    queueMicrotask(() => {
      if (this.#peer === peer)
        this.say(JSON.stringify({ jsonrpc: '2.0', id, ...this.#answer(method, params) }));
    });
  }

  #answer(method: string, params: unknown): Readonly<Record<string, unknown>> {
    const found = Object.entries(this.answers).find(([name]) => name === method);
    if (found === undefined) {
      return { error: { code: -32601, message: `no ${method}`, data: { code: 'METHOD_NOT_FOUND' } } };
    }
    try {
      const answer: unknown = Reflect.apply(found[1], undefined, [params]);
      return { result: answer };
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      return { error: { code: -32602, message: reason.message, data: reason.data } };
    }
  }
}

/** Runs everything that waits for a promise. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Frames that come only when a test says so. */
export class ManualFrames {
  #waiting: (() => void)[] = [];

  readonly frame = (run: () => void): (() => void) => {
    this.#waiting.push(run);
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== run);
    };
  };

  get waiting(): number {
    return this.#waiting.length;
  }

  draw(): void {
    const runs = this.#waiting;
    this.#waiting = [];
    for (const run of runs) run();
  }
}
