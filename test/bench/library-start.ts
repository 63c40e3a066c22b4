/**
 * How long `startSidelight` takes until its promise resolves, with the product as it was built: node scripts/run.mjs
 * test/bench/library-start.ts
 * On a busy machine the clock says how busy it is; processor time, which Linux tells, says what a start costs.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startSidelight } from '../../core/testing/library.ts';
import { ROOT } from '../../scripts/tools.ts';
import { median } from './stats.ts';

const STARTS = 15;
/** Clock tick of Linux: a hundredth of a second. */
const TICK_MS = 10;

const built = pathToFileURL(path.join(ROOT, 'dist', 'program', 'host', 'library.js')).href;
const library = (await import(built)) as { readonly startSidelight: typeof startSidelight };
const durations: number[] = [];
const costs: number[] = [];
for (let n = 0; n < STARTS; n += 1) {
  const from = performance.now();
  const sidelight = await library.startSidelight();
  durations.push(performance.now() - from);
  costs.push(processorTimeOfChildren());
  await sidelight.stop();
}
print('on the clock', durations);
if (costs.every((ms) => ms > 0)) print('processor time', costs);

/** Milliseconds that the instances of this process have computed; 0 where the system does not tell. */
function processorTimeOfChildren(): number {
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  if (!existsSync(children)) return 0;
  const pids = readFileSync(children, 'utf8').split(' ').filter(Boolean);
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

function print(what: string, values: readonly number[]): void {
  console.log(`${what}: ${values.map((ms) => Math.round(ms)).join(' ')} ms`);
  console.log(`${what}: median ${Math.round(median(values))}, least ${Math.round(Math.min(...values))} ms`);
}
