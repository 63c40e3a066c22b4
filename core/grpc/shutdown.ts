/** `Shutdown`. */
import type { Empty } from '../grpc-protocol/messages.ts';
import type { Edge, UnaryMethod } from './calls.ts';

/** Long enough for the answer to leave before the port is closed. */
const ANSWER_FIRST_MS = 50;

export function shutdownCall({ protocol, shutdown }: Edge): UnaryMethod<Empty, Empty> {
  return {
    name: 'Shutdown',
    request: protocol.empty,
    response: protocol.empty,
    act: () => {
      setTimeout(shutdown, ANSWER_FIRST_MS);
      return {};
    },
  };
}
