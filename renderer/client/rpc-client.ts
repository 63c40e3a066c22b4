/** Typed calls and notifications over a link: JSON-RPC 2.0. */
import type { Method, Notifications, Params, Result } from '../../core/contract/console.ts';
import { isObject } from '../../core/contract/is-object.ts';
import { MAX_FRAME_BYTES, PART_MARKS } from '../../core/contract/rpc.ts';
import { sizeLimit } from '../../core/contract/size-text.ts';
import { bytesIn } from '../format/body.ts';
import type { Link } from './link.ts';
import { hasLongText, longFrames } from './long-frames.ts';
import { nextTurn } from './next-turn.ts';

/** A call that was refused, could not be sent, or got no answer. */
export class RpcFailure extends Error {
  /** Stable code: those of the contract, and this side's `CONNECTION_LOST` and `NO_ANSWER`. */
  readonly code: string;
  readonly field: string | undefined;
  readonly expected: string | undefined;
  /** All other members of the host's error. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(message: string, data: Readonly<Record<string, unknown>> & { readonly code: string }) {
    super(message);
    this.name = 'RpcFailure';
    this.code = data.code;
    this.field = typeof data['field'] === 'string' ? data['field'] : undefined;
    this.expected = typeof data['expected'] === 'string' ? data['expected'] : undefined;
    this.data = data;
  }
}

export interface CallOptions {
  readonly timeoutMs?: number;
}

export interface RpcClient {
  /**
   * Calls one method.
   * @throws RpcFailure: refused by the host, `CONNECTION_LOST` at once while away, `NO_ANSWER` after the timeout
   */
  call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;
  /** Sends the host a message without an answer; it is lost while the link is closed. */
  notify<M extends Method>(method: M, params: Params<M>): void;
  on<N extends keyof Notifications>(name: N, take: (params: Notifications[N]) => void): () => void;
  close(): void;
}

const TIMEOUT_MS = 30_000;

interface Pending {
  // Method form is used on purpose: the contract says what the host answers, so `unknown` may be passed to
  // it.
  resolve(value: unknown): void;
  reject(failure: RpcFailure): void;
  readonly stop: () => void;
}

interface Request {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** The host says so too, but cannot say to which call. */
function tooLarge(): RpcFailure {
  const most = sizeLimit(MAX_FRAME_BYTES);
  return new RpcFailure(`A request has at most ${most}.`, { code: 'TOO_LARGE', expected: `at most ${most}` });
}

/** Texts of failures on this side. */
export interface FailureWords {
  /** The connection was lost before the answer came: the host may have done what was asked. */
  readonly lost: string;
  /** There is no connection, so nothing was sent. */
  readonly away: string;
  readonly noAnswer: string;
}

interface Sending {
  readonly isPending: (id: number) => boolean;
  readonly reject: (id: number, failure: RpcFailure) => void;
  /** Sends a frame of a request, or rejects the request. */
  readonly send: (id: number, frame: string) => void;
  /** Lets the host forget the frames of a request that is not sent to its end. */
  readonly abandon: () => void;
}

/** Most bytes that a character of a text takes, as UTF-8. */
const MAX_CHARACTER_BYTES = 3;

function isTooLarge(frame: string): boolean {
  return frame.length * MAX_CHARACTER_BYTES > MAX_FRAME_BYTES && bytesIn(frame) > MAX_FRAME_BYTES;
}

/** Sends requests, those with a long text in parts. */
function sendingOf({ isPending, reject, send, abandon }: Sending): (request: Request) => void {
  /** A long request that is being sent, and those that wait for its end, so that the host gets all in order. */
  const queue: Request[] = [];

  async function sendQueue(): Promise<void> {
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      // A call that was rejected while it waited, as with the connection, is not sent on the next one.
      if (isPending(next.id)) {
        if (hasLongText(next.params)) await sendLong(next);
        else sendWhole(next);
      }
      queue.shift();
    }
  }

  function sendWhole(request: Request): void {
    const frame = JSON.stringify(request);
    if (isTooLarge(frame)) reject(request.id, tooLarge());
    else send(request.id, frame);
  }

  /** Other work runs between the frames. They end where the call was rejected meanwhile. */
  async function sendLong(request: Request): Promise<void> {
    const { id } = request;
    let bytes = 0;
    for (const frame of longFrames(request)) {
      if (!isPending(id)) return abandon();
      bytes += bytesIn(frame);
      if (bytes > MAX_FRAME_BYTES) reject(id, tooLarge());
      else send(id, frame);
      await nextTurn();
    }
  }

  return (request) => {
    if (queue.length > 0) queue.push(request);
    else if (hasLongText(request.params)) {
      queue.push(request);
      void sendQueue();
    } else sendWhole(request);
  };
}

/** Makes a client of a link. Calls are not queued: while the link is closed they fail at once. */
export function createRpcClient(link: Link, words: FailureWords): RpcClient {
  const pending = new Map<number, Pending>();
  const takers = new Map<string, Set<{ take(params: unknown): void }>>();
  let lastId = 0;

  function lost(text: string = words.lost): RpcFailure {
    return new RpcFailure(text, { code: 'CONNECTION_LOST' });
  }

  function settle(id: number, with_: (entry: Pending) => void): void {
    const entry = pending.get(id);
    if (entry === undefined) return;
    pending.delete(id);
    entry.stop();
    with_(entry);
  }

  const send = sendingOf({
    isPending: (id) => pending.has(id),
    reject: (id, failure) => settle(id, (entry) => entry.reject(failure)),
    send: (id, frame) => {
      if (!link.send(frame)) settle(id, (entry) => entry.reject(lost(words.away)));
    },
    // A host that is away has forgotten them.
    abandon: () => void link.send(PART_MARKS.first),
  });

  const stopText = link.onText((text) => {
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (frame.kind === 'notification') {
      for (const { take } of takers.get(frame.method) ?? []) take(frame.params);
    } else if (frame.kind === 'result') {
      settle(frame.id, (entry) => entry.resolve(frame.result));
    } else {
      settle(frame.id, (entry) => entry.reject(frame.failure));
    }
  });
  const stopState = link.onState((state) => {
    if (state.status !== 'lost') return;
    for (const id of [...pending.keys()]) settle(id, (entry) => entry.reject(lost()));
  });

  return {
    call<M extends Method>(method: M, params: Params<M>, options: CallOptions = {}): Promise<Result<M>> {
      return new Promise<Result<M>>((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => {
          const failure = new RpcFailure(words.noAnswer, { code: 'NO_ANSWER' });
          settle(id, (entry) => entry.reject(failure));
        }, options.timeoutMs ?? TIMEOUT_MS);
        pending.set(id, { resolve, reject, stop: () => clearTimeout(timer) });
        send({ jsonrpc: '2.0', id, method, params });
      });
    },
    notify(method, params) {
      link.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
    },
    on(name, take) {
      const set = takers.get(name) ?? new Set();
      takers.set(name, set);
      const entry = { take };
      set.add(entry);
      return () => set.delete(entry);
    },
    close() {
      stopText();
      stopState();
      for (const id of [...pending.keys()]) settle(id, (entry) => entry.reject(lost()));
      takers.clear();
    },
  };
}

type Frame =
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly failure: RpcFailure };

/** Reads a frame. Undefined: it is not a frame of the contract. Sidelight is the pipe's other end, so this needs no report. */
function readFrame(text: string): Frame | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A text that is not JSON is no frame.
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (typeof value['method'] === 'string') {
    return { kind: 'notification', method: value['method'], params: value['params'] };
  }
  const id = value['id'];
  if (typeof id !== 'number') return undefined;
  if (!isObject(value['error'])) return { kind: 'result', id, result: value['result'] };
  const { message, data } = value['error'];
  const facts = isObject(data) ? data : {};
  const code = typeof facts['code'] === 'string' ? facts['code'] : 'INTERNAL';
  return {
    kind: 'error',
    id,
    failure: new RpcFailure(typeof message === 'string' ? message : code, { ...facts, code }),
  };
}
