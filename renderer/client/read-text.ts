/** Reads a long text in its own worker, which ends with the answer. */
import type { TextFacts, TextQuestion } from '../format/text-facts.ts';
import { askWorker, type AskHow } from './in-worker.ts';

/** Reads a text. Rejects if the worker cannot run, is aborted, or takes longer than a minute. */
export function readLongText(question: TextQuestion, how: AskHow): Promise<TextFacts> {
  const worker = new Worker(new URL('../workers/text.ts', import.meta.url), { type: 'module' });
  return askWorker<TextFacts>(worker, question, how).finally(() => worker.terminate());
}
