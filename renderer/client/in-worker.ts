/** Asks a worker, which may say how far it is before it answers. */
import type { WorkerWord } from '../workers/answer.ts';

export interface AskHow {
  /** Rejects the answer; the worker is of no use after. */
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: ((share: number) => void) | undefined;
}

const MOST_MS = 60_000;

/** The next answer of the worker. Rejects when it cannot run, is given up, or takes longer than a minute. */
export function askWorker<Answer>(
  worker: Worker,
  question: unknown,
  { signal, onShare }: AskHow = {},
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const giveUp = (): void => reject(new Error('it was cancelled'));
    if (signal?.aborted === true) return giveUp();
    signal?.addEventListener('abort', giveUp);
    const timer = setTimeout(() => reject(new Error('it took longer than a minute')), MOST_MS);
    worker.onmessage = ({ data }: MessageEvent<WorkerWord<Answer>>) => {
      if (data.kind === 'share') return onShare?.(data.share);
      clearTimeout(timer);
      return resolve(data.answer);
    };
    worker.onerror = (event) => {
      clearTimeout(timer);
      reject(new Error(event.message === '' ? 'the reader could not be started' : event.message));
    };
    worker.postMessage(question);
    return undefined;
  });
}
