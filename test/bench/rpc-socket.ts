/** The console's WebSocket for a bench: calls, and the news of a view. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

interface Told {
  readonly at: number;
  readonly hasProgress: boolean;
}

interface Frame {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly method?: string;
  readonly params?: { readonly viewId?: string; readonly progress?: unknown; readonly to?: number };
}

/** Silence of a view after which its search has ended. */
const SILENT_MS = 500;
const POLL_INTERVAL_MS = 2;

export class RpcSocket {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(reason: Error): void }>();
  readonly #told = new Map<string, Told>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString('utf8'))));
  }

  static async open(address: string, token: string): Promise<RpcSocket> {
    const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new RpcSocket(socket);
  }

  call<T>(method: string, params: object): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  /** Resolves with the time (`performance.now`) at which the search of a view ended; `openedAt` if it sent no news. */
  async ended(viewId: string, openedAt: number): Promise<number> {
    for (;;) {
      const last = this.#told.get(viewId);
      const at = last?.at ?? openedAt;
      if (last?.hasProgress !== true && (last !== undefined || performance.now() - at > SILENT_MS)) return at;
      await pause();
    }
  }

  close(): void {
    this.#socket.close();
  }

  #take({ id, result, error, method, params }: Frame): void {
    if (method === 'stream.batch') void this.call('stream.ack', { sequence: params?.to ?? 0 });
    if (method === 'view.changed' && params?.viewId !== undefined)
      this.#told.set(params.viewId, {
        at: performance.now(),
        hasProgress: params.progress !== undefined,
      });
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result as never);
    else waiting.reject(new Error(JSON.stringify(error)));
  }
}

export function pause(): Promise<void> {
  return sleep(POLL_INTERVAL_MS);
}
