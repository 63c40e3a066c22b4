/** Events of the last minute, second by second. */
const WINDOW_S = 60;

export class PerSecond {
  readonly #counts = Array.from({ length: WINDOW_S }, () => 0);
  #second = 0;

  add(nowMs: number, n = 1): void {
    this.#turn(nowMs);
    const at = this.#second % WINDOW_S;
    this.#counts[at] = (this.#counts[at] ?? 0) + n;
  }

  /** Events in the last full second. */
  last(nowMs: number): number {
    this.#turn(nowMs);
    return this.#counts[(this.#second - 1 + WINDOW_S) % WINDOW_S] ?? 0;
  }

  /** Mean over the window, per second. */
  mean(nowMs: number): number {
    this.#turn(nowMs);
    const sum = this.#counts.reduce((a, b) => a + b, 0);
    return Math.round((sum / WINDOW_S) * 100) / 100;
  }

  /** Each of the last 60 seconds, oldest first. */
  all(nowMs: number): number[] {
    this.#turn(nowMs);
    return this.#counts.map((_, i) => this.#counts[(this.#second + 1 + i) % WINDOW_S] ?? 0);
  }

  #turn(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second <= this.#second) return;
    const steps = Math.min(WINDOW_S, second - this.#second);
    for (let i = 1; i <= steps; i += 1) this.#counts[(this.#second + i) % WINDOW_S] = 0;
    if (steps === WINDOW_S) this.#counts.fill(0);
    this.#second = second;
  }
}
