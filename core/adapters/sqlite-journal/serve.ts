/** The other end of thread.ts: answers requests one after another, the long ones in turns. */
import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

import { collectGarbage } from '../collect-garbage.ts';
import { failureOf } from './failure.ts';
import type { Answered, Asked, ReportStep } from './requests.ts';
import type { YieldToOthers } from './search.ts';

export type Handlers<R> = {
  readonly [K in keyof R]: (
    value: Asked<R, K>,
    yieldToOthers: YieldToOthers,
  ) => Answered<R, K> | Promise<Answered<R, K>>;
};

interface Request {
  readonly id: number;
  readonly kind: string;
  readonly value?: unknown;
}

/** Sends a step to the program while its request is running. */
export const reportStep: ReportStep = (step) => parentPort?.postMessage({ step });

/** @param where names the data folder in errors */
export function serve<R>(handlers: Handlers<R>, where: () => string): void {
  const cancelled = new Set<number>();
  const running = new Set<number>();

  const answer = async ({ id, kind, value }: Request): Promise<void> => {
    const yieldToOthers: YieldToOthers = async () => {
      await setImmediate();
      if (cancelled.has(id)) throw new Error('nobody waits for this any more');
    };
    running.add(id);
    try {
      // The other end is typed by the same table, so the kind has a handler and the value is its own.
      const handle = handlers[kind as keyof R] as (value: unknown, yieldToOthers: YieldToOthers) => unknown;
      parentPort?.postMessage({ id, value: await handle(value, yieldToOthers) });
    } catch (error) {
      if (!cancelled.has(id)) parentPort?.postMessage({ id, failure: failureOf(error, where()) });
    } finally {
      running.delete(id);
      cancelled.delete(id);
    }
  };

  parentPort?.on('message', (request: Request) => {
    // Nothing else keeps the thread, so it ends when its last answer is given.
    if (request.kind === 'end') parentPort?.close();
    else if (request.kind === 'rest') collectGarbage();
    else if (request.kind !== 'cancel') void answer(request);
    else if (running.has(request.id)) cancelled.add(request.id);
  });
}
