/** Loads the console at first use: its methods and their schemas are half of the code that a start would read. */
import { errorText } from '../contract/error-text.ts';
import type { AnswerRoom, Peer, TextPipe } from '../contract/rpc.ts';
import type { Console, ConsoleDependencies } from './console.ts';

export class LazyConsole {
  readonly #deps: ConsoleDependencies;
  #loading: Promise<Console> | undefined;
  #isClosed = false;

  constructor(deps: ConsoleDependencies) {
    this.#deps = deps;
  }

  /** As `answer` of the console: returns the answer to one request or batch without a connection. */
  async answer(text: string, signal: AbortSignal, room?: AnswerRoom): Promise<string | undefined> {
    const console = await this.#console();
    return console.answer(text, signal, room);
  }

  /** Serves an admitted peer. Texts that it sends before the console is loaded are processed afterwards, in order. */
  attach(pipe: TextPipe, by?: Peer): void {
    const early = new EarlyPipe(pipe);
    this.#console().then(
      (console) => {
        if (!early.isGone) console.attach(early, by);
        early.loaded();
      },
      (error: unknown) =>
        this.#deps.log.write('error', 'console', `A console could not be served: ${errorText(error)}`),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // A console that was never loaded has nothing to write.
    if (this.#loading === undefined) await this.#deps.schemaCheck.close();
    else await (await this.#loading).close();
  }

  #console(): Promise<Console> {
    if (this.#isClosed && this.#loading === undefined)
      return Promise.reject(new Error('the console is closed'));
    this.#loading ??= import('./console.ts').then(({ Console }) => new Console(this.#deps));
    return this.#loading;
  }
}

/** A pipe that keeps its first texts until it has a reader. */
class EarlyPipe implements TextPipe {
  readonly #pipe: TextPipe;
  readonly #texts: string[] = [];
  readonly #stop: () => void;
  #take: ((text: string) => void) | undefined;
  readonly room: TextPipe['room'];
  isGone = false;

  constructor(pipe: TextPipe) {
    this.#pipe = pipe;
    this.room = pipe.room;
    const stopTaking = pipe.onText((text) => {
      if (this.#take === undefined) this.#texts.push(text);
      else this.#take(text);
    });
    const stopWatching = pipe.onClose(() => (this.isGone = true));
    this.#stop = () => {
      stopTaking();
      stopWatching();
    };
  }

  /** Delivers the kept texts; later ones go directly to the reader. */
  loaded(): void {
    for (const text of this.#texts.splice(0)) this.#take?.(text);
  }

  send(text: string): void {
    this.#pipe.send(text);
  }

  onText(take: (text: string) => void): () => void {
    this.#take = take;
    return () => {
      this.#take = undefined;
      this.#stop();
    };
  }

  onClose(done: (reason: string) => void): () => void {
    return this.#pipe.onClose(done);
  }
}
