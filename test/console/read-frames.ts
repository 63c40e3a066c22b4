/** Reads what a client of the console heard. */
import type { Batch, Notifications } from '../../core/contract/console.ts';

/** Result of the answer under `id`. */
export function answerIn(texts: readonly string[], id: string): unknown {
  for (const text of texts) {
    const frame: { readonly id?: unknown; readonly result?: unknown } = JSON.parse(text);
    if (frame.id === id) return frame.result;
  }
  throw new Error(`No answer under ${id} among ${texts.length} texts.`);
}

export function notificationsIn<N extends keyof Notifications>(
  texts: readonly string[],
  method: N,
): readonly Notifications[N][] {
  return texts.flatMap((text) => {
    const frame: { readonly method?: string; readonly params?: Notifications[N] } = JSON.parse(text);
    return frame.method === method && frame.params !== undefined ? [frame.params] : [];
  });
}

export function batchesIn(texts: readonly string[]): readonly Batch[] {
  return notificationsIn(texts, 'stream.batch');
}
