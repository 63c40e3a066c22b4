/**
 * Ports that a tap opens later: nothing listens there until its app runs, so any other tap would find them
 * free. Each is claimed by a UDP socket with its number, which all programs of this machine see.
 */
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:dgram';

const HOST = '127.0.0.1';

/** Why a port is not free if nobody listens on it but another program has claimed it: a tap, or any program that uses UDP. */
export const CLAIMED = 'in use over UDP by another program, such as a tap whose app does not run yet';

/** Whether a program, this one included, has claimed the port. Claims nothing. */
export async function isClaimed(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const refused = await bind(socket, port);
  socket.close();
  return refused?.code === 'EADDRINUSE';
}

export class PortClaims {
  readonly #sockets = new Map<number, Socket>();

  /**
   * Claims a port, unless it is claimed here already.
   * @returns false: another program has it. A system that gives no such sockets prevents no tap
   */
  async take(port: number): Promise<boolean> {
    if (this.#sockets.has(port)) return true;
    const socket = createSocket('udp4');
    const refused = await bind(socket, port);
    if (refused !== undefined) {
      socket.close();
      return refused.code !== 'EADDRINUSE';
    }
    socket.on('error', () => this.release(port));
    this.#sockets.set(port, socket);
    return true;
  }

  /** Whether another program has claimed the port. Claims nothing. */
  async isOthers(port: number): Promise<boolean> {
    return !this.#sockets.has(port) && isClaimed(port);
  }

  release(port: number): void {
    this.#sockets.get(port)?.close();
    this.#sockets.delete(port);
  }

  releaseAll(): void {
    for (const port of [...this.#sockets.keys()]) this.release(port);
  }
}

/** Binds the socket; resolves with the error if the system refuses. */
function bind(socket: Socket, port: number): Promise<NodeJS.ErrnoException | undefined> {
  // Nothing sent to the socket is read, and it keeps no process alive.
  socket.unref();
  return new Promise((resolve) => {
    socket.once('error', resolve);
    socket.bind({ address: HOST, port, exclusive: true }, () => resolve(undefined));
  });
}
