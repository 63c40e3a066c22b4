/**
 * Work for the end of a turn of the event loop, when everything that came in it was read: what several messages need leaves in one
 * write. Work that this work leads to follows in the same turn, because a further turn costs as much as the write that waits for it.
 */

/** Oldest first. */
const acts: (() => void)[] = [];
let isDue = false;
let isOver = false;

/** True inside a call that `atTurnEnd` makes: everything that came in this turn was read. */
export function isTurnOver(): boolean {
  return isOver;
}

/** Number of this turn of the event loop. */
export function turnNumber(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

/** Calls back at the end of this turn, in the order of asking, each time after the promises that the call before resolved have gone on. */
export function atTurnEnd(act: () => void): void {
  acts.push(act);
  if (isDue) return;
  isDue = true;
  setImmediate(next);
}

function next(): void {
  const act = acts.shift();
  isDue = act !== undefined;
  if (act === undefined) return;
  queueMicrotask(afterPromises);
  isOver = true;
  try {
    act();
  } finally {
    isOver = false;
  }
}

/** A tick that is asked for among promises comes after all of them. */
function afterPromises(): void {
  process.nextTick(next);
}
