/**
 * Checks data against schemas in threads, with turns: what waits has a limit in number and time, and a schema has one thread at most, so that
 * a slow one does not hold up the others.
 */
import type { SchemaMistake } from '../../contract/saved.ts';
import { duration } from '../../contract/duration-text.ts';
import { SchemaTooMuch } from '../../ports/schema-check.ts';
import type { SchemaCheck } from '../../ports/schema-check.ts';
import { CheckThread } from './check-thread.ts';
import type { SchemaQuestion } from './thread.ts';

const MAX_MS = 5000;
/** Time for which a question waits for its turn, in ms: a person waits for the answer. */
const MAX_WAIT_MS = 10_000;
/** Questions that wait or are being answered. */
const MAX_WAITING = 100;
const THREADS = 2;

export interface SchemaCheckOptions {
  /** Longest time for one question, the start of its thread included, in ms; 5,000 if absent. */
  longestMs?: number;
  /** Longest time that a question waits for its turn, in ms; 10,000 if absent. */
  longestWaitMs?: number;
}

/** The threads start when they are needed and do not keep the process alive. */
export function createSchemaCheck(options: SchemaCheckOptions = {}): SchemaCheck {
  return new ThreadedCheck(options);
}

interface Waiting {
  /** The schema as text: a slow one that is asked about again and again is told by it. */
  readonly schema: string;
  /** The question's turn has come. */
  readonly begin: (thread: CheckThread) => void;
  readonly fail: (error: Error) => void;
}

class ThreadedCheck implements SchemaCheck {
  readonly #options: SchemaCheckOptions;
  readonly #free: CheckThread[] = Array.from({ length: THREADS }, () => new CheckThread());
  readonly #threads: readonly CheckThread[] = [...this.#free];
  /** Oldest first. */
  #waiting: Waiting[] = [];
  /** Schemas about which a question is being answered. */
  readonly #busy = new Set<string>();
  readonly #open = new Set<Promise<unknown>>();
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
    for (const { fail } of this.#waiting) fail(hasEnded());
    await Promise.all(this.#threads.map((thread) => thread.close()));
    await Promise.allSettled(this.#open);
  }

  async #ask(question: SchemaQuestion): Promise<unknown> {
    if (this.#isClosed) throw hasEnded();
    if (this.#open.size >= MAX_WAITING) throw new SchemaTooMuch(`${MAX_WAITING} other checks wait already`);
    const asked = this.#inTurn(question);
    this.#open.add(asked);
    try {
      return await asked;
    } finally {
      this.#open.delete(asked);
    }
  }

  async #inTurn(question: SchemaQuestion): Promise<unknown> {
    const schema = textOf(question.schema);
    const thread = await this.#turnFor(schema);
    const { longestMs = MAX_MS } = this.#options;
    try {
      return await thread.answerTo(question, longestMs);
    } finally {
      this.#busy.delete(schema);
      this.#free.push(thread);
      this.#next();
    }
  }

  /** Waits for a thread. Rejects SchemaTooMuch where that takes too long. */
  #turnFor(schema: string): Promise<CheckThread> {
    const { longestWaitMs = MAX_WAIT_MS } = this.#options;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
      };
      const fail = (error: Error): void => {
        leave();
        reject(error);
      };
      const begin = (thread: CheckThread): void => {
        leave();
        resolve(thread);
      };
      const waiting: Waiting = { schema, begin, fail };
      const tooLong = `other checks before it took longer than ${duration(longestWaitMs)}`;
      const timer = setTimeout(() => fail(new SchemaTooMuch(tooLong)), longestWaitMs);
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Begins with those that may: a thread is free, and none is busy with the same schema. */
  #next(): void {
    if (this.#isClosed) return;
    for (const { schema, begin } of [...this.#waiting]) {
      if (this.#busy.has(schema)) continue;
      const thread = this.#freeThread();
      if (thread === undefined) return;
      this.#busy.add(schema);
      begin(thread);
    }
  }

  /** A thread that is free, one that runs already before others; undefined: all are busy. */
  #freeThread(): CheckThread | undefined {
    const started = this.#free.findIndex(({ isStarted }) => isStarted);
    const [thread] = this.#free.splice(Math.max(0, started), 1);
    return thread;
  }
}

function hasEnded(): Error {
  return new Error('checks of schemas have ended');
}

/** Those that nest too deeply for a text are one: none of them can be read. */
function textOf(schema: unknown): string {
  try {
    return JSON.stringify(schema) ?? '';
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
