/** Reads a long text in a worker of its own, which ends with the answer. */
import type { TextFacts, TextQuestion } from '../format/text-facts.ts';
import { askWorker, type AskHow } from './in-worker.ts';

/** Rejects when the worker cannot run, is given up, or takes longer than a minute. */
export function readLongText(question: TextQuestion, how: AskHow): Promise<TextFacts> {
  const worker = new Worker(new URL('../workers/text.ts', import.meta.url), { type: 'module' });
  return askWorker<TextFacts>(worker, question, how).finally(() => worker.terminate());
}
