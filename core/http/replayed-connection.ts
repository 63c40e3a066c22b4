/** A connection that is parsed again from a given point. The parser that failed gets no further bytes. */
import { Duplex } from 'node:stream';

/** Changes the beginning of a request. `incomplete`: more of it is needed. Undefined: it stays as it is. */
type ChangeBeginning = (bytes: Buffer) => Buffer | 'incomplete' | undefined;

/**
 * Bytes of `socket` from a given beginning on, for a second parser; output goes to `socket`. The addresses of the
 * connection stay visible.
 */
export class ReplayedConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly #socket: Duplex;
  readonly #change: ChangeBeginning;
  /** The beginning, of which more is needed; undefined: it was passed on. */
  #begun: Buffer | undefined;

  constructor(socket: Duplex, begun: Buffer, change: ChangeBeginning) {
    super();
    this.#socket = socket;
    this.#change = change;
    this.#begun = Buffer.alloc(0);
    this.remoteAddress =
      'remoteAddress' in socket && typeof socket.remoteAddress === 'string'
        ? socket.remoteAddress
        : undefined;
    this.remotePort =
      'remotePort' in socket && typeof socket.remotePort === 'number' ? socket.remotePort : undefined;
    for (const event of ['data', 'end', 'drain']) socket.removeAllListeners(event);
    this.#take(begun);
    socket.on('data', (chunk: Buffer) => {
      if (!this.#take(chunk)) socket.pause();
    });
    socket.on('end', () => {
      if (this.#begun !== undefined) this.push(this.#begun);
      this.push(null);
    });
    // The timeout of a silent connection depends on the request that is read here; the first parser has none.
    socket.removeAllListeners('timeout');
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.resume();
  }

  /** False: no more should come for now. */
  #take(chunk: Buffer): boolean {
    if (this.#begun === undefined) return this.push(chunk);
    const bytes = Buffer.concat([this.#begun, chunk]);
    const changed = this.#change(bytes);
    this.#begun = changed === 'incomplete' ? bytes : undefined;
    return changed === 'incomplete' || this.push(changed ?? bytes);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
