/** The caller of a method: what the method may know about the connection of its request. */
import type { Method, Params, Result } from '../contract/console.ts';
import type { AnswerRoom, Peer } from '../contract/rpc.ts';
import type { Subscriber } from './stream/stream.ts';
import type { ViewSet } from './views/views.ts';

export interface Caller {
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
  /** Absent: a person at a page. */
  readonly by?: Peer;
  /** Subscriber of the connection; absent over HTTP, which cannot push. */
  readonly subscriber?: Subscriber;
  readonly views: ViewSet;
  /** Absent: the client takes every answer at once. */
  readonly room?: AnswerRoom | undefined;
  /** Called before each method runs, with its checked parameters. */
  readonly onCall?: (method: Method, params: object) => void;
  /** Runs `act` once the answer to this request, even a refusal, has been given to the carrier. */
  afterAnswer(act: () => void): void;
}

/** One function per method of the contract; leaving one out does not compile. */
export type MethodTable = {
  readonly [M in Method]: (params: Params<M>, caller: Caller) => Result<M> | Promise<Result<M>>;
};

/** One function for each of these declarations. */
export type MethodsOf<Declarations> = Pick<MethodTable, Extract<keyof Declarations, Method>>;
