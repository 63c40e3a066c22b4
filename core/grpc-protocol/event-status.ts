/** Status of an event in an app's answer: three words, each with its number on the wire. */
import { Buffer } from 'node:buffer';
import { grpcCodeName } from '../contract/grpc.ts';
import { isStatusWord, STATUS_WORDS } from '../contract/status-words.ts';

/** A number without a word. */
const OTHER = STATUS_WORDS.length;

/** The word of a number; a number without a word is returned as it is. */
export function statusWord(status: number): string | number {
  return STATUS_WORDS[status] ?? status;
}

/** The answer to one event of a stream: a status word, in the form of an answer to a call. */
export function streamAnswer(status: number): {
  readonly kind: 'response';
  readonly protocol: 'grpc';
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
} {
  return {
    kind: 'response',
    protocol: 'grpc',
    status: 0,
    statusText: grpcCodeName(0),
    headers: {},
    body: Buffer.from(JSON.stringify({ status: statusWord(status) })),
  };
}

/**
 * The number of a word. No word is SUCCESS, as over HTTP; an unknown word gets a number without a meaning.
 */
export function statusNumber(word: unknown): number {
  if (word === undefined || word === null || word === '') return 0;
  return isStatusWord(word) ? STATUS_WORDS.indexOf(word) : OTHER;
}
