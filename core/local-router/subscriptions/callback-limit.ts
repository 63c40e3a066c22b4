/** Limits how often the validation URL of one event subscription can be called. */
import { WireError } from '../rules/wire-error.ts';

const PER_MINUTE = 10;
const MAX_KEPT = 10_000;

export class CallbackLimit {
  readonly #calls = new Map<string, readonly number[]>();

  /**
   * Counts a call.
   * @throws WireError 429 at the eleventh call within a minute
   */
  count(key: string, nowMs: number): void {
    const recent = (this.#calls.get(key) ?? []).filter((at) => nowMs - at < 60_000);
    if (recent.length >= PER_MINUTE) {
      throw new WireError(429, 'TooManyRequests', 'The validation URL was called too often.', {
        headers: { 'retry-after': '60' },
      });
    }
    if (this.#calls.size > MAX_KEPT) this.#calls.clear();
    this.#calls.set(key, [...recent, nowMs]);
  }
}
