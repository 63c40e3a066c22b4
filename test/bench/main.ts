/** `npm run bench`: throughput and latency of the product beside a bare forwarder, in one run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, release } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './measure.ts';
import type { BenchOptions, Row } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Summary } from './stats.ts';

const USAGE = `Usage: npm run bench -- [options]
  --quick          one short round of everything
  --only a,b       only these rows: ${SCENARIOS.map((one) => one.id).join(', ')}
  --rounds N       rounds of each variant (default 3)
  --seconds N      length of a round (default 3)
  --json FILE      where the numbers are written (default .cache/bench.json)
  --entry FILE     script of the product (default core/host/cli.ts)`;

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string', default: path.join(ROOT, '.cache', 'bench.json') },
    entry: { type: 'string', default: path.join(ROOT, 'core', 'host', 'cli.ts') },
    help: { type: 'boolean', default: false },
  },
});

const HEAD = [
  'row'.padEnd(38),
  'variant'.padEnd(10),
  'msg/s'.padStart(8),
  'low..high'.padStart(15),
  'p50 ms'.padStart(8),
  'p99 ms'.padStart(8),
  'cpu us'.padStart(7),
  'ratio'.padStart(6),
];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
if (values.help) console.log(USAGE);
else await bench();

async function bench(): Promise<void> {
  const options: BenchOptions = {
    rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
    seconds: Number(values.seconds ?? (values.quick ? 1 : 3)),
    mostMessages: values.quick ? 10_000 : 50_000,
    entry: path.resolve(values.entry),
  };
  const wanted = values.only?.split(',');
  const rows: Row[] = [];
  console.log(HEAD.join(' '));
  for (const scenario of SCENARIOS) {
    if (wanted !== undefined && !wanted.includes(scenario.id)) continue;
    const row = await measure(scenario, options);
    rows.push(row);
    for (const line of lines(row)) console.log(line);
  }
  const machine = {
    node: process.version,
    platform: `${process.platform} ${release()}`,
    cores: availableParallelism(),
  };
  await mkdir(path.dirname(values.json), { recursive: true });
  await writeFile(
    values.json,
    `${JSON.stringify({ at: new Date().toISOString(), machine, options: { ...options, entry: undefined }, rows }, null, 2)}\n`,
  );
  console.log(
    `\nRatios are to the bare forwarder of the same round; cpu us is processor time per message. Written to ${values.json}`,
  );
}

function lines(row: Row): readonly string[] {
  const cells = (variant: string, one: Summary, ratio: string): string =>
    [
      row.title.padEnd(38),
      variant.padEnd(10),
      one.perSecond.toFixed(0).padStart(8),
      `${one.low.toFixed(0)}..${one.high.toFixed(0)}`.padStart(15),
      one.p50.toFixed(1).padStart(8),
      one.p99.toFixed(1).padStart(8),
      one.cpuUs.toFixed(0).padStart(7),
      ratio.padStart(6),
      one.refused === 0 ? '' : `${one.refused} refused`,
    ].join(' ');
  const all = [cells('bare', row.bare, '1.00'), cells('product', row.product, row.ratio.toFixed(2))];
  if (row.attached !== undefined) {
    const costs = ((row.consoleCosts ?? 0) * 100).toFixed(0);
    all.push(`${cells('+ console', row.attached, '')} costs ${costs} %, ${row.consoleEvents ?? 0} events`);
  }
  return all;
}
