/** Bytes that go on to one end of a connection: those that came together and stay as they are take one write. */
import type { Socket } from 'node:net';

export class Outlet {
  readonly #socket: Socket;
  readonly #full: () => void;
  #part: Buffer | undefined;
  #isGathering = false;

  /** @param full whoever writes should wait until the socket tells `drain` */
  constructor(socket: Socket, full: () => void) {
    this.#socket = socket;
    this.#full = full;
  }

  /** What `act` writes goes on together. */
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

  /** Hands over what waits, so that an end can follow. */
  flush(): void {
    const part = this.#part;
    this.#part = undefined;
    if (part === undefined || this.#socket.destroyed) return;
    if (!this.#socket.write(part)) this.#full();
  }
}

/** Both as one view, where the second begins in memory where the first ends; undefined: it does not. */
function adjoining(first: Buffer, second: Buffer): Buffer | undefined {
  if (first.buffer !== second.buffer || first.byteOffset + first.length !== second.byteOffset)
    return undefined;
  return Buffer.from(first.buffer, first.byteOffset, first.length + second.length);
}
