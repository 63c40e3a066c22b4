/** A connection that is read once more from a given point on: the parser that failed gets nothing further. */
import { Duplex } from 'node:stream';

/** Bytes of `socket` from `first` on, for a second parser; what is written goes to `socket`. Who made the connection stays visible. */
export class Continued extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly #socket: Duplex;

  constructor(socket: Duplex, first: Buffer) {
    super();
    this.#socket = socket;
    this.remoteAddress =
      'remoteAddress' in socket && typeof socket.remoteAddress === 'string'
        ? socket.remoteAddress
        : undefined;
    this.remotePort =
      'remotePort' in socket && typeof socket.remotePort === 'number' ? socket.remotePort : undefined;
    for (const event of ['data', 'end', 'drain']) socket.removeAllListeners(event);
    this.push(first);
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    // Whether a quiet connection is cut is asked of the request that is read here; the first parser knows none.
    socket.removeAllListeners('timeout');
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.resume();
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
