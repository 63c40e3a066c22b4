// npm run test:e2e: runs the browser journeys, after building the product and finding a browser that starts.
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { JOURNEYS, runPlaywright } from './tools.ts';

await ensureBrowser();
await buildProduct();
// A file that npm test leaves out is walked where it is named, as npm run test:long walks it.
if (process.argv.some((argument) => argument.includes('.long.spec')))
  process.env['SIDELIGHT_TESTS'] ??= 'long';
const projects = JOURNEYS.map((name) => `--project=${name}`);
const { code } = await runPlaywright([...projects, ...process.argv.slice(2)], { limitMs: 3_600_000 });
process.exitCode = code;
