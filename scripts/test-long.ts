// npm run test:long: full counts, one file at a time, then every journey in every look. With files, only those.
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { JOURNEYS, runPlaywright, runTool } from './tools.ts';

/** Hours: the counts are full. */
const LIMIT_MS = 6 * 3_600_000;

const given = process.argv.slice(2);
/** A journey is a file or a folder of the browser's tests; everything else is Vitest's. */
const isJourney = (argument: string): boolean => /^test\/(?:e2e|electron)\b/.test(argument);
const options = given.filter((argument) => argument.startsWith('-'));
const journeys = given.filter((argument) => isJourney(argument));
const others = given.filter((argument) => !journeys.includes(argument) && !options.includes(argument));
const isAll = journeys.length === 0 && others.length === 0;

const codes: number[] = [];
if (isAll || others.length > 0) {
  const args = ['run', '--project', 'long', '--no-file-parallelism', ...others, ...options];
  codes.push((await runTool('vitest', args, { limitMs: LIMIT_MS })).code);
}
if (isAll || journeys.length > 0) {
  await ensureBrowser();
  await buildProduct();
  const args = [...JOURNEYS.map((name) => `--project=${name}`), ...journeys, ...options];
  const env = { SIDELIGHT_TESTS: 'long' };
  codes.push((await runPlaywright(args, { env, limitMs: LIMIT_MS })).code);
}
process.exitCode = codes.find((code) => code !== 0) ?? 0;
