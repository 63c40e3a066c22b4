/** Payloads in one line by message number, loaded while views show them, each once for each version of the payload. */
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

interface Known {
  readonly preview: Preview;
  /** Undefined: no view knew the version when it was asked for. */
  readonly version: string | undefined;
}

/** A message whose payload views show. */
interface Watched {
  readonly listeners: Set<Listener>;
  /** Undefined: no view knows it, so its line is asked for once. */
  version: string | undefined;
  isAsked: boolean;
}

/** The previews of one host. */
export class Previews {
  readonly #rpc: RpcClient;
  readonly #lines = new Map<number, Known>();
  readonly #watched = new Map<number, Watched>();
  #isAsking = false;
  #isPlanned = false;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  /** The payload of a message in one line; undefined: not known yet. A line of another version stays until its successor is known. */
  of(number: number): Preview | undefined {
    return this.#lines.get(number)?.preview;
  }

  /**
   * Loads the payload of this message while a view shows it.
   * @param version that the row of the message has; undefined: the view has no row
   * @returns the function that ends it
   */
  watch(number: number, version: string | undefined, listener: Listener): () => void {
    const watched = this.#watched.get(number) ?? { listeners: new Set(), version, isAsked: false };
    watched.listeners.add(listener);
    watched.version = version ?? watched.version;
    this.#watched.set(number, watched);
    this.ask();
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0 && this.#watched.get(number) === watched) this.#watched.delete(number);
    };
  }

  /** Loads the shown lines that are unknown, as after a new connection. */
  ask(): void {
    if (this.#isAsking || this.#isPlanned) return;
    this.#isPlanned = true;
    // Lines of rows that are drawn together are requested in one call.
    queueMicrotask(() => {
      this.#isPlanned = false;
      void this.#fetch();
    });
  }

  /** Whether the line of a shown message is unknown, or of another version. */
  #isWanted(number: number, { version, isAsked }: Watched): boolean {
    return version === undefined ? !isAsked : this.#lines.get(number)?.version !== version;
  }

  /** Loads one part at a time; the shown lines at its answer decide the next part. */
  async #fetch(): Promise<void> {
    this.#isAsking = true;
    try {
      for (;;) {
        const wanted = [...this.#watched].filter(([number, each]) => this.#isWanted(number, each));
        const asked = wanted.slice(0, AT_ONCE).map(([number, { version }]) => ({ number, version }));
        if (asked.length === 0) return;
        const numbers = asked.map(({ number }) => number);
        const { items } = await this.#rpc.call('messages.values', { numbers, paths: [], preview: true });
        const found = new Map(
          items.map(({ number, preview: line = '', edited }) => [
            number,
            { line, isEdited: edited === true },
          ]),
        );
        // A message that is gone gets an empty line, so that it is not requested again and again.
        for (const { number, version } of asked) this.#keep(number, version, found.get(number) ?? NOTHING);
      }
    } catch {
      // The cells stay empty; the connection bar reports the error, and `ask` runs when the connection is
      // back.
      return;
    } finally {
      this.#isAsking = false;
    }
  }

  #keep(number: number, version: string | undefined, preview: Preview): void {
    const watched = this.#watched.get(number);
    // The row changed during the request, so the answer may be of the payload before; it is asked for again.
    if (watched !== undefined && watched.version !== version) return;
    this.#lines.delete(number);
    this.#lines.set(number, { preview, version });
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_KEPT && oldest !== undefined) this.#lines.delete(oldest);
    if (watched === undefined) return;
    watched.isAsked = true;
    for (const listener of watched.listeners) listener();
  }
}
