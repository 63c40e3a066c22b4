/** Payloads in one line, by message number: asked for while somebody shows them, each once. */
import type { RpcClient } from '../client/rpc-client.ts';

/** More lines than this are not remembered: the oldest answers go first. */
const MOST_KEPT = 5000;
const AT_ONCE = 500;

type Listener = () => void;

/** The previews of one host. */
export class Previews {
  readonly #rpc: RpcClient;
  readonly #lines = new Map<number, string>();
  readonly #watched = new Map<number, Set<Listener>>();
  #isAsking = false;
  #isPlanned = false;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** The payload of a message in one line; undefined: not known yet. */
  of(number: number): string | undefined {
    return this.#lines.get(number);
  }

  /** Somebody shows the payload of this message from now on; returns how to stop. */
  watch(number: number, listener: Listener): () => void {
    const listeners = this.#watched.get(number) ?? new Set();
    this.#watched.set(number, listeners.add(listener));
    if (!this.#lines.has(number)) this.#plan();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#watched.get(number) === listeners) this.#watched.delete(number);
    };
  }

  /** The payload of a message was changed. */
  forget(number: number): void {
    if (this.#lines.delete(number) && this.#watched.has(number)) this.#plan();
  }

  /** Asks for what is shown and not known, as after a new connection. */
  ask(): void {
    if ([...this.#watched.keys()].some((number) => !this.#lines.has(number))) this.#plan();
  }

  /** Rows that are drawn together are asked for together. */
  #plan(): void {
    if (this.#isAsking || this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      void this.#fetch();
    });
  }

  /** One question at a time; what is shown when the answer comes decides the next. */
  async #fetch(): Promise<void> {
    this.#isAsking = true;
    try {
      for (;;) {
        const numbers = [...this.#watched.keys()].filter((each) => !this.#lines.has(each)).slice(0, AT_ONCE);
        if (numbers.length === 0) return;
        const { items } = await this.#rpc.call('messages.values', { numbers, paths: [], preview: true });
        const found = new Map(items.map(({ number, preview = '' }) => [number, preview]));
        // A message that is gone has an empty line, so that it is not asked for again and again.
        for (const number of numbers) this.#keep(number, found.get(number) ?? '');
      }
    } catch {
      // The cells stay empty; the connection bar says why, and `ask` runs when the connection is back.
      return;
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(number: number, line: string): void {
    this.#lines.set(number, line);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_KEPT && oldest !== undefined) this.#lines.delete(oldest);
    for (const listener of this.#watched.get(number) ?? []) listener();
  }
}
