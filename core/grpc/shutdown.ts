/** `Shutdown`: ends the sidecar. */
import { shutdownModeOf } from '../domain/shutdown-kind.ts';
import type { Empty } from '../grpc-protocol/messages.ts';
import type { Edge, UnaryMethod } from './calls.ts';

/** Time for the answer to be sent before the port closes. */
const ANSWER_FIRST_MS = 50;

export function shutdownCall({ protocol, profile, shutdown }: Edge): UnaryMethod<Empty, Empty> {
  return {
    name: 'Shutdown',
    request: protocol.empty,
    response: protocol.empty,
    act: (_request, { metadata }) => {
      const [value] = metadata.get(`${profile.brandWord}-force-shutdown`);
      setTimeout(() => shutdown(shutdownModeOf(value)), ANSWER_FIRST_MS);
      return {};
    },
  };
}
