// npm run screenshots: takes the pictures of docs/screens again from the built product.
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { runTool } from './tools.ts';

await ensureBrowser();
await buildProduct();
const args = ['test', '--project', 'screenshots', ...process.argv.slice(2)];
const { code } = await runTool('@playwright/test/playwright', args, { env: { SIDELIGHT_SCREENSHOTS: '1' } });
process.exitCode = code;
