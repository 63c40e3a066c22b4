/** `hang` and `reset`: rules that give no answer. */
import type { Answering } from './answering.ts';

/** Never answers; the connection stays open until the caller or the mock app closes it. */
export function hang({ reply }: Answering<'hang'>): void {
  reply.note('hangs');
}

/** Closes the connection at once, without an answer. */
export function reset({ reply }: Answering<'reset'>): void {
  reply.reset();
}
