/** A port of the tap: for each connection that it accepts, the tap opens one to the real side. */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { shareReads } from '../http/shared-read.ts';
import { RefusedClients } from './refused-clients.ts';
import { Relay } from './relay.ts';
import type { ConnectionTarget } from './relay.ts';

const HOST = '127.0.0.1';

/** A port that opens and closes while its connections go on. */
export abstract class SocketPort {
  readonly #allowHalfOpen: boolean;
  #server: Server | undefined;
  #before: Promise<void> = Promise.resolve();
  /** The port; 0 until it listened once. */
  port: number;

  /**
   * @param port 0: any free one, which it then keeps
   * @param allowHalfOpen a client that has said everything may still read
   */
  constructor(port: number, allowHalfOpen: boolean) {
    this.port = port;
    this.#allowHalfOpen = allowHalfOpen;
  }

  get isOpen(): boolean {
    return this.#server !== undefined;
  }

  /** A connection has come. */
  protected abstract take(socket: Socket): void;

  /** Cuts what is open. */
  protected abstract cut(): void;

  /** Listens from now on. Rejects with the system's error when the port is taken. */
  open(): Promise<void> {
    return this.#inTurn(() => this.#open());
  }

  /** Takes no more connections; those that are open go on. */
  shut(): Promise<void> {
    return this.#inTurn(() => this.#shut());
  }

  /** Runs openings and closings one after another, so that the last call decides. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#before.then(act);
    this.#before = done.catch(() => undefined);
    return done;
  }

  async #open(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ allowHalfOpen: this.#allowHalfOpen, noDelay: true }, (socket) =>
      this.take(socket),
    );
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

  #shut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return Promise.resolve();
    // The port is free at once; the callback would wait for the connections as well.
    server.close();
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Takes no more connections and cuts what is open. */
  async close(): Promise<void> {
    await this.shut();
    this.cut();
  }
}

export interface ListenerOptions extends ConnectionTarget {
  /** The answer to every client, to whom no connection is opened then; undefined: clients are passed on. */
  readonly refusal?: () => Buffer | undefined;
}

/** A port for HTTP/1. */
export class Listener extends SocketPort {
  readonly #options: ListenerOptions;
  readonly #relays = new Set<Relay>();
  readonly #refused = new RefusedClients();

  constructor(port: number, options: ListenerOptions) {
    super(port, true);
    this.#options = options;
  }

  protected take(client: Socket): void {
    const refusal = this.#options.refusal?.();
    if (refusal !== undefined) {
      this.#refused.add(client, refusal);
      return;
    }
    const { socket } = shareReads(client);
    const relay: Relay = new Relay(socket, this.#options, () => this.#relays.delete(relay));
    this.#relays.add(relay);
  }

  protected cut(): void {
    for (const relay of this.#relays) relay.destroy();
    this.#refused.cut();
  }
}
