/**
 * What the library knows of an answer and does not say: a message that the app began and did not end, the byte before a message that says
 * how it is packed, the status of gRPC as the app wrote it, and the HTTP status beside it. Only the innermost of the calls within each other
 * has that. No public member or interceptor says it: those see whole messages alone. `test/adapters/grpc-answers.test.ts` fails where a
 * release of the library keeps this state elsewhere.
 */

import type { ClientHttp2Stream } from 'node:http2';

/** Calls within each other, as the library's declarations do not show them: one of each kind, which names the next by its own word. */
interface LibraryCall {
  readonly nextCall?: LibraryCall;
  readonly call?: LibraryCall;
  readonly child?: LibraryCall | null;
  readonly underlyingCalls?: readonly { readonly call: LibraryCall }[];
  readonly decoder?: { readonly readState: number; readonly readCompressFlag: Buffer };
  readonly http2Stream?: ClientHttp2Stream;
  readonly httpStatusCode?: number;
}

/** State of the reader between two messages. */
const BETWEEN = 0;

/** @param call that has ended, as the library's client gives it */
export function endedInMessage(call: object | undefined): boolean {
  return (innermost(call)?.decoder?.readState ?? BETWEEN) !== BETWEEN;
}

/** Byte before the last message of the app: 0 for a plain one, 1 for a compressed one. The library takes every other value for 0. */
export function flagOf(call: object | undefined): number {
  return innermost(call)?.decoder?.readCompressFlag[0] ?? 0;
}

/**
 * Tells the status of gRPC as the app writes it behind its reply. The library makes a number of it and then has 0 for an empty text.
 * @param call whose headers have just come, because its trailers are told once
 */
export function whenStatusCame(call: object | undefined, told: (text: string) => void): void {
  innermost(call)?.http2Stream?.once('trailers', (trailers) => {
    const text = trailers['grpc-status'];
    if (typeof text === 'string') told(text);
  });
}

/** HTTP status of the answer, which the library does not give where the app sent a status of gRPC too; undefined: none came. */
export function httpStatusOf(call: object | undefined): number | undefined {
  return innermost(call)?.httpStatusCode;
}

function innermost(call: object | undefined): LibraryCall | null | undefined {
  let at: LibraryCall | null | undefined = call;
  while (at !== undefined && at !== null && at.decoder === undefined)
    at = at.nextCall ?? at.call ?? at.child ?? at.underlyingCalls?.at(-1)?.call;
  return at;
}
