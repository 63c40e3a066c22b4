/**
 * Long acts of the console in pieces: other work goes on between two of them. They have turns apart from those of searches and streams, because
 * a request with little to do must not wait behind those: the requests of a client run in their order.
 */
import { FairTurns } from '../domain/fair-turns.ts';

const turns = new FairTurns(
  (run) => void setImmediate(run),
  () => performance.now(),
);

/** Notes that the first piece of an act begins, now. */
export function beginPiece(): void {
  turns.begin();
}

/** Resolves when the next piece may begin; undefined: now, because the one before was short and no other act waits. */
export function nextPiece(): Promise<void> | undefined {
  return turns.room();
}
