/** `InvokeBinding`: the output side of a binding. */
import type { InvokeBindingRequest, InvokeBindingResponse } from '../grpc-protocol/messages.ts';
import { ownBytes } from '../grpc-protocol/messages.ts';
import { textsOf } from './caller.ts';
import type { Call, Edge, UnaryMethod } from './calls.ts';

export function invokeBinding({
  sidecar,
  protocol,
}: Edge): UnaryMethod<InvokeBindingRequest, InvokeBindingResponse> {
  return {
    name: 'InvokeBinding',
    request: protocol.invokeBindingRequest,
    response: protocol.invokeBindingResponse,
    act: async ({ name, operation, data, metadata }, call) => {
      const all = { ...metadata, ...ofCall(call) };
      const reply = await sidecar.invokeOperation(name, operation, ownBytes(data), all);
      return { data: ownBytes(reply?.data ?? ''), metadata: { ...reply?.metadata } };
    },
  };
}

/** Metadata of the call that reach the binding. Names that belong to gRPC get another prefix. */
function ofCall({ metadata }: Call): Record<string, string> {
  const entries = Object.entries(textsOf(metadata)).filter(([key]) => key !== 'content-type');
  return Object.fromEntries(
    entries.map(([key, value]) => [key.startsWith('grpc-') ? `dapr-${key}` : key, value]),
  );
}
