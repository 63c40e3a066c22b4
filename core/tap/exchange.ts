/** What a side of the tap makes of one request and its answer, while the bytes pass. */
import type { RequestHead, ResponseHead } from './head.ts';

/** How a request that waited goes on. */
export type Going =
  | { readonly kind: 'pass' }
  /** In place of the request. */
  | { readonly kind: 'send'; readonly bytes: Buffer }
  /** In place of the app's answer: nothing is sent on. */
  | { readonly kind: 'answer'; readonly bytes: Buffer }
  /** The connection is cut, as if nobody listened. */
  | { readonly kind: 'cut' };

/** Why there is no answer. `before`: the server never had the request whole. `after`: it was there, and was held when the client left. */
export interface NoReply {
  readonly by: 'client' | 'server' | 'before' | 'after';
  readonly code: 'refused' | 'reset';
  readonly message: string;
}

export interface Exchange {
  /** The request is gathered whole and waits for what `requested` says. */
  readonly stopsRequest: boolean;
  /** The answer is gathered whole and waits for what `responded` says. */
  readonly stopsResponse: boolean;
  readonly readsRequest: boolean;
  readonly readsResponse: boolean;
  /**
   * The request is complete.
   * @param body undefined: it is too large to be read, or nobody asked for it
   * @returns only where it stops requests
   */
  requested(body: Buffer | undefined): Promise<Going> | undefined;
  /** The answer is complete. @returns bytes in place of the answer; undefined: it goes on as it came. Only where it stops answers */
  responded(head: ResponseHead, body: Buffer | undefined): Promise<Buffer | undefined> | undefined;
  /** There will be no answer. */
  lost(why: NoReply): void;
}

/** One side of the tap. */
export interface Side {
  /**
   * Called with each request's head, in their order.
   * @param mayStop false: its bytes have gone on already
   */
  begin(head: RequestHead, from: string, mayStop: boolean): Exchange;
  /** True: nothing stops what comes from there now, and nobody waits until it is read. */
  letsPass(from: string): boolean;
  /** A request that is refused, and the reason in a sentence. */
  refused(head: RequestHead, reason: string): void;
  /** The server could not be reached. */
  unreachable(reason: string): void;
}
