/** A port of the tap: each connection gets one of its own to the real side. */
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { Relay } from './relay.ts';
import type { RelayParts } from './relay.ts';

const HOST = '127.0.0.1';

export class Listener {
  readonly #parts: RelayParts;
  readonly #relays = new Set<Relay>();
  #server: Server | undefined;
  /** The port; 0 until it listened once. */
  port: number;

  /** @param port 0: any free one, which it then keeps */
  constructor(port: number, parts: RelayParts) {
    this.port = port;
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#server !== undefined;
  }

  /** Listens from now on. Rejects with the system's error when the port is taken. */
  async open(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      const relay: Relay = new Relay(client, this.#parts, () => this.#relays.delete(relay));
      this.#relays.add(relay);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: this.port, host: HOST, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
    this.#server = server;
  }

  /** Takes no more connections; those that are open go on. */
  shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return Promise.resolve();
    // The port is free at once; the callback would wait for the connections as well.
    server.close();
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Cuts what is open. */
  async close(): Promise<void> {
    await this.shut();
    for (const relay of this.#relays) relay.destroy();
  }
}
