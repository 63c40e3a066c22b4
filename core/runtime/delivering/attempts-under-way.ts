/** Running attempts, and waits for their end. */
import type { LiveDelivery } from '../state/live.ts';

/** Callbacks for the end of one attempt: nearly always none. */
interface Waiting {
  readonly go: (() => void)[];
}

/** Running attempts by delivery. */
export class AttemptsUnderWay {
  readonly #attempts = new Map<LiveDelivery, Waiting>();

  /** @returns function to call when the attempt has had its effect */
  begin(batch: readonly LiveDelivery[]): () => void {
    const waiting: Waiting = { go: [] };
    for (const d of batch) this.#attempts.set(d, waiting);
    return () => {
      for (const d of batch) if (this.#attempts.get(d) === waiting) this.#attempts.delete(d);
      for (const go of waiting.go) go();
    };
  }

  over(d: LiveDelivery): Promise<void> {
    const waiting = this.#attempts.get(d);
    return waiting === undefined ? Promise.resolve() : new Promise((go) => void waiting.go.push(go));
  }
}
