/** Progress, end and cancellation of a worker. */
import { describe, expect, test, vi } from 'vitest';
import { askWorker } from '../../renderer/client/in-worker.ts';
import type { WorkerWord } from '../../renderer/workers/answer.ts';
import { inParts, isTextPart, PART_CHARACTERS, PartsTaken } from '../../renderer/workers/parts.ts';

interface Fake {
  readonly worker: Worker;
  readonly asked: unknown[];
  readonly say: (word: WorkerWord<string>) => void;
  readonly fail: (message: string) => void;
}

/** Stands in for a worker, with the parts that the code under test uses. */
function fakeWorker(): Fake {
  const asked: unknown[] = [];
  const worker: Pick<Worker, 'postMessage' | 'onmessage' | 'onerror'> = {
    onmessage: null,
    onerror: null,
    postMessage: (question: unknown) => void asked.push(question),
  };
  const real = worker as Worker;
  return {
    worker: real,
    asked,
    say: (data) => real.onmessage?.({ data } as MessageEvent),
    fail: (message) => real.onerror?.({ message } as ErrorEvent),
  };
}

/** Characters of the longest text of a message. */
function longest(message: unknown): number {
  return Math.max(0, ...Object.values(message as object).map((each) => String(each).length));
}

describe('a worker', () => {
  test('says how far it is, then answers', async () => {
    const { worker, asked, say } = fakeWorker();
    const shares: number[] = [];
    const answer = askWorker(worker, 'question', { onShare: (share) => shares.push(share) });
    say({ kind: 'share', share: 0.25 });
    say({ kind: 'share', share: 0.5 });
    say({ kind: 'answer', answer: 'answer' });
    expect(await answer).toBe('answer');
    expect(shares).toEqual([0.25, 0.5]);
    expect(asked).toEqual(['question']);
  });

  test('gets and gives long texts in parts', async () => {
    const { worker, asked, say } = fakeWorker();
    const long = `${'x'.repeat(600_000)}${'y'.repeat(600_000)}`;
    const answer = askWorker(worker, { text: long, other: long.slice(600_000), kind: 'json' });
    await vi.waitFor(() => expect(asked.some((message) => !isTextPart(message))).toBe(true));
    for (const message of asked) expect(longest(message)).toBeLessThanOrEqual(PART_CHARACTERS);
    const taken = new PartsTaken();
    for (const message of asked) if (isTextPart(message)) taken.take(message);
    expect(taken.whole(asked.at(-1))).toEqual({ text: long, other: long.slice(600_000), kind: 'json' });
    const { parts, rest } = inParts({ laidOut: long });
    for (const part of parts) say(part);
    say({ kind: 'answer', answer: rest as string });
    expect(await answer).toEqual({ laidOut: long });
  });

  test('that cannot run reports it', async () => {
    const { worker, fail } = fakeWorker();
    const answer = askWorker(worker, 'question');
    fail('');
    await expect(answer).rejects.toThrow('the reader could not be started');
  });

  test('can be given up before or after the request', async () => {
    const { worker, asked } = fakeWorker();
    const stop = new AbortController();
    const answer = askWorker(worker, 'question', { signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toThrow('it was cancelled');
    await expect(askWorker(worker, 'question', { signal: stop.signal })).rejects.toThrow('it was cancelled');
    expect(asked).toHaveLength(1);
  });
});
