/** A count of the journal whose answer is held, so that something can happen meanwhile. */
import { vi } from 'vitest';
import type { Stand } from './runtime-stand.ts';

/** Holds the next answer of the journal to a count, as it is when the journal is asked; the function lets it go. */
export function heldCount({ journal }: Stand): () => void {
  let goOn = (): void => undefined;
  const held = new Promise<void>((go) => (goOn = go));
  const real = journal.test.bind(journal);
  vi.spyOn(journal, 'test').mockImplementationOnce(async (...asked) => {
    const found = await real(...asked);
    await held;
    return found;
  });
  return goOn;
}
