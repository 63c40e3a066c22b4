/** The console's methods over a pipe. Calls are numbered, and each answer has the number of its call. */
import type { Method, Params, Result } from '../contract/console.ts';
import type { RpcError, TextPipe } from '../contract/rpc.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { RpcRefused } from './rpc.ts';
import type { Rpc } from './rpc.ts';

/** A pipe that its owner can end. */
export interface OwnPipe extends TextPipe {
  close(): void;
}

interface Waiting {
  readonly method: Method;
  readonly take: (result: unknown) => void;
  readonly fail: (error: Error) => void;
}

export class PipeRpc implements Rpc {
  readonly ended: Promise<void>;
  readonly #pipe: OwnPipe;
  readonly #waiting = new Map<number, Waiting>();
  readonly #hearers = new Set<() => void>();
  #last = 0;
  /** Why the connection has ended; undefined: it is open. */
  #over: Error | undefined;

  /**
   * Uses a pipe.
   * @param why makes the error of later calls from the reason for which the pipe closed
   */
  constructor(pipe: OwnPipe, why: (reason: string) => Error) {
    this.#pipe = pipe;
    pipe.onText((text) => this.#take(text));
    this.ended = new Promise((resolve) => {
      pipe.onClose((reason) => {
        this.#end(why(reason));
        resolve();
      });
    });
  }

  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return new Promise<Result<M>>((resolve, reject) => {
      if (this.#over !== undefined) {
        reject(this.#over);
        return;
      }
      const id = (this.#last += 1);
      // The instance's own tests check every answer against the declaration.
      const take = (result: unknown): void => resolve(result as Result<M>);
      this.#waiting.set(id, { method, take, fail: reject });
      this.#pipe.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  onViewChanged(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  close(): void {
    this.#pipe.close();
  }

  #take(text: string): void {
    const frame = tryParse(text)?.value;
    if (!isObject(frame)) return;
    if (frame['method'] === 'view.changed') for (const hear of this.#hearers) hear();
    const id = frame['id'];
    const waiting = typeof id === 'number' ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== 'number') return;
    this.#waiting.delete(id);
    if (isRpcError(frame['error'])) waiting.fail(new RpcRefused(waiting.method, frame['error']));
    else waiting.take(frame['result']);
  }

  #end(why: Error): void {
    this.#over ??= why;
    for (const { fail } of this.#waiting.values()) fail(this.#over);
    this.#waiting.clear();
  }
}

function isRpcError(value: unknown): value is RpcError {
  return isObject(value) && typeof value['message'] === 'string';
}

/**
 * Two connected ends of a pipe in one process: the other end receives a text at once. Closing one closes
 * both.
 */
export function pipePair(): readonly [OwnPipe, OwnPipe] {
  const [one, other] = [new PipeEnd(), new PipeEnd()];
  one.joinTo(other);
  other.joinTo(one);
  return [one, other];
}

class PipeEnd implements OwnPipe {
  readonly #takers = new Set<(text: string) => void>();
  readonly #enders = new Set<(reason: string) => void>();
  #other: PipeEnd | undefined;

  joinTo(other: PipeEnd): void {
    this.#other = other;
  }

  send(text: string): void {
    this.#other?.take(text);
  }

  onText(take: (text: string) => void): () => void {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  onClose(done: (reason: string) => void): () => void {
    this.#enders.add(done);
    return () => this.#enders.delete(done);
  }

  take(text: string): void {
    for (const take of this.#takers) take(text);
  }

  close(): void {
    const other = this.#other;
    if (other === undefined) return;
    this.#other = undefined;
    for (const end of this.#enders) end('closed');
    other.close();
  }
}
