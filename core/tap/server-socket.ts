/** A connection to the real side that can still be read after a write to it has failed. */
import { Socket } from 'node:net';
import { sharedReads } from '../http/shared-read.ts';

type Written = (error?: Error | null) => void;

/**
 * A server may answer a request that it has only begun to read, and close. Then a write fails while the answer waits to be
 * read, and a plain socket would drop that answer together with the connection.
 */
export class ServerSocket extends Socket {
  readonly #refused: () => void;

  /** @param refused called once the server accepts no more bytes; those already written are lost */
  constructor(refused: () => void) {
    // The next read overwrites these bytes, and the tap keeps them.
    super({ allowHalfOpen: true, onread: sharedReads((bytes) => this.emit('data', Buffer.from(bytes))) });
    this.#refused = refused;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, written: Written): void {
    super._write(chunk, encoding, this.#taken(written));
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer; readonly encoding: BufferEncoding }[],
    written: Written,
  ): void {
    super._writev?.([...chunks], this.#taken(written));
  }

  #taken(written: Written): Written {
    return (error) => {
      if (error !== undefined && error !== null) this.#refused();
      written();
    };
  }
}
