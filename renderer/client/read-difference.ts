/** Compares long texts in their own worker, which ends with the answer. */
import type { Difference, DifferenceQuestion } from '../format/diff.ts';
import { askWorker, type AskHow } from './in-worker.ts';

/** Compares two texts. Rejects if the worker cannot run, is aborted, or takes longer than a minute. */
export function readDifference(question: DifferenceQuestion, how: AskHow): Promise<Difference> {
  const worker = new Worker(new URL('../workers/difference.ts', import.meta.url), { type: 'module' });
  return askWorker<Difference>(worker, question, how).finally(() => worker.terminate());
}
