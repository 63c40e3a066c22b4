/**
 * A message that the app began behind its reply and did not end. The library takes the reply then and says nothing of the rest; its reader of
 * messages knows, and only the innermost of the calls within each other has that. No public member or interceptor says it: those see whole
 * messages alone. `test/adapters/grpc-answers.test.ts` fails where a release of the library keeps this state elsewhere.
 */

/** Calls within each other, as the library's declarations do not show them: one of each kind, which names the next by its own word. */
interface LibraryCall {
  readonly nextCall?: LibraryCall;
  readonly call?: LibraryCall;
  readonly child?: LibraryCall | null;
  readonly underlyingCalls?: readonly { readonly call: LibraryCall }[];
  readonly decoder?: { readonly readState: number };
}

/** State of the reader between two messages. */
const BETWEEN = 0;

/** @param call that has ended, as the library's client gives it */
export function endedInMessage(call: object | undefined): boolean {
  let at: LibraryCall | null | undefined = call;
  while (at !== undefined && at !== null && at.decoder === undefined)
    at = at.nextCall ?? at.call ?? at.child ?? at.underlyingCalls?.at(-1)?.call;
  return (at?.decoder?.readState ?? BETWEEN) !== BETWEEN;
}
