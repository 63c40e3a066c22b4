/** A connection to the console of a running instance, over its WebSocket. */
import { WebSocket } from 'ws';
import type { Method, Params, Result } from '../contract/console.ts';
import type { RpcError } from '../contract/rpc.ts';
import { MAX_FRAME_BYTES } from '../contract/rpc.ts';
import { isObject, tryParse } from '../domain/json.ts';
import { InstanceGone, RpcRefused } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';

/** Where an instance is: members of its ready line. */
export interface Address {
  readonly rpc: string;
  readonly token: string;
}

/** The instance does not let this token in. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

const CONNECT_MS = 10_000;
/** WebSocket close codes of the console: no good token; a foreign Host or Origin. */
const TURNED_AWAY: ReadonlySet<number> = new Set([4401, 4403]);

interface Waiting {
  readonly method: Method;
  readonly take: (result: unknown) => void;
  readonly fail: (error: Error) => void;
}

/** Throws InstanceGone when nothing answers there, TokenRefused when the token is wrong. */
export async function connect({ rpc, token }: Address): Promise<Rpc> {
  const url = new URL('stream', rpc);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  const connection = new Connection(socket, rpc);
  await connection.opened();
  return connection;
}

class Connection implements Rpc {
  readonly ended: Promise<void>;
  readonly #socket: WebSocket;
  readonly #rpc: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #hearers = new Set<() => void>();
  #last = 0;
  /** Why nothing more comes; undefined: it is open. */
  #over: Error | undefined;

  constructor(socket: WebSocket, rpc: string) {
    this.#socket = socket;
    this.#rpc = rpc;
    socket.on('message', (data: Buffer) => this.#take(data.toString('utf8')));
    // The close that follows ends everything; the error says why.
    socket.on('error', (error) => this.#end(new InstanceGone(`nothing answers at ${rpc}: ${whyOf(error)}`)));
    this.ended = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.#end(overBy(rpc, code, reason.toString('utf8')));
        resolve();
      });
    });
  }

  /** The first answer shows that the token was good: a wrong one is told by the close of an open socket. */
  async opened(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.once('open', () => resolve());
      this.#socket.once('close', () => reject(this.#over ?? new InstanceGone(`${this.#rpc} closed`)));
    });
    await this.call('filter.check', { filter: '' });
  }

  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    return new Promise<Result<M>>((resolve, reject) => {
      if (this.#over !== undefined) {
        reject(this.#over);
        return;
      }
      const id = (this.#last += 1);
      // The instance answers as it declares; its own tests hold every answer against the declaration.
      const take = (result: unknown): void => resolve(result as Result<M>);
      this.#waiting.set(id, { method, take, fail: reject });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  onViewChanged(hear: () => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  close(): void {
    this.#socket.close(1000);
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

function overBy(rpc: string, code: number, reason: string): Error {
  if (TURNED_AWAY.has(code)) return new TokenRefused(`${rpc} does not let this token in: ${reason}`);
  return new InstanceGone(`the instance at ${rpc} went away`);
}

function whyOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}

function isRpcError(value: unknown): value is RpcError {
  return isObject(value) && typeof value['message'] === 'string';
}
