/** `npm run bench`: throughput and latency of the product beside a bare forwarder and another sidecar, in one run, and the targets. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, release } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measure } from './measure.ts';
import type { BenchOptions, Row } from './measure.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Summary } from './stats.ts';
import { lineOf } from './targets/figures.ts';
import type { Figure } from './targets/figures.ts';
import { TARGET_PARTS } from './targets/parts.ts';
import { buildProduct } from '../../scripts/build-product.ts';

const DEFAULT_VERSIONS = ['1.13.6', '1.18.3'];
const USAGE = `Usage: npm run bench -- [options]
  --quick          one short round of everything
  --only a,b       only these rows: ${SCENARIOS.map((one) => one.id).join(', ')};
                   only these targets: ${Object.keys(TARGET_PARTS).join(', ')}; targets = all of them
  --reference PATH a sidecar to compare with, called as PATH VERSION HTTP_PORT APP_PORT and ended by SIGTERM:
                   only the targets are measured, with those that compare with it
  --reference-version V  repeatable (default ${DEFAULT_VERSIONS.join(' and ')})
  --rounds N       rounds of each variant (default 3)
  --seconds N      length of a round (default 3)
  --json FILE      where the numbers are written (default .cache/bench.json)
  --entry FILE     script of the product (default core/host/cli.ts for the rows, the built product for the targets)`;

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    json: { type: 'string', default: path.join(ROOT, '.cache', 'bench.json') },
    entry: { type: 'string' },
    reference: { type: 'string' },
    'reference-version': { type: 'string', multiple: true },
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
    entry: path.resolve(values.entry ?? path.join(ROOT, 'core', 'host', 'cli.ts')),
  };
  const only = values.only?.split(',') ?? (values.reference === undefined ? undefined : ['targets']);
  const before = loadavg()[0] ?? 0;
  const rows = await measureRows(options, only);
  const figures = await measureTargets(options, only);
  const machine = {
    node: process.version,
    platform: `${process.platform} ${release()}`,
    cores: availableParallelism(),
    load: { before, after: loadavg()[0] ?? 0 },
  };
  await mkdir(path.dirname(values.json), { recursive: true });
  await writeFile(
    values.json,
    `${JSON.stringify({ at: new Date().toISOString(), machine, options: { ...options, entry: undefined }, rows, figures }, null, 2)}\n`,
  );
  console.log(
    `\nLoad of the machine: ${before.toFixed(1)} before, ${machine.load.after.toFixed(1)} after, ${machine.cores} cores. Written to ${values.json}`,
  );
}

async function measureRows(
  options: BenchOptions,
  only: readonly string[] | undefined,
): Promise<readonly Row[]> {
  const wanted = SCENARIOS.filter(({ id }) => only === undefined || only.includes(id));
  if (wanted.length === 0) return [];
  console.log(HEAD.join(' '));
  const rows: Row[] = [];
  for (const scenario of wanted) {
    const row = await measure(scenario, options);
    rows.push(row);
    for (const line of lines(row)) console.log(line);
  }
  console.log(
    '\nRatios are to the bare forwarder of the same round; cpu us is processor time per message.\n',
  );
  return rows;
}

async function measureTargets(
  { rounds, seconds }: BenchOptions,
  only: readonly string[] | undefined,
): Promise<readonly Figure[]> {
  const isWanted = (id: string): boolean =>
    only === undefined || only.includes('targets') || only.includes(id);
  const wanted = Object.entries(TARGET_PARTS).filter(([id]) => isWanted(id));
  if (wanted.length === 0) return [];
  if (values.entry === undefined) await buildProduct();
  const { reference } = values;
  const options = {
    rounds,
    seconds,
    entry: path.resolve(values.entry ?? path.join(ROOT, 'bin', 'sidelight.mjs')),
    isQuick: values.quick,
    references:
      reference === undefined
        ? []
        : (values['reference-version'] ?? DEFAULT_VERSIONS).map((version) => ({
            path: path.resolve(reference),
            version,
          })),
  };
  const figures: Figure[] = [];
  for (const [, measurePart] of wanted) {
    for (const figure of await measurePart(options)) {
      figures.push(figure);
      console.log(lineOf(figure));
    }
  }
  return figures;
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
