/** Messages of a worker: its questions, its progress and its answer. Long texts come and go in parts. */
import { inParts, isTextPart, PartsTaken, type TextPart } from './parts.ts';

export type WorkerWord<Answer> =
  | TextPart
  | { readonly kind: 'share'; readonly share: number }
  /** Texts that came in parts are missing in it. */
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Calls `take` with each question of the page. */
export function onQuestion<Question>(take: (question: Question) => void): void {
  const taken = new PartsTaken();
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isTextPart(data)) taken.take(data);
    else take(taken.whole(data) as Question);
  });
}

/** Reports the progress, from 0 to 1. */
export function postShare(share: number): void {
  postMessage({ kind: 'share', share } satisfies WorkerWord<never>);
}

/** Sends the answer. */
export function postAnswer(answer: unknown): void {
  const { parts, rest } = inParts(answer);
  for (const part of parts) postMessage(part);
  postMessage({ kind: 'answer', answer: rest } satisfies WorkerWord<unknown>);
}
