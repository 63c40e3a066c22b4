/** Output of processes, taken in turns: a program that writes without end leaves time for deliveries and for other programs. */
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

/** Maximum number of lines of all programs together that are taken in one turn of the event loop. */
export const LINES_PER_TURN = 1000;
const LINE_END = 0x0a;
/** Most that the system keeps of an output that nobody has read: the largest pipe that a user may have. */
const MAX_IN_PIPE = 1024 * 1024;

/** Receiver of the bytes of one stream. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

/** The output of one stream on its way to the sink. */
export interface FollowedOutput {
  /** Resolves when everything up to the end of the stream is taken. */
  readonly whole: Promise<void>;
  /** Resolves when everything that the program has written so far is taken, also what the system keeps of it. */
  soFar(): Promise<void>;
}

/** Bytes of one stream that came and were not taken yet. */
class Waiting implements FollowedOutput {
  readonly #stream: Readable;
  readonly #sink: ByteSink;
  readonly #chunks: Buffer[] = [];
  readonly whole: Promise<void>;
  #wholeTaken: () => void = () => undefined;
  readonly #allTakenOnce: (() => void)[] = [];
  /** Number of bytes that have come. */
  #came = 0;
  #hasEnded = false;

  constructor(stream: Readable, sink: ByteSink) {
    this.#stream = stream;
    this.#sink = sink;
    this.whole = new Promise((done) => (this.#wholeTaken = done));
  }

  async soFar(): Promise<void> {
    // One that goes on writing, such as a daemon that the program left, keeps nobody waiting.
    for (let left = MAX_IN_PIPE; left > 0;) {
      const before = this.#came;
      if (this.#chunks.length > 0) await new Promise<void>((done) => this.#allTakenOnce.push(done));
      // The stream flows again after one turn, and has read what there is after the next one.
      await turn();
      await turn();
      if (this.#came === before) return;
      left -= this.#came - before;
    }
  }

  add(bytes: Buffer): void {
    this.#came += bytes.length;
    this.#chunks.push(bytes);
    // The program waits until its output is taken, as it would for a slow terminal.
    this.#stream.pause();
  }

  end(): void {
    this.#hasEnded = true;
  }

  /**
   * Takes the bytes of up to so many lines.
   * @returns the number of lines, or of pieces of one; 0: nothing is left
   */
  take(most: number): number {
    const [chunk] = this.#chunks;
    if (chunk === undefined) {
      this.#allTaken();
      return 0;
    }
    let lines = 0;
    let at = 0;
    while (lines < most && at < chunk.length) {
      const end = chunk.indexOf(LINE_END, at);
      at = end < 0 ? chunk.length : end + 1;
      lines += 1;
    }
    if (at === chunk.length) this.#chunks.shift();
    else this.#chunks[0] = chunk.subarray(at);
    this.#sink.write(chunk.subarray(0, at));
    return lines;
  }

  #allTaken(): void {
    for (const done of this.#allTakenOnce.splice(0)) done();
    if (!this.#hasEnded) {
      this.#stream.resume();
      return;
    }
    this.#sink.end();
    this.#wholeTaken();
  }
}

/** Takes the output of several streams in turns. */
export class OutputTurns {
  readonly #waiting = new Set<Waiting>();
  #isDue = false;

  /** Hands every byte of the stream to the sink, in order, and then its end. */
  follow(stream: Readable, sink: ByteSink): FollowedOutput {
    const waiting = new Waiting(stream, sink);
    stream.on('data', (bytes: Buffer) => {
      waiting.add(bytes);
      this.#come(waiting);
    });
    stream.on('close', () => {
      waiting.end();
      this.#come(waiting);
    });
    return waiting;
  }

  #come(waiting: Waiting): void {
    this.#waiting.add(waiting);
    if (!this.#isDue) this.#next();
  }

  #next(): void {
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#turn();
      if (this.#waiting.size > 0 && !this.#isDue) this.#next();
    });
  }

  #turn(): void {
    const share = Math.max(1, Math.floor(LINES_PER_TURN / this.#waiting.size));
    let left = LINES_PER_TURN;
    for (const one of [...this.#waiting]) {
      if (left <= 0) return;
      // A stream that was served goes behind the others.
      this.#waiting.delete(one);
      const taken = one.take(share);
      if (taken > 0) this.#waiting.add(one);
      left -= Math.max(1, taken);
    }
  }
}
