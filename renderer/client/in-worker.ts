/** Asks a worker, which may report its progress before it answers. */
import { READER } from '../copy/publish.ts';
import type { WorkerWord } from '../workers/answer.ts';

export interface AskHow {
  /** Aborted to reject the answer; the worker cannot be used after that. */
  readonly signal?: AbortSignal | undefined;
  readonly onShare?: ((share: number) => void) | undefined;
}

const MAX_MS = 60_000;

/** The next answer of the worker. Rejects if it cannot run, is aborted, or takes longer than a minute. */
export function askWorker<Answer>(
  worker: Worker,
  question: unknown,
  { signal, onShare }: AskHow = {},
): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    if (signal?.aborted === true) return reject(new Error(READER.cancelled));
    const timer = setTimeout(() => reject(new Error(READER.tooLong)), MAX_MS);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error(READER.cancelled));
    });
    worker.onmessage = ({ data }: MessageEvent<WorkerWord<Answer>>) => {
      if (data.kind === 'share') return onShare?.(data.share);
      clearTimeout(timer);
      return resolve(data.answer);
    };
    worker.onerror = (event) => {
      clearTimeout(timer);
      reject(new Error(event.message === '' ? READER.notStarted : event.message));
    };
    worker.postMessage(question);
    return undefined;
  });
}
