/** Trace context of a request. */
import type { FastifyRequest } from 'fastify';

export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** `traceparent` and `tracestate` as they came; what they are worth is decided where the envelope is made. */
export function traceOf(request: FastifyRequest): TraceHeaders {
  const { traceparent, tracestate } = request.headers;
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  };
}
