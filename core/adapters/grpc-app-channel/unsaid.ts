/**
 * What the library knows of an answer and does not say: a message that the app began behind its reply and did not end, and the HTTP status
 * beside a code of gRPC. Only the innermost of the calls within each other has that. No public member or interceptor says it: those see whole
 * messages alone. `test/adapters/grpc-answers.test.ts` fails where a release of the library keeps this state elsewhere.
 */

/** Calls within each other, as the library's declarations do not show them: one of each kind, which names the next by its own word. */
interface LibraryCall {
  readonly nextCall?: LibraryCall;
  readonly call?: LibraryCall;
  readonly child?: LibraryCall | null;
  readonly underlyingCalls?: readonly { readonly call: LibraryCall }[];
  readonly decoder?: { readonly readState: number };
  readonly httpStatusCode?: number;
}

/** State of the reader between two messages. */
const BETWEEN = 0;

/** @param call that has ended, as the library's client gives it */
export function endedInMessage(call: object | undefined): boolean {
  return (innermost(call)?.decoder?.readState ?? BETWEEN) !== BETWEEN;
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
