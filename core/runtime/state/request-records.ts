/**
 * Records of requests, one for attempts that follow each other and send the same. A message of 100 kB may go to a thousand streams, and their
 * attempts would keep as many copies of its text.
 */
import type { Attempt } from '../../contract/message.ts';
import type { Codec } from '../../domain/codec.ts';
import { recordRequest } from './attempt-record.ts';

type Sent = Parameters<typeof recordRequest>[0];

/** Characters from which on a body is compared with the one before: a comparison takes far less than what it saves. */
const LARGE = 4 * 1024;

export class RequestRecords {
  /** The last record of a large request, as long as an attempt has it. */
  #last: WeakRef<Attempt['request']> | undefined;

  of(sent: Sent, codec: Codec): Attempt['request'] {
    const made = recordRequest(sent, codec);
    if (made.body.length < LARGE) return made;
    const last = this.#last?.deref();
    if (last !== undefined && isSame(last, made)) return last;
    this.#last = new WeakRef(made);
    return made;
  }
}

function isSame(one: Attempt['request'], other: Attempt['request']): boolean {
  if (one.method !== other.method || one.url !== other.url || !isSameBody(one, other)) return false;
  const names = Object.keys(one.headers);
  if (names.length !== Object.keys(other.headers).length) return false;
  return names.every((name) => one.headers[name] === other.headers[name]);
}

function isSameBody(one: Attempt['request'], other: Attempt['request']): boolean {
  const isForm = one.bodyBase64 === other.bodyBase64 && one.bodyTruncated === other.bodyTruncated;
  return isForm && one.body === other.body;
}
