/** The call shared by all attempts of one batch, stored once. */
import { isDeepStrictEqual } from 'node:util';

import type { Attempt } from '../../contract/message.ts';

export interface BatchCall {
  readonly request: Attempt['request'];
  readonly response?: Attempt['response'] | undefined;
}

/** An attempt that another delivery may share its call with; they have the same `attemptId` then. */
export function isOfBatch(attempt: Attempt): boolean {
  return attempt.bulk !== undefined;
}

/** Attempts of one start share the objects themselves; those of a recording only look the same. */
export function isSameCall(a: BatchCall, b: BatchCall): boolean {
  if (a.request === b.request && a.response === b.response) return true;
  return isDeepStrictEqual(a.request, b.request) && isDeepStrictEqual(a.response, b.response);
}
