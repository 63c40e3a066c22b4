/**
 * Texts of recordings, made in a thread: masking and writing one message of 4 MB takes up to half a second of the processor, in which
 * no publish would be answered.
 */
import { Worker } from 'node:worker_threads';
import type { MadeTest } from '../../domain/recording/to-test.ts';
import type { ExportTexts, RecordingTexts } from '../../ports/recording-texts.ts';
import { threadFile } from '../thread-file.ts';
import type { Given } from './text-thread.ts';
import type { Wanted } from './text-work.ts';

/** The thread starts with the first text and does not keep the process alive. */
export function createRecordingTexts(): RecordingTexts {
  return new ThreadedTexts();
}

interface Waiting {
  readonly resolve: (value: string | MadeTest) => void;
  readonly reject: (error: Error) => void;
}

class ThreadedTexts implements RecordingTexts {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #exports = 0;
  #isClosed = false;

  open(order: Parameters<RecordingTexts['open']>[0]): ExportTexts {
    const nth = (this.#exports += 1);
    return {
      begin: () => this.#text({ kind: 'begin', nth, order }),
      messages: (recorded) => this.#text({ kind: 'messages', nth, recorded }),
      end: () => this.#text({ kind: 'end', nth }),
      drop: () => this.#worker?.postMessage({ id: 0, wanted: { kind: 'drop', nth } }),
    };
  }

  async test(...[recorded, order]: Parameters<RecordingTexts['test']>): Promise<MadeTest> {
    const made = await this.#ask({ kind: 'test', recorded, order });
    if (typeof made === 'string') throw new TypeError('the thread gave a text for a test');
    return made;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  async #text(wanted: Wanted): Promise<string> {
    const text = await this.#ask(wanted);
    if (typeof text !== 'string') throw new TypeError('the thread gave no text');
    return text;
  }

  #ask(wanted: Wanted): Promise<string | MadeTest> {
    if (this.#isClosed) return Promise.reject(new Error('exports have ended'));
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#thread().postMessage({ id, wanted });
      this.#waiting.set(id, { resolve, reject });
    });
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(threadFile('text-thread', import.meta.url), { name: 'text-thread' });
    worker.unref();
    worker.on('message', (given: Given) => this.#take(given));
    worker.once('error', (error) => this.#lose(worker, error));
    worker.once('exit', () => this.#lose(worker, new Error('the thread that makes texts has ended')));
    this.#worker = worker;
    return worker;
  }

  #take(given: Given): void {
    const waiting = this.#waiting.get(given.id);
    this.#waiting.delete(given.id);
    if ('error' in given) waiting?.reject(new Error(given.error));
    else waiting?.resolve(given.value);
  }

  /** Rejects waiting calls; the next export gets a new thread. */
  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
