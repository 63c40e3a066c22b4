/** The caller of a request, and its trace. */
import type { Metadata } from '@grpc/grpc-js';
import { traceparentOf } from '../domain/trace-binary.ts';
import type { GivenCaller } from '../runtime/publishing/callers.ts';
import type { Call } from './calls.ts';

/** Address, port and metadata of the caller, unchanged; binary metadata as base64. */
export function callerOf({ metadata, peer }: Call): GivenCaller {
  return { address: peer, headers: textsOf(metadata) };
}

/** All metadata, with their values as text. */
export function textsOf(metadata: Metadata): Record<string, string> {
  const texts: [string, string][] = Object.keys(metadata.getMap()).map((key) => [
    key,
    metadata
      .get(key)
      .map((value) => (typeof value === 'string' ? value : value.toString('base64')))
      .join(', '),
  ]);
  return Object.fromEntries(texts);
}

/** The trace of a call. The binary form takes precedence over the text. */
export function traceOf({ metadata }: Call): { readonly traceparent?: string; readonly tracestate?: string } {
  const [binary] = metadata.get('grpc-trace-bin');
  const [text] = metadata.get('traceparent');
  const [state] = metadata.get('tracestate');
  const fromBinary = Buffer.isBuffer(binary) ? traceparentOf(binary) : undefined;
  const traceparent = fromBinary ?? (typeof text === 'string' ? text : undefined);
  return {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(typeof state === 'string' ? { tracestate: state } : {}),
  };
}
