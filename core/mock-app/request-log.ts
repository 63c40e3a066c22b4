/** The newest requests that the mock app received. */
import type { MockRequest } from '../contract/mock-app.ts';

export const REQUESTS_KEPT = 1_000;

/** What may become known of a request after it came in. */
export type LaterFacts = Partial<Omit<MockRequest, 'at' | 'method' | 'path'>>;

/** Fills in what became known; does nothing that shows once the line was pushed out. */
export type AddFacts = (facts: LaterFacts) => void;

/** Lines of requests, newest last. */
export class RequestLog {
  #lines: MockRequest[] = [];

  /** Lines ever opened, or since `count` was set to 0. */
  count = 0;

  open(line: MockRequest): AddFacts {
    this.count += 1;
    const kept = { ...line };
    this.#lines.push(kept);
    // Cut in larger pieces: dropping one line at a time would move all others with every request.
    if (this.#lines.length >= 2 * REQUESTS_KEPT) this.#lines = this.#lines.slice(-REQUESTS_KEPT);
    return (facts) => void Object.assign(kept, facts);
  }

  lines(): readonly MockRequest[] {
    return this.#lines.slice(-REQUESTS_KEPT).map((line) => ({ ...line }));
  }
}
