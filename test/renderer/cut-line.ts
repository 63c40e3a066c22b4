/** TCP between a client and a console server that is cut at chosen bytes; and numbers that are random but known. */
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { TextPipe } from '../../core/contract/rpc.ts';
import type { ConsoleServer } from '../../core/console/server.ts';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** TCP between client and host that ends, in the middle of whatever is under way, after so many bytes from the host. */
export class Line {
  cuts = 0;
  #left = Infinity;
  readonly #host: number;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  private constructor(host: number) {
    this.#host = host;
    this.#server = createServer((client) => this.#join(client));
  }

  static async to(host: number): Promise<Line> {
    const line = new Line(host);
    await new Promise<void>((done) => void line.#server.listen(0, '127.0.0.1', done));
    return line;
  }

  get port(): number {
    const bound = this.#server.address();
    if (bound === null || typeof bound === 'string') throw new Error('the line has no port');
    return bound.port;
  }

  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  async close(): Promise<void> {
    this.#drop();
    await new Promise((done) => void this.#server.close(done));
  }

  #join(client: Socket): void {
    const host = connectTcp(this.#host, '127.0.0.1');
    const pair = [client, host] as const;
    this.#pairs.add(pair);
    for (const [one, other] of [pair, [host, client]] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        this.#pairs.delete(pair);
      });
    }
    client.on('data', (piece) => host.write(piece));
    host.on('data', (piece: Buffer) => {
      const passes = Math.min(piece.length, this.#left);
      this.#left -= passes;
      if (passes > 0) client.write(piece.subarray(0, passes));
      if (passes === piece.length) return;
      this.cuts += 1;
      this.#left = Infinity;
      this.#drop();
    });
  }

  #drop(): void {
    for (const [client, host] of this.#pairs) {
      // Bytes that have passed still arrive; others never do.
      client.end();
      host.destroy();
    }
  }
}

/** Opens pipes over the line, as a client with the token does. */
export function pipeOver(line: Line, server: ConsoleServer): () => Promise<TextPipe> {
  return () =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${line.port}/stream`, {
        headers: { Authorization: `Bearer ${server.token}`, Host: `127.0.0.1:${server.port}` },
      });
      socket.on('error', reject);
      socket.on('open', () =>
        resolve({
          send: (text) => socket.send(text, () => undefined),
          onText(take) {
            const hear = (data: Buffer): void => take(data.toString('utf8'));
            socket.on('message', hear);
            return () => void socket.off('message', hear);
          },
          onClose(done) {
            if (socket.readyState === WebSocket.CLOSED) done('1006');
            const end = (code: number): void => done(String(code));
            socket.on('close', end);
            return () => void socket.off('close', end);
          },
        }),
      );
    });
}
