/** A port of the tap that speaks HTTP/2 without TLS. */
import type { Socket } from 'node:net';
import { SocketPort } from '../listener.ts';
import { Connection } from './connection.ts';
import type { ConnectionEnds } from './connection.ts';

export class GrpcListener extends SocketPort {
  readonly #parts: ConnectionEnds;
  readonly #connections = new Set<Connection>();

  /** @param port 0: any free one, which it then keeps */
  constructor(port: number, parts: ConnectionEnds) {
    super(port, false);
    this.#parts = parts;
  }

  protected take(socket: Socket): void {
    const connection = new Connection(socket, this.#parts);
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }

  protected cut(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
