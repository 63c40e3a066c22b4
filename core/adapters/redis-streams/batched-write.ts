/** Joins the Redis commands of one turn of the event loop into one write. */
import { Command } from 'ioredis';
import type { Redis } from 'ioredis';

/** Maximum number of characters joined to one string: many large bodies together would exceed the maximum length of a string. */
const MAX_TOGETHER = 1024 * 1024;

/** A command that calls back when its reply is read, without the promise of the client's own commands. */
export class Asked extends Command {
  /** Commands that are never freed, for the reason in last-made.ts: of texts alone, and with bytes. */
  static readonly kept = ['', Buffer.alloc(0)].map((part) => new Asked('PING', [part], nothing, nothing));

  constructor(
    name: string,
    args: readonly (string | number | Buffer)[],
    onReply: (reply: unknown) => void,
    refused: (error: Error) => void,
  ) {
    super(name, [...args], { replyEncoding: null });
    this.resolve = onReply;
    this.reject = refused;
    // Skips the client's tracing, which has no subscriber.
    this.isTraced = true;
  }
}

/** Takes the place of the connection while the client writes commands to it, as a pipeline of the client does. */
export class TurnWrite {
  readonly isPipeline = true;
  readonly destination: { readonly redis: Pick<Redis, 'stream'> };
  /** Socket of the commands; the client may have opened a newer one since. */
  readonly #stream: Redis['stream'];
  /** Data to write before `#text`, in order. */
  #pieces: (string | Buffer)[] = [];
  #text = '';

  constructor(redis: Pick<Redis, 'stream'>) {
    this.destination = { redis };
    this.#stream = redis.stream;
  }

  write(data: string | Buffer): void {
    if (typeof data === 'string' && this.#text.length + data.length <= MAX_TOGETHER) {
      this.#text += data;
      return;
    }
    this.#pieces.push(this.#text, data);
    this.#text = '';
  }

  /** Writes all commands. A socket that was closed rejects its commands by itself. */
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

function nothing(): void {}
