/** `Shutdown`. */
import { forceShutdownHeader, isForce } from '../contract/profile.ts';
import type { Empty } from '../grpc-protocol/messages.ts';
import type { Edge, UnaryMethod } from './calls.ts';

/** Long enough for the answer to leave before the port is closed. */
const ANSWER_FIRST_MS = 50;

/** Whoever sends the profile's word for force does not want running deliveries to be waited for. */
export function shutdownCall({ protocol, profile, shutdown }: Edge): UnaryMethod<Empty, Empty> {
  return {
    name: 'Shutdown',
    request: protocol.empty,
    response: protocol.empty,
    act: (_request, { metadata }) => {
      const isForced = isForce(metadata.get(forceShutdownHeader(profile))[0]?.toString());
      setTimeout(() => shutdown(isForced), ANSWER_FIRST_MS);
      return {};
    },
  };
}
