/** Writes bytes to one end of a connection: neighbouring bytes that came in together are joined into one write. */
import type { Socket } from 'node:net';

export class SocketWriter {
  readonly #socket: Socket;
  readonly #full: () => void;
  #part: Buffer | undefined;
  #isGathering = false;

  /** @param full called when the writer should wait until the socket emits `drain` */
  constructor(socket: Socket, full: () => void) {
    this.#socket = socket;
    this.#full = full;
  }

  /** Sends everything that `act` writes together. */
  gather(act: () => void): void {
    this.#isGathering = true;
    this.#socket.cork();
    act();
    this.#isGathering = false;
    this.flush();
    this.#socket.uncork();
  }

  write(bytes: Buffer): void {
    if (this.#socket.destroyed || bytes.length === 0) return;
    const joined = this.#part && adjoining(this.#part, bytes);
    if (joined === undefined) this.flush();
    this.#part = joined ?? bytes;
    if (!this.#isGathering) this.flush();
  }

  /** Writes the waiting bytes, so that the end of the connection can follow them. */
  flush(): void {
    const part = this.#part;
    this.#part = undefined;
    if (part === undefined || this.#socket.destroyed) return;
    if (!this.#socket.write(part)) this.#full();
  }
}

/** Both buffers as one view without copying; undefined: they are not neighbours in memory. */
function adjoining(first: Buffer, second: Buffer): Buffer | undefined {
  if (first.buffer !== second.buffer || first.byteOffset + first.length !== second.byteOffset)
    return undefined;
  return Buffer.from(first.buffer, first.byteOffset, first.length + second.length);
}
