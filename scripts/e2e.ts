// npm run test:e2e: the browser journeys, with a browser that was seen starting and a product that is built.
import { buildProduct } from './build-product.ts';
import { ensureBrowser } from './ensure-browser.ts';
import { JOURNEYS, runTool } from './tools.ts';

await ensureBrowser();
await buildProduct();
const { code } = await runTool(
  '@playwright/test/playwright',
  ['test', ...JOURNEYS.map((name) => `--project=${name}`), ...process.argv.slice(2)],
  {
    limitMs: 3_600_000,
  },
);
process.exitCode = code;
