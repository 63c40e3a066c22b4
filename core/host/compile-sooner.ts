/**
 * How soon V8's best compiler takes on what each message calls. By default it waits for 3,000 calls, which one app that publishes by
 * itself needs minutes for; until then most of the program runs in the form of a quicker compiler.
 */
import { setFlagsFromString } from 'node:v8';

const CALLS = 800;
/** V8 writes a line to stderr about a flag that it does not know, so only versions with which this was measured get it. */
const MEASURED = /^13\./;

/** For the whole process, from the next calls on. */
export function compileSooner(
  v8 = process.versions.v8,
  set: (flag: string) => void = setFlagsFromString,
): void {
  if (MEASURED.test(v8)) set(`--invocation-count-for-turbofan=${CALLS}`);
}
