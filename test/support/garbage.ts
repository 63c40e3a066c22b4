/** Collects garbage by hand, for tests about what is kept in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects three times.
 * @param settled resolves when what was begun before each time is over
 */
export async function collectGarbage(settled: () => Promise<unknown>): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this Node does not let garbage be collected by hand');
  for (let i = 0; i < 3; i += 1) {
    await settled();
    collect();
  }
}
