/** Threads of the journal that outlive their journal and serve the next one: starting them costs more than most tests do. */
import type * as threads from '../../core/adapters/sqlite-journal/thread.ts';
import type { Asked, Answered, ReportStep } from '../../core/adapters/sqlite-journal/requests.ts';

/** A thread that serves one journal after the other. */
interface Served<R> {
  readonly thread: threads.Thread<R>;
  /** Where its journal of now hears of steps. */
  tell: ReportStep;
}

/** The module with a `Thread` that is kept; `started` counts the real ones, `endThreads` ends the unused ones. */
export function keepThreads({ Thread }: typeof threads): {
  readonly Thread: unknown;
  readonly started: () => number;
  readonly endThreads: () => Promise<void>;
} {
  const idle = new Map<string, Served<never>[]>();
  let started = 0;

  class KeptThread<R> implements Pick<threads.Thread<R>, keyof threads.Thread<R>> {
    readonly #name: string;
    readonly #served: Served<R>;
    /** The journal has closed what it had open: the thread is as after its start. */
    #isAtRest = false;

    constructor(code: string, tell: ReportStep, name = code) {
      this.#name = name;
      const kept = idle.get(name)?.pop() as Served<R> | undefined;
      this.#served = kept ?? startThread<R>(code, tell, name);
      this.#served.tell = tell;
    }

    get isOver(): boolean {
      return this.#served.thread.isOver;
    }

    async ask<K extends keyof R & string>(
      kind: K,
      value: Asked<R, K>,
      signal?: AbortSignal,
    ): Promise<Answered<R, K>> {
      this.#isAtRest = false;
      const answer = await this.#served.thread.ask(kind, value, signal);
      this.#isAtRest = kind === 'close';
      return answer;
    }

    rest(): void {
      this.#served.thread.rest();
    }

    async end(): Promise<void> {
      if (this.isOver || !this.#isAtRest) return this.#served.thread.end();
      idle.set(this.#name, [...(idle.get(this.#name) ?? []), this.#served]);
    }
  }

  function startThread<R>(code: string, tell: ReportStep, name: string): Served<R> {
    const served: Served<R> = { tell, thread: new Thread<R>(code, (step) => served.tell(step), name) };
    started += 1;
    return served;
  }

  return {
    Thread: KeptThread,
    started: () => started,
    endThreads: async () => {
      for (const { thread } of [...idle.values()].flat()) await thread.end();
      idle.clear();
    },
  };
}
