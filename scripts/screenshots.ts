// npm run screenshots: takes the pictures of docs/screens again from the built product.
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { runPlaywright } from './tools.ts';

await ensureBrowser();
await buildProduct();
const args = ['--project=screenshots', ...process.argv.slice(2)];
const { code } = await runPlaywright(args, { env: { SIDELIGHT_SCREENSHOTS: '1' } });
process.exitCode = code;
