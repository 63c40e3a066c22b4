/** Counts request bodies in memory that are not messages yet: they are being received, wait for their turn, or are being published. */
import { sizeLimit } from '../contract/size-text.ts';

/** Counter for the bodies that an edge receives. */
export interface BodyCount {
  /**
   * Counts received bytes.
   * @returns reason why they are refused, and then they are not counted
   */
  take(bytes: number): string | undefined;
  /** Releases the room of a body that is no longer in memory. */
  free(bytes: number): void;
}

/** A counter for servers whose bodies are not counted. */
export const UNCOUNTED: BodyCount = { take: () => undefined, free: () => undefined };

export class RequestBodies implements BodyCount {
  readonly #most: number;
  #bytes = 0;

  /** @param most maximum number of bytes of all requests of all apps */
  constructor(most: number) {
    this.#most = most;
  }

  take(bytes: number): string | undefined {
    if (this.#bytes + bytes > this.#most)
      return `the limit of ${sizeLimit(this.#most)} for the bodies of requests that wait (a part of the heap, see node --max-old-space-size) is reached`;
    this.#bytes += bytes;
    return undefined;
  }

  free(bytes: number): void {
    this.#bytes -= bytes;
  }
}
