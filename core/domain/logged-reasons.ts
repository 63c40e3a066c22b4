/** Reasons why something fails that is tried again and again: each is logged once, until it succeeds. */
export class LoggedReasons {
  readonly #reasons = new Set<string>();

  /** Whether the reason is to be logged now. */
  isNew(reason: string): boolean {
    if (this.#reasons.has(reason)) return false;
    this.#reasons.add(reason);
    return true;
  }

  /** Called when it has succeeded. */
  over(): void {
    this.#reasons.clear();
  }
}
