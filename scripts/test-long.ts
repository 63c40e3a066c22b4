// npm run test:long: runs the long tests, one file at a time, then every unit test with the full counts and every
// journey in every look. With files only those; -t NAME: only tests with that name.
import path from 'node:path';
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { longRunOf } from './long-arguments.ts';
import { JOURNEYS, PROGRAM, ROOT, runPlaywright, runTool } from './tools.ts';

/** Longest run: hours, because the counts are full. */
const LIMIT_MS = 6 * 3_600_000;

const { isAll, journeys, files, vitest, playwright } = longRunOf(process.argv.slice(2));

process.env['NODE_COMPILE_CACHE'] ??= path.join(ROOT, '.cache', 'compile');

/** See test/e2e/extent.ts. */
const env = { SIDELIGHT_TESTS: 'long' };
const codes: number[] = [];
if (isAll || files.length > 0) {
  // Hundreds of products are started, and what is built starts with less than half of the work.
  await buildProduct();
  const projects = ['long', 'unit*'].flatMap((name) => ['--project', name]);
  const args = ['run', ...projects, '--no-file-parallelism', ...files, ...vitest];
  const built = { ...env, SIDELIGHT_PROGRAM: PROGRAM };
  codes.push((await runTool('vitest', args, { env: built, limitMs: LIMIT_MS })).code);
}
if (isAll || journeys.length > 0) {
  await ensureBrowser();
  await buildProduct();
  const args = [...JOURNEYS.map((name) => `--project=${name}`), ...journeys, ...playwright];
  codes.push((await runPlaywright(args, { env, limitMs: LIMIT_MS })).code);
}
process.exitCode = codes.find((code) => code !== 0) ?? 0;
