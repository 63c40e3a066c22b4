/** Calls that are made one after another: which were done, which were refused, and which were not sent. */
import type { RpcFailure } from '../client/rpc-client.ts';
import { asFailure } from './resource.ts';

export interface Outcome<I, T> {
  readonly done: readonly T[];
  /** Refusals of the host; the calls after them were made. */
  readonly refused: readonly RpcFailure[];
  /** The call without an answer, and what was not sent after it; undefined: every call was answered. */
  readonly broken: { readonly failure: RpcFailure; readonly notSent: readonly I[] } | undefined;
}

/** Codes of a call that nobody has answered, after which no further one is made. */
const UNANSWERED: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'NO_ANSWER']);

/** Does `work` with each item; a refusal does not stop the others, a lost connection does. Never rejects. */
export async function inTurn<I, T>(
  items: readonly I[],
  work: (item: I) => Promise<T>,
): Promise<Outcome<I, T>> {
  const done: T[] = [];
  const refused: RpcFailure[] = [];
  for (const [at, item] of items.entries()) {
    try {
      done.push(await work(item));
    } catch (reason) {
      const failure = asFailure(reason);
      if (UNANSWERED.has(failure.code))
        return { done, refused, broken: { failure, notSent: items.slice(at + 1) } };
      refused.push(failure);
    }
  }
  return { done, refused, broken: undefined };
}
