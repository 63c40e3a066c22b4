// Messages between a worker of the journeys and the process that runs its products.
import type { ReadyLine } from '../product.ts';

export type ToProcess =
  /** Starts a product with these arguments; only when none runs. */
  { readonly kind: 'start'; readonly argv: readonly string[] } | { readonly kind: 'stop' };

export type FromProcess =
  /** The program is loaded. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready'; readonly ready: ReadyLine }
  /** The start or the stop did not succeed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The product has ended. `left`: what it did not close, in Node's names; none is right. */
  | { readonly kind: 'stopped'; readonly left: readonly string[] };

/** Begins the line of stderr after which the log of the next product follows. */
export const LOG_MARK = '\u0000product\u0000\n';
