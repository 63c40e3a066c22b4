/** Payload values for own columns: loaded for visible rows, kept while the list is open. */
import type { RpcClient } from '../client/rpc-client.ts';

export type OwnValues = readonly (string | null)[];

/** Maximum number of messages whose values are kept; the oldest answers are dropped. */
const MAX_KEPT = 5000;
const AT_ONCE = 500;

export class OwnColumns {
  readonly #rpc: RpcClient;
  readonly #onValues: () => void;
  #paths: readonly string[] = [];
  #values = new Map<number, OwnValues>();
  #wanted: readonly number[] = [];
  /** Messages whose payload was changed since their values were asked for. */
  readonly #changed = new Set<number>();
  #isAsking = false;

  constructor(rpc: RpcClient, onValues: () => void) {
    this.#rpc = rpc;
    this.#onValues = onValues;
  }

  /** Values of a message in the order of the paths; undefined: not known yet. */
  of(number: number): OwnValues | undefined {
    return this.#values.get(number);
  }

  /** Drops the values of a message whose payload was changed. */
  forget(number: number): void {
    this.#values.delete(number);
    this.#changed.add(number);
  }

  /** Drops all values, as the numbers are of another history. An answer that is still to come is dropped too. */
  clear(): void {
    this.#paths = [...this.#paths];
    this.#wanted = [];
    this.#values = new Map();
  }

  /** Sets the visible messages and columns. */
  want(numbers: readonly number[], paths: readonly string[]): void {
    if (paths.join('\n') !== this.#paths.join('\n')) {
      this.#paths = paths;
      this.#values = new Map();
    }
    if (paths.length === 0) return;
    this.#wanted = numbers;
    if (!this.#isAsking) void this.#ask();
  }

  /** Loads one part at a time; the visible rows at its answer decide the next part. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      for (;;) {
        const paths = this.#paths;
        const numbers = this.#wanted.filter((number) => !this.#values.has(number)).slice(0, AT_ONCE);
        if (numbers.length === 0) return;
        this.#changed.clear();
        const { items } = await this.#rpc.call('messages.values', { numbers, paths });
        if (paths !== this.#paths) continue;
        const none = paths.map(() => null);
        const found = new Map(items.map(({ number, values }) => [number, values]));
        for (const number of numbers)
          if (!this.#changed.has(number)) this.#keep(number, found.get(number) ?? none);
        this.#onValues();
      }
    } catch {
      // The cells stay empty; the connection bar reports the error, and the next visible rows are requested
      // again.
      return;
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(number: number, values: OwnValues): void {
    this.#values.set(number, values);
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_KEPT && oldest !== undefined) this.#values.delete(oldest);
  }
}
