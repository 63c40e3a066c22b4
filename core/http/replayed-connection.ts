/** A connection that is parsed again from a given point. The parser that failed gets no further bytes. */
import { Duplex } from 'node:stream';

/**
 * Bytes of `socket` from `first` on, for a second parser; output goes to `socket`. The addresses of the
 * connection stay visible.
 */
export class ReplayedConnection extends Duplex {
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
    // The timeout of a silent connection depends on the request that is read here; the first parser has none.
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
