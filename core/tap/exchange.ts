/** Interface of a tap side: how it observes, holds or answers one HTTP/1 request. */
import type { RequestHead, ResponseHead } from './head.ts';

/** Decision about a held request. */
export type RequestDecision =
  | { readonly kind: 'pass' }
  /** These bytes go to the server in place of the request. */
  | { readonly kind: 'send'; readonly bytes: Buffer }
  /** These bytes are the answer: nothing is sent to the app. */
  | { readonly kind: 'answer'; readonly bytes: Buffer }
  /** The connection is cut, as if no program listened. */
  | { readonly kind: 'cut' };

/**
 * Why the client gets no answer. `before`: the server never had the whole request. `after`: the answer was being held at the time. `both`:
 * the client ended its sending, and then the server its own; whether the client still waited cannot be seen.
 */
export interface NoReply {
  readonly by: 'client' | 'server' | 'before' | 'after' | 'both';
  readonly code: 'refused' | 'reset';
  readonly message: string;
  /** The answer that had begun: its head has gone on to the client, and its body as far as it came. */
  readonly begun?: BegunAnswer;
}

export interface BegunAnswer {
  readonly head: ResponseHead;
  /** Undefined: it is too large to be read, or no part needs it. */
  readonly body: Buffer | undefined;
}

export interface Exchange {
  /** The request is gathered whole and waits for what `requested` says. */
  readonly stopsRequest: boolean;
  /** The answer is gathered whole and waits for what `responded` says. */
  readonly stopsResponse: boolean;
  readonly readsRequest: boolean;
  readonly readsResponse: boolean;
  /**
   * Called when the request is complete.
   * @param body undefined: it is too large to be read, or no part needs it
   * @returns decision; only if the side stops requests
   */
  requested(body: Buffer | undefined): Promise<RequestDecision> | undefined;
  /** Called instead when the end of the request cannot be found, so that nothing of it is read. */
  unreadable?(): void;
  /**
   * Called when the answer is complete.
   * @returns bytes instead of the answer; undefined: it passes unchanged. Only if the side stops answers
   */
  responded(head: ResponseHead, body: Buffer | undefined): Promise<Buffer | undefined> | undefined;
  /** Reports that there will be no answer. */
  lost(why: NoReply): void;
}

/** One side of the tap. */
export interface Side {
  /**
   * Called with each request's head, in their order.
   * @param mayStop false: its bytes have gone on already
   */
  begin(head: RequestHead, from: string, mayStop: boolean): Exchange;
  /** True: nothing can hold requests from this address now, so their bytes may go on before they are read. */
  letsPass(from: string): boolean;
  /** A request that is refused, and the reason in a sentence. */
  refused(head: RequestHead, reason: string): void;
  /** The server could not be reached. */
  unreachable(reason: string): void;
}
