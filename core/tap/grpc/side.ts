/** Interface of a tap side: how it observes, holds or answers one HTTP/2 stream. */
import type { NoReply } from '../exchange.ts';
import type { Piece } from './frames.ts';
import type { HeaderList } from './headers.ts';

export interface StreamHead {
  readonly path: string;
  readonly headers: HeaderList;
  /** Address and port of the client. */
  readonly from: string;
}

/** An answer that the tap itself gives. */
export interface OwnReply {
  readonly headers: HeaderList;
  readonly body: Buffer;
  readonly trailers: HeaderList;
}

/** The answer of the real side. */
export interface SeenReply {
  readonly headers: HeaderList;
  readonly trailers: HeaderList;
  /** Undefined: it is too large to be read, or no part needs it. */
  readonly body: Buffer | undefined;
}

/** Decision about a held request. */
export type CallDecision =
  | { readonly kind: 'pass' }
  /** The request is sent with another body. */
  | { readonly kind: 'send'; readonly body: Buffer }
  /** The call is answered here instead of by the app; nothing is sent on. */
  | { readonly kind: 'answer'; readonly reply: OwnReply }
  /** The stream is reset. */
  | { readonly kind: 'cut' };

/** A call with one request and one answer. */
export interface Call {
  readonly kind: 'call';
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
  requested(body: Buffer | undefined): Promise<CallDecision> | undefined;
  /**
   * Called when the answer is complete.
   * @returns reply instead of it; undefined: it passes unchanged. Only if the side stops answers
   */
  responded(reply: SeenReply): Promise<OwnReply | undefined> | undefined;
  /** Reports that there will be no answer. */
  lost(why: NoReply): void;
}

/** Receivers of a stream's messages. */
export interface StreamReceivers {
  toServer(raw: Buffer): void;
  toClient(raw: Buffer): void;
}

/** A call in which both sides send messages for as long as they like. Each message is passed to the ends once it may go on. */
export interface MessageStream {
  readonly kind: 'stream';
  open(ends: StreamReceivers): OpenMessageStream;
}

export interface OpenMessageStream {
  /** @returns once it has gone on, or never will; undefined: it has */
  fromClient(piece: Piece): Promise<void> | undefined;
  fromServer(piece: Piece): Promise<void> | undefined;
  /**
   * The stream is over.
   * @param reply absent: it was cut
   */
  closed(reply: SeenReply | undefined, why: NoReply): void;
}

/** One side of the tap over gRPC. */
export interface GrpcSide {
  begin(head: StreamHead): Call | MessageStream;
  /** The server could not be reached, or (undefined) a connection to it is open. */
  reached(reason: string | undefined): void;
  /** A connection to the server came back to this tap. */
  comesBack(): void;
}
