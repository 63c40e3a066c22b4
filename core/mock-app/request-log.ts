/** The newest requests that the mock app received. */
import type { MockRequest } from '../contract/mock-app.ts';

export const REQUESTS_KEPT = 1_000;

/** Facts about a request that become known after it arrived. */
export type LaterFacts = Partial<Omit<MockRequest, 'at' | 'method' | 'path'>>;

/** Adds facts to a line; without effect once the line was dropped from the log. */
export type AddFacts = (facts: LaterFacts) => void;

/** Lines of requests, newest last. */
export class RequestLog {
  #lines: MockRequest[] = [];

  /** Number of lines so far, or since `count` was set to 0. */
  count = 0;

  open(line: MockRequest): AddFacts {
    this.count += 1;
    const kept = { ...line };
    this.#lines.push(kept);
    // Lines are dropped in larger pieces, because dropping one at a time would move all others at every
    // request.
    if (this.#lines.length >= 2 * REQUESTS_KEPT) this.#lines = this.#lines.slice(-REQUESTS_KEPT);
    return (facts) => void Object.assign(kept, facts);
  }

  lines(): readonly MockRequest[] {
    return this.#lines.slice(-REQUESTS_KEPT).map((line) => ({ ...line }));
  }
}
