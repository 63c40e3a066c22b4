/** A request that waits for its answer, from its head to the end of that answer. */
import { Gathered } from './body-room.ts';
import type { BodyRoom } from './body-room.ts';
import type { Exchange } from './exchange.ts';
import type { ResponseHead } from './head.ts';
import type { Pieces } from '../domain/pieces.ts';

export interface PendingRequest {
  readonly method: string;
  /** The client expects the connection to end behind the answer. */
  readonly isLast: boolean;
  /** The request went on before it was read: nothing can stop it, or its answer. */
  readonly forwardedUnread: boolean;
  readonly exchange: Exchange;
  readonly request: Gathered;
  readonly response: Gathered;
  /** Bytes of the request while it is held back. */
  held: Pieces<Buffer> | undefined;
  /** The request is complete and went to the server. */
  wasSent: boolean;
  /** Where the request ends cannot be found, so it never counts as complete. */
  isUnreadable: boolean;
  /**
   * The client of a held request may wait for `100 Continue`. `asked`: the tap sends it once the answers to earlier requests have passed.
   * `told`: the tap has sent it, so the server's own one is not passed on.
   */
  toContinue: 'asked' | 'told' | undefined;
  answer: ResponseHead | undefined;
  /** The answer, if it was complete before the request was. `told`: it is reported already; else `response` keeps the room of its body. */
  early: EarlyAnswer | 'told' | undefined;
  /** The tap's own answer, sent once the answers to earlier requests have passed. */
  own: OwnAnswer | undefined;
}

/** An answer to a request that is not complete yet. */
interface EarlyAnswer {
  readonly head: ResponseHead;
  /** Undefined: it was too large to be read. */
  readonly body: Buffer | undefined;
}

/** An answer that the tap gives. */
interface OwnAnswer {
  readonly bytes: Buffer;
  /** The connection ends behind it. */
  readonly thenEnd: boolean;
}

export function pendingRequest(
  method: string,
  how: Pick<PendingRequest, 'exchange' | 'held' | 'forwardedUnread' | 'isLast'>,
  room: BodyRoom,
): PendingRequest {
  return {
    method,
    isLast: how.isLast,
    forwardedUnread: how.forwardedUnread,
    exchange: how.exchange,
    request: new Gathered(room),
    response: new Gathered(room),
    held: how.held,
    wasSent: false,
    isUnreadable: false,
    toContinue: undefined,
    answer: undefined,
    early: undefined,
    own: undefined,
  };
}

/** A request to which the tap alone gives an answer. */
export function answeredHere(method: string, own: OwnAnswer, room: BodyRoom): PendingRequest {
  return {
    ...pendingRequest(
      method,
      { exchange: NOBODY, held: undefined, forwardedUnread: false, isLast: own.thenEnd },
      room,
    ),
    own,
  };
}

/** Frees the room of its bodies. */
export function closeBodies({ request, response }: PendingRequest): void {
  request.close();
  response.close();
}

const NOBODY: Exchange = {
  stopsRequest: false,
  stopsResponse: false,
  readsRequest: false,
  readsResponse: false,
  requested: () => undefined,
  responded: () => undefined,
  lost: () => undefined,
};
