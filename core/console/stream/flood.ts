/** Tells whether events come so fast that the ring is overwritten within a second: then no client that was away can resume from it anyway. */
import { STREAM } from '../../contract/stream-bounds.ts';

const INTERVAL_MS = 1_000;

export class Flood {
  #isOn = false;
  /** Time of the last look in ms, and the number of the last event then. */
  #fromMs = 0;
  #from = 0;

  /** @param sequence number of the last event */
  isOn(nowMs: number, sequence: number): boolean {
    const tookMs = nowMs - this.#fromMs;
    if (tookMs < INTERVAL_MS) return this.#isOn;
    this.#isOn = ((sequence - this.#from) * INTERVAL_MS) / tookMs >= STREAM.ringEvents;
    this.#fromMs = nowMs;
    this.#from = sequence;
    return this.#isOn;
  }
}
