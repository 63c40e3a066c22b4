/** The largest text that a Redis server takes in one command: it closes the connection on a larger one, without an answer that can be read. */
import { sizeLimit } from '../../contract/size-text.ts';
import { isReply } from './connection.ts';
import type { Connection } from './connection.ts';

const SETTING = 'proto-max-bulk-len';
/** Bytes of one UTF-16 unit at most. */
const WIDEST = 3;

export class LargestText {
  #bytes = Number.POSITIVE_INFINITY;

  /** Asks the server, whose limit may have changed with each connection. One that does not tell has no known limit. */
  async ask(commands: Pick<Connection, 'call'>): Promise<void> {
    let answer: unknown;
    try {
      answer = await commands.call('CONFIG', ['GET', SETTING]);
    } catch (error) {
      // Hosted servers allow nobody to ask. Without a connection the next one asks.
      if (!isReply(error)) return;
    }
    const bytes = Array.isArray(answer) ? Number(String(answer[1])) : Number.NaN;
    this.#bytes = bytes > 0 ? bytes : Number.POSITIVE_INFINITY;
  }

  /** Why the server takes no command with these parts; undefined: it may. */
  complaint(parts: readonly (string | Buffer)[]): string | undefined {
    for (const part of parts) {
      if (part.length * WIDEST <= this.#bytes || Buffer.byteLength(part) <= this.#bytes) continue;
      return `the message has more than ${sizeLimit(this.#bytes)}, which the server takes at most (${SETTING})`;
    }
    return undefined;
  }
}
