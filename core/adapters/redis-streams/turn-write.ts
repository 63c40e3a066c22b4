/** Joins the commands to Redis of one turn of the event loop into one write. */
import { Command } from 'ioredis';
import type { Redis } from 'ioredis';

/** Characters that are joined to one text at most: one of many large bodies would be longer than a text may be. */
const MOST_TOGETHER = 1024 * 1024;

/** A command that calls back as its reply is read, without the promise that the client's own commands have. */
export class Asked extends Command {
  constructor(
    name: string,
    args: readonly (string | number | Buffer)[],
    told: (reply: unknown) => void,
    refused: (error: Error) => void,
  ) {
    super(name, [...args], { replyEncoding: null });
    this.resolve = told;
    this.reject = refused;
    // Nobody subscribes to what the client traces.
    this.isTraced = true;
  }
}

/** Stands for the connection while commands are given to it, as a pipeline of the client does. */
export class TurnWrite {
  readonly isPipeline = true;
  readonly destination: { readonly redis: Pick<Redis, 'stream'> };
  /** The commands belong to this connection, whatever the client has connected since. */
  readonly #stream: Redis['stream'];
  /** What goes before `#text`, in its order. */
  #pieces: (string | Buffer)[] = [];
  #text = '';

  constructor(redis: Pick<Redis, 'stream'>) {
    this.destination = { redis };
    this.#stream = redis.stream;
  }

  write(data: string | Buffer): void {
    if (typeof data === 'string' && this.#text.length + data.length <= MOST_TOGETHER) {
      this.#text += data;
      return;
    }
    this.#pieces.push(this.#text, data);
    this.#text = '';
  }

  /** Writes what was given so far. A connection that has gone refuses its commands by itself. */
  go(): void {
    const stream = this.#stream;
    const pieces = [...this.#pieces, this.#text].filter(({ length }) => length > 0);
    this.#pieces = [];
    this.#text = '';
    if (!stream.writable) return;
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) {
      stream.write(only);
      return;
    }
    stream.cork();
    for (const piece of pieces) stream.write(piece);
    stream.uncork();
  }
}
