/**
 * Work for the end of a turn of the event loop, after everything that arrived in it was read, so that several messages share one write.
 * Work that this work starts follows in the same turn, because another turn costs as much as the write that waits for it.
 */

/** Oldest first. */
const acts: (() => void)[] = [];
let isDue = false;

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
  act();
}

/** A tick requested inside a promise runs after all pending promises. */
function afterPromises(): void {
  process.nextTick(next);
}
