// How long `startSidelight` takes until its promise resolves, with the product as it was built: node scripts/run.mjs test/bench/library-start.ts
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startSidelight } from '../../core/testing/library.ts';
import { ROOT } from '../../scripts/tools.ts';
import { median } from './stats.ts';

const STARTS = 15;

const built = pathToFileURL(path.join(ROOT, 'dist', 'core', 'testing', 'library.js')).href;
const library = (await import(built)) as { readonly startSidelight: typeof startSidelight };
const durations: number[] = [];
for (let n = 0; n < STARTS; n += 1) {
  const from = performance.now();
  const sidelight = await library.startSidelight();
  durations.push(performance.now() - from);
  await sidelight.stop();
}
console.log(durations.map((ms) => Math.round(ms)).join(' '));
console.log(`median ${Math.round(median(durations))} ms of ${STARTS} starts`);
