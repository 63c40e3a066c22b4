/**
 * Work for the end of a turn of the event loop, after everything that arrived in it was read, so that several messages share one write.
 * Work that this work starts follows in the same turn, because another turn costs as much as the write that waits for it.
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

/**
 * Calls back at the end of this turn, in the order of the calls. Before each callback, promises that the previous one resolved continue.
 */
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

/** A tick requested inside a promise runs after all pending promises. */
function afterPromises(): void {
  process.nextTick(next);
}
