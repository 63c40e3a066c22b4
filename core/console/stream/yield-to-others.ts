/** Lets other work run between two slices. All long work of the console shares the turns of the event loop, whoever asked for it. */
import { FairTurns } from '../../domain/fair-turns.ts';

const turns = new FairTurns(
  (run) => void setImmediate(run),
  () => performance.now(),
);

/** Resolves in a later turn, when the work that waited before has gone on. */
export function yieldToOthers(): Promise<void> {
  return turns.next();
}

/** Resolves when one of many short pieces of work may begin; undefined: this turn still has time for it. */
export function roomInTurn(): Promise<void> | undefined {
  return turns.room();
}
