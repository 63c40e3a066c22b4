/** Reads a file of entries in a worker of its own, which ends with the answer. */
import type { ReadFile } from '../format/entries-table.ts';

const MOST_MS = 60_000;

/** Rejects when the worker cannot run or takes longer than a minute. */
export function readFileOfEntries(file: File, signal: AbortSignal): Promise<ReadFile> {
  const worker = new Worker(new URL('../workers/entries.ts', import.meta.url), { type: 'module' });
  return new Promise<ReadFile>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it was cancelled')));
    const timer = setTimeout(() => reject(new Error('it took longer than a minute')), MOST_MS);
    worker.onmessage = ({ data }: MessageEvent<ReadFile>) => {
      clearTimeout(timer);
      resolve(data);
    };
    worker.onerror = (event) => {
      clearTimeout(timer);
      reject(new Error(event.message === '' ? 'the reader could not be started' : event.message));
    };
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}
