/** `npm run bench:ui`: the console in headless Chromium against the real host, each figure beside its target. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, release } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { buildProduct } from '../../../scripts/build-product.ts';
import { ensureBrowser } from '../../../scripts/ensure-browser.ts';
import { startProduct } from '../../e2e/product.ts';
import type { Figure } from './figures.ts';
import { linesOf, sizes } from './figures.ts';
import { Meter } from './meter.ts';
import { fill, filtering, following, ingest, jumping, memory, scrolling, starting } from './scenes.ts';

const USAGE = `Usage: npm run bench:ui -- [options]
  --quick        10 s of load, 20,000 rows
  --seconds N    length of the load (default 60)
  --rate N       messages a second (default 5000)
  --rows a,b     numbers of rows kept for scrolling and filtering (default 100000; the full run: 100000,1000000)
  --json FILE    where the figures are written (default .cache/bench-ui.json)`;

const ROOT = path.resolve(import.meta.dirname, '..', '..', '..');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rate: { type: 'string', default: '5000' },
    rows: { type: 'string' },
    json: { type: 'string', default: path.join(ROOT, '.cache', 'bench-ui.json') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(USAGE);
else await bench();

async function bench(): Promise<void> {
  const launch = await ensureBrowser();
  await buildProduct();
  const seconds = Number(values.seconds ?? (values.quick ? 10 : 60));
  const rate = Number(values.rate);
  const rows = (values.rows ?? (values.quick ? '20000' : '100000')).split(',').map(Number);
  const loadBefore = loadavg();
  const product = await startProduct({
    flags: ['--set', 'storage.maxMessages=1000000', '--set', 'delivery.backlog=1000000'],
  });
  const browser = await chromium.launch(launch);
  const figures: Figure[] = [];
  const tell = (more: readonly Figure[]): void => {
    figures.push(...more);
    for (const line of linesOf(more)) console.log(line);
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    const meter = await Meter.on(page);
    tell(await starting(page, product));
    tell(await ingest(page, meter, product, { rate, seconds }));
    tell(await following(page, meter, product, { rate, seconds: Math.min(20, seconds) }));
    for (const count of rows) {
      await fill(product, count);
      tell(await scrolling(page, count));
      tell(await jumping(page, count));
      tell(await filtering(page, count));
      tell(await memory(meter, count));
    }
    tell(sizes(ROOT));
  } finally {
    await browser.close();
    await product.stop();
  }
  const machine = {
    node: process.version,
    platform: `${process.platform} ${release()}`,
    cores: availableParallelism(),
    loadBefore,
    loadAfter: loadavg(),
  };
  await mkdir(path.dirname(values.json), { recursive: true });
  const report = { at: new Date().toISOString(), machine, options: { seconds, rate, rows }, figures };
  await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  const load = loadBefore.map((one) => one.toFixed(1)).join(' ');
  console.log(`\n${machine.cores} cores, load before ${load}. Written to ${values.json}`);
}
