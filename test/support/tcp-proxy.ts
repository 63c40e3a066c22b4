/** Stands between a client and its server, and loses what a test says. */
import { once } from 'node:events';
import net from 'node:net';

export class TcpProxy {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  /** Decides about bytes of a client: true = the server never gets them. */
  swallows: (sent: string) => boolean = () => false;

  private constructor(target: number) {
    this.#server = net.createServer((client) => {
      const server = net.connect(target, '127.0.0.1');
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      client.on('data', (sent) => {
        if (!this.swallows(sent.toString())) server.write(sent);
      });
      server.on('data', (sent) => void client.write(sent));
    });
  }

  /** @param port of the server, on this machine */
  static async to(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
