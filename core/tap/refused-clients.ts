/** Clients that get an answer of the tap, with no connection behind them. */
import type { Socket } from 'node:net';

/** Time that a client has to say what it wants, and to read the answer. */
const MAX_MS = 2_000;

export class RefusedClients {
  readonly #sockets = new Set<Socket>();

  /** Answers whatever the client says, then ends the connection. */
  add(socket: Socket, answer: Buffer): void {
    this.#sockets.add(socket);
    socket.once('data', () => {
      socket.end(answer);
      // Further bytes are discarded, and must not keep the connection open.
      socket.resume();
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.setTimeout(MAX_MS, () => socket.destroy());
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
