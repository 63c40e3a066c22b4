/** Room for the bodies of requests that says how much of it is taken. */
import { RequestBodies } from '../../core/domain/request-bodies.ts';

export class CountedBodies extends RequestBodies {
  /** Bytes that are taken now. */
  bytes = 0;
  /** Least number of bytes that were taken so far; below 0 where something was freed twice. */
  least = 0;

  override take(bytes: number): string | undefined {
    const refused = super.take(bytes);
    if (refused === undefined) this.bytes += bytes;
    return refused;
  }

  override free(bytes: number): void {
    this.bytes -= bytes;
    this.least = Math.min(this.least, this.bytes);
    super.free(bytes);
  }
}
