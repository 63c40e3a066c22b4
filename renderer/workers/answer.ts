/** What a worker says while it works, and in the end. */

export type WorkerWord<Answer> =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Tells how far the work is, from 0 to 1. */
export function sayShare(share: number): void {
  postMessage({ kind: 'share', share } satisfies WorkerWord<never>);
}

/** Gives the answer. */
export function sayAnswer<Answer>(answer: Answer): void {
  postMessage({ kind: 'answer', answer } satisfies WorkerWord<Answer>);
}
