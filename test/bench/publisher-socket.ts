/** One publisher's connection: writes a request in one piece and reads the status of its answer, with little work beside it. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const CHUNKS_END = '0\r\n\r\n';

export interface PublisherSocket {
  /** Status of the answer. Rejects when the connection ends before one came. One at a time. */
  post(path: string, body: string): Promise<number>;
  close(): void;
}

/**
 * Resolves when the connection is open.
 * @param address http address without a path
 */
export async function openPublisher(address: URL): Promise<PublisherSocket> {
  const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return new Connection(socket, address.host);
}

class Connection implements PublisherSocket {
  readonly #socket: Socket;
  readonly #host: string;
  #received = '';
  #waiting: { resolve(status: number): void; reject(error: Error): void } | undefined;

  constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    const gone = (error?: Error): void =>
      this.#waiting?.reject(error ?? new Error('the connection ended before the answer'));
    socket.on('error', gone);
    socket.on('close', () => gone());
  }

  post(path: string, body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(
        `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-type: application/json\r\n` +
          `content-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
      );
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    if (!isWhole(this.#received)) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(status);
  }
}

/** True when everything that belongs to the answer is there. */
function isWhole(received: string): boolean {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1];
  if (length !== undefined) return received.length >= end + HEAD_END.length + Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(received.slice(0, end))) return received.endsWith(CHUNKS_END);
  return true;
}
