/** Payloads in one line by message number, loaded while views show them, each once. */
import type { RpcClient } from '../client/rpc-client.ts';

/** Maximum number of lines that are kept; the oldest answers are dropped. */
const MAX_KEPT = 5000;
const AT_ONCE = 500;

type Listener = () => void;

/** What a list shows of a payload. */
export interface Preview {
  readonly line: string;
  /** True: a person edited it for the delivery. */
  readonly isEdited: boolean;
}

const NOTHING: Preview = { line: '', isEdited: false };

/** The previews of one host. */
export class Previews {
  readonly #rpc: RpcClient;
  readonly #lines = new Map<number, Preview>();
  readonly #watched = new Map<number, Set<Listener>>();
  #isAsking = false;
  #isPlanned = false;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** The payload of a message in one line; undefined: not known yet. */
  of(number: number): Preview | undefined {
    return this.#lines.get(number);
  }

  /** Loads the payload of this message while a view shows it; returns the function that ends it. */
  watch(number: number, listener: Listener): () => void {
    const listeners = this.#watched.get(number) ?? new Set();
    this.#watched.set(number, listeners.add(listener));
    if (!this.#lines.has(number)) this.#plan();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#watched.get(number) === listeners) this.#watched.delete(number);
    };
  }

  /** Drops the line of a message whose payload was changed. */
  forget(number: number): void {
    if (this.#lines.delete(number) && this.#watched.has(number)) this.#plan();
  }

  /** Loads the shown lines that are unknown, as after a new connection. */
  ask(): void {
    if ([...this.#watched.keys()].some((number) => !this.#lines.has(number))) this.#plan();
  }

  /** Requests the lines of rows that are drawn together in one call. */
  #plan(): void {
    if (this.#isAsking || this.#isPlanned) return;
    this.#isPlanned = true;
    queueMicrotask(() => {
      this.#isPlanned = false;
      void this.#fetch();
    });
  }

  /** Loads one part at a time; the shown lines at its answer decide the next part. */
  async #fetch(): Promise<void> {
    this.#isAsking = true;
    try {
      for (;;) {
        const numbers = [...this.#watched.keys()].filter((each) => !this.#lines.has(each)).slice(0, AT_ONCE);
        if (numbers.length === 0) return;
        const { items } = await this.#rpc.call('messages.values', { numbers, paths: [], preview: true });
        const found = new Map(
          items.map(({ number, preview: line = '', edited }) => [
            number,
            { line, isEdited: edited === true },
          ]),
        );
        // A message that is gone gets an empty line, so that it is not requested again and again.
        for (const number of numbers) this.#keep(number, found.get(number) ?? NOTHING);
      }
    } catch {
      // The cells stay empty; the connection bar reports the error, and `ask` runs when the connection is
      // back.
      return;
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(number: number, preview: Preview): void {
    this.#lines.set(number, preview);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_KEPT && oldest !== undefined) this.#lines.delete(oldest);
    for (const listener of this.#watched.get(number) ?? []) listener();
  }
}
