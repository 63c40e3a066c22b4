/** Asks a worker, which may report its progress before it answers. */
import { READER } from '../copy/publish.ts';
import type { WorkerWord } from '../workers/answer.ts';
import { inParts, PartsTaken } from '../workers/parts.ts';
import { nextTurn } from './next-turn.ts';

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
    const taken = new PartsTaken();
    worker.onmessage = ({ data }: MessageEvent<WorkerWord<Answer>>) => {
      if (data.kind === 'share') return onShare?.(data.share);
      if (data.kind === 'part') return taken.take(data);
      clearTimeout(timer);
      return resolve(taken.whole(data.answer) as Answer);
    };
    worker.onerror = (event) => {
      clearTimeout(timer);
      reject(new Error(event.message === '' ? READER.notStarted : event.message));
    };
    post(worker, question, signal).catch(reject);
    return undefined;
  });
}

/** Sends the question; other work runs between its parts. */
async function post(worker: Worker, question: unknown, signal: AbortSignal | undefined): Promise<void> {
  const { parts, rest } = inParts(question);
  for (const part of parts) {
    worker.postMessage(part);
    await nextTurn();
    if (signal?.aborted === true) return;
  }
  worker.postMessage(rest);
}
