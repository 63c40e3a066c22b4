/** Number of events of the last minute, by second. */
const WINDOW_S = 60;
/** Number of seconds of a rate. */
const RATE_S = 5;

export class PerSecond {
  readonly #counts = Array.from({ length: WINDOW_S }, () => 0);
  #second = 0;

  add(nowMs: number, n = 1): void {
    this.#turn(nowMs);
    const at = this.#second % WINDOW_S;
    this.#counts[at] = (this.#counts[at] ?? 0) + n;
  }

  /** Events per second: the mean of the last 5 full seconds. All displayed rates use it, so that they agree. */
  rate(nowMs: number): number {
    this.#turn(nowMs);
    let sum = 0;
    for (let back = 1; back <= RATE_S; back += 1)
      sum += this.#counts[(this.#second - back + WINDOW_S) % WINDOW_S] ?? 0;
    return Math.round((sum / RATE_S) * 100) / 100;
  }

  /** Counts of the last 60 seconds, oldest first. */
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
