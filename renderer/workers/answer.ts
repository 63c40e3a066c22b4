/** Messages of a worker: its progress and its answer. */

export type WorkerWord<Answer> =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'answer'; readonly answer: Answer };

/** Reports the progress, from 0 to 1. */
export function postShare(share: number): void {
  postMessage({ kind: 'share', share } satisfies WorkerWord<never>);
}

/** Sends the answer. */
export function postAnswer<Answer>(answer: Answer): void {
  postMessage({ kind: 'answer', answer } satisfies WorkerWord<Answer>);
}
