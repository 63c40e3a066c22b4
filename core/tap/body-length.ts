/** How long the body of a message is, as its head says. */
import type { BodyLength } from './framing.ts';
import { isChunked, lengthOf } from './head.ts';
import type { RequestHead, ResponseHead } from './head.ts';

export function requestBodyLength(head: RequestHead): BodyLength {
  const chunked = isChunked(head);
  if (chunked !== undefined) return { kind: chunked ? 'chunked' : 'opaque' };
  const bytes = lengthOf(head);
  if (bytes === 'wrong') return { kind: 'opaque' };
  return bytes === undefined ? { kind: 'none' } : { kind: 'length', bytes };
}

/** @param method of its request */
export function responseBodyLength(head: ResponseHead, method: string): BodyLength {
  if (method === 'HEAD' || hasNoBody(head)) return { kind: 'none' };
  const chunked = isChunked(head);
  if (chunked !== undefined) return { kind: chunked ? 'chunked' : 'to-end' };
  const bytes = lengthOf(head);
  if (bytes === 'wrong') return { kind: 'opaque' };
  return bytes === undefined ? { kind: 'to-end' } : { kind: 'length', bytes };
}

/** Bytes of the body of a whole answer to a POST or PUT; undefined: its head does not say. */
export function lengthOfWhole(head: ResponseHead): number | undefined {
  const bytes = hasNoBody(head) ? 0 : lengthOf(head);
  return bytes === 'wrong' ? undefined : bytes;
}

function hasNoBody({ status }: ResponseHead): boolean {
  return status === 204 || status === 304;
}
