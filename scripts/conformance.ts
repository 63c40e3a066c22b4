// npm run conformance: the conformance suite against any sidecar, or against our own headless product when none is named.
import { parseArgs } from 'node:util';
import { buildProduct } from './build-product.ts';
import { runTool } from './tools.ts';

const USAGE = 'usage: npm run conformance [-- --base-url http://127.0.0.1:3500 --app-port 6001]';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { 'base-url': { type: 'string' }, 'app-port': { type: 'string' } },
  allowPositionals: true,
});
const baseUrl = values['base-url'];
const appPort = values['app-port'];
if (
  (baseUrl === undefined) !== (appPort === undefined) ||
  (baseUrl !== undefined && !URL.canParse(baseUrl))
) {
  process.stderr.write(`conformance: --base-url and --app-port belong together; ${USAGE}\n`);
  process.exitCode = 2;
} else {
  if (baseUrl === undefined) await buildProduct();
  const env = { SIDELIGHT_CONFORMANCE_BASE_URL: baseUrl, SIDELIGHT_CONFORMANCE_APP_PORT: appPort };
  const { code } = await runTool('vitest', ['run', '--project', 'conformance', ...positionals], {
    env,
    limitMs: 3_600_000,
  });
  process.exitCode = code;
}
