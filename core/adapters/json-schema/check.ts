/** Checks data against schemas in a thread of its own, one after another: what takes too long is ended with the thread. */
import { Worker } from 'node:worker_threads';
import type { SchemaMistake } from '../../contract/saved.ts';
import { duration } from '../../contract/duration-text.ts';
import { SchemaTooMuch } from '../../ports/schema-check.ts';
import type { SchemaCheck } from '../../ports/schema-check.ts';
import { threadFile } from '../thread-file.ts';
import type { SchemaAnswer, SchemaQuestion } from './thread.ts';

const MAX_MS = 5000;
const MAX_MB = 256;
/** Questions that wait or are being answered. */
const MAX_WAITING = 100;

export interface SchemaCheckOptions {
  /** Longest time for one question, the start of its thread included, in ms; 5,000 if absent. */
  longestMs?: number;
}

/** The thread starts with the first question and does not keep the process alive. */
export function createSchemaCheck(options: SchemaCheckOptions = {}): SchemaCheck {
  return new ThreadedCheck(options);
}

class ThreadedCheck implements SchemaCheck {
  readonly #options: SchemaCheckOptions;
  #worker: Worker | undefined;
  /** The question before; it resolves whatever became of it. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isClosed = false;

  constructor(options: SchemaCheckOptions) {
    this.#options = options;
  }

  async problemOf(schema: unknown): Promise<string | undefined> {
    const problem = await this.#ask({ kind: 'problemOf', schema });
    return typeof problem === 'string' ? problem : undefined;
  }

  async check(schema: unknown, data: unknown): Promise<readonly SchemaMistake[]> {
    // The thread answers `check` with what rules.ts gives.
    return (await this.#ask({ kind: 'check', schema, data })) as readonly SchemaMistake[];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
    await this.#last;
  }

  async #ask(question: SchemaQuestion): Promise<unknown> {
    if (this.#waiting >= MAX_WAITING) throw new SchemaTooMuch(`${MAX_WAITING} other checks wait already`);
    this.#waiting += 1;
    const asked = this.#last
      .then(() => this.#answerTo(question))
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = asked.catch(() => undefined);
    return asked;
  }

  #answerTo(question: SchemaQuestion): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error('checks of schemas have ended'));
    const worker = this.#thread();
    const { longestMs = MAX_MS } = this.#options;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        worker.off('message', take);
        worker.off('error', failed);
        worker.off('exit', ended);
      };
      const giveUp = (error: Error): void => {
        done();
        this.#worker = undefined;
        // The next question gets a new thread and does not wait for the end of this one.
        void worker.terminate();
        reject(error);
      };
      const take = (answer: SchemaAnswer): void => {
        done();
        if ('tooMuch' in answer) reject(new SchemaTooMuch(answer.tooMuch));
        else if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.value);
      };
      const failed = (error: Error & { code?: string }): void => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        giveUp(isMemory ? new SchemaTooMuch(`it needed more than ${MAX_MB} MB of memory`) : error);
      };
      const ended = (): void => giveUp(new Error('the thread that checks schemas has ended'));
      const tooLong = `it took longer than ${duration(longestMs)}`;
      const timer = setTimeout(() => giveUp(new SchemaTooMuch(tooLong)), longestMs);
      worker.on('message', take).on('error', failed).on('exit', ended);
      try {
        worker.postMessage(question);
      } catch (error) {
        done();
        throw error;
      }
    });
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(threadFile('thread', import.meta.url), {
      name: 'schema-thread',
      resourceLimits: { maxOldGenerationSizeMb: MAX_MB },
    });
    worker.unref();
    // A thread can run out of memory after its question was given up, or between two questions: an error without a listener ends the
    // process.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    this.#worker = worker;
    return worker;
  }
}
