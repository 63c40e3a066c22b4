/** Collects the garbage of the calling thread and returns the emptied memory to the system. Takes some tens of milliseconds. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectGarbage(): void {
  // A context made with this flag has the function and is garbage afterwards; the program's own context
  // never has it.
  setFlagsFromString('--expose-gc');
  try {
    // "Last resort" also returns the emptied pages to the system; a plain collection keeps them for later.
    runInNewContext("gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })");
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
