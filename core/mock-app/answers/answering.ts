/** Input of an answer kind, and its delay. */
import type { Answer } from '../../contract/mock-app.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { Random } from '../../ports/random.ts';
import type { PendingRequests } from '../pending-requests.ts';
import type { Incoming } from '../incoming.ts';
import type { Reply } from '../reply.ts';

export interface AnswerPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly pending: PendingRequests;
  readonly ids: IdSource;
  /** Returns the next number of `{{counter}}`. */
  readonly counter: () => number;
}

/** One request with its answer of kind `K`. */
export interface Answering<K extends Answer['kind']> {
  readonly answer: Extract<Answer, { kind: K }>;
  readonly incoming: Incoming;
  readonly reply: Reply;
  readonly ports: AnswerPorts;
}

/** Runs `act` after the answer's delay, or never if the caller disconnects first. */
export function afterDelay(
  delayMs: number | readonly [number, number] | undefined,
  { reply, ports }: { readonly reply: Reply; readonly ports: AnswerPorts },
  act: () => void,
): void {
  const ms = typeof delayMs === 'object' ? between(delayMs, ports.random) : (delayMs ?? 0);
  if (ms <= 0) act();
  else reply.onClosed(ports.clock.at(ports.clock.now() + ms, act));
}

function between([from, to]: readonly [number, number], random: Random): number {
  return from + random.next() * (to - from);
}
