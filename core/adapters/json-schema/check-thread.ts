/** One thread that checks schemas, a question at a time: what takes too long is ended with the thread, and the next question gets another. */
import { Worker } from 'node:worker_threads';
import { duration } from '../../contract/duration-text.ts';
import { SchemaTooMuch } from '../../ports/schema-check.ts';
import { threadFile } from '../thread-file.ts';
import type { SchemaAnswer, SchemaQuestion } from './thread.ts';

const MAX_MB = 256;

export class CheckThread {
  #worker: Worker | undefined;

  /** True once a question was answered: the next one need not wait for a start. */
  get isStarted(): boolean {
    return this.#worker !== undefined;
  }

  /**
   * Rejects SchemaTooMuch, and Error for what the thread says or when it ends.
   * @param longestMs time for the question, the start of the thread included
   */
  answerTo(question: SchemaQuestion, longestMs: number): Promise<unknown> {
    const worker = this.#thread();
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

  async close(): Promise<void> {
    await this.#worker?.terminate();
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
