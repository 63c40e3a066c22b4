/** A port of the tap that speaks HTTP/2 without TLS. */
import { performServerHandshake } from 'node:http2';
import type { Socket } from 'node:net';
import { SocketPort } from '../listener.ts';
import { Connection } from './connection.ts';
import type { GrpcTarget } from './connection.ts';
import { signalLoop } from './loop.ts';

/** Time after which it is tried again whether connections still come back. */
const LOOP_MS = 1_000;

export class GrpcListener extends SocketPort {
  readonly #options: GrpcTarget;
  readonly #connections = new Set<Connection>();
  /** Monotonic time until which no connection is passed on, because they come back. */
  #closedUntil = 0;

  /** @param port 0: any free one, which it then keeps */
  constructor(port: number, options: GrpcTarget) {
    super(port, false);
    this.#options = options;
  }

  protected take(socket: Socket): void {
    if (performance.now() < this.#closedUntil) {
      const client = performServerHandshake(socket);
      client.on('error', () => undefined);
      signalLoop(client);
      return;
    }
    const connection = new Connection(socket, { ...this.#options, onLoop: () => this.#comeBack() });
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }

  /** Whether a connection to the real side is open. */
  get isConnected(): boolean {
    return [...this.#connections].some((connection) => connection.isConnected);
  }

  #comeBack(): void {
    this.#closedUntil = performance.now() + LOOP_MS;
    this.#options.side.comesBack();
  }

  protected cut(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
