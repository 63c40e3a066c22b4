/** Trace context of a request. */
import type { IncomingHttpHeaders } from 'node:http';

export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** `traceparent` and `tracestate`, unchanged; the envelope's rules decide whether they are valid. */
export function traceOf({ headers }: { readonly headers: Readonly<IncomingHttpHeaders> }): TraceHeaders {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  };
}
