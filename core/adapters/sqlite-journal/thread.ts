/** Program side of a journal thread: requests, answers, and an end that rejects all waiting calls. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { JournalError } from '../../ports/journal.ts';
import { errorOf } from './failure.ts';
import { isTrouble } from './sqlite.ts';
import { threadFile } from '../thread-file.ts';
import type { Answered, Asked, Failure, OpenStep, ReportStep } from './requests.ts';

const MAX_END_MS = 10_000;
/** Memory for young objects, in MB. They live for one request; without a limit they would be collected late, at three times the room. */
const YOUNG_MB = 12;

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

type Answer =
  | { readonly id: number; readonly value: never }
  | { readonly id: number; readonly failure: Failure }
  /** Progress of a running request. */
  | { readonly step: OpenStep };

export class Thread<R> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #over: JournalError | undefined;
  #isEnding = false;

  readonly #reportStep: ReportStep;

  /**
   * @param code name of the file beside this one, without its ending
   * @param reportStep of what may take long
   * @param name of the thread where it is not that of the file
   */
  constructor(code: string, reportStep: ReportStep, name = code) {
    this.#reportStep = reportStep;
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    this.#worker = new Worker(threadFile(code, import.meta.url), { name, resourceLimits });
    this.#worker.on('message', (answer: Answer) => this.#take(answer));
    this.#worker.on('error', (error) => {
      const because = { cause: error };
      const kind = isTrouble(error) ? 'broken' : 'bug';
      this.#end(new JournalError(kind, `the thread ${name} failed: ${error.message}`, because));
    });
    this.#worker.on('exit', () => {
      const told = this.#isEnding ? 'the history is closed' : `the thread ${name} ended by itself`;
      this.#end(new JournalError(this.#isEnding ? 'closed' : 'broken', told));
    });
    // The journal's work keeps the process alive, not its threads.
    this.#worker.unref();
  }

  /** True when the thread failed or ended, so that it does nothing any more. */
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Rejects with JournalError, also when the thread ends first, or with the signal's reason. */
  ask<K extends keyof R & string>(
    kind: K,
    value: Asked<R, K>,
    signal?: AbortSignal,
  ): Promise<Answered<R, K>> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (signal?.aborted === true) return Promise.reject(reasonOf(signal));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#forget(id);
        this.#worker.postMessage({ kind: 'cancel', id });
        if (signal !== undefined) reject(reasonOf(signal));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      const done = (): void => signal?.removeEventListener('abort', giveUp);
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, {
        resolve: (answer) => {
          done();
          resolve(answer);
        },
        reject: (reason) => {
          done();
          reject(reason);
        },
      });
      this.#worker.postMessage({ id, kind, value });
    });
  }

  /** Lets the thread return memory to the system; one collection at a time, because they share a flag of the engine. */
  rest(): void {
    if (this.#over === undefined) this.#worker.postMessage({ kind: 'rest' });
  }

  /**
   * Lets the thread end by itself: terminating a thread in the middle of a call may crash the whole process. One that does not end in time
   * is terminated anyway.
   */
  async end(): Promise<void> {
    if (this.#over !== undefined) return;
    this.#isEnding = true;
    const exited = once(this.#worker, 'exit');
    this.#worker.ref();
    this.#worker.postMessage({ kind: 'end' });
    const timer = setTimeout(() => void this.#worker.terminate(), MAX_END_MS);
    await exited;
    clearTimeout(timer);
  }

  #take(answer: Answer): void {
    if ('step' in answer) {
      this.#reportStep(answer.step);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#forget(answer.id);
    if ('failure' in answer) waiting.reject(errorOf(answer.failure));
    else waiting.resolve(answer.value);
  }

  #forget(id: number): void {
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  #end(reason: JournalError): void {
    this.#over ??= reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(this.#over);
  }
}

function reasonOf(signal: AbortSignal): unknown {
  return signal.reason;
}
