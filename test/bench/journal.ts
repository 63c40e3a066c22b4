/** `npm run bench:journal`: the journal on disk, a long history, growth, Redis; written as a report in Markdown. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fillJournal } from './journal-fill.ts';
import { measureHistory } from './journal-history.ts';
import type { HistoryReport } from './journal-history.ts';
import { measureDurable, measureGrowth, measureRedis } from './journal-rows.ts';
import type { DurableReport, GrowthReport, RedisReport } from './journal-rows.ts';
import { measureWrites } from './journal-writes.ts';
import type { WritesRow } from './journal-writes.ts';
import { startPeer } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const ROWS = ['writes', 'durable', 'history', 'growth', 'redis'] as const;
const USAGE = `Usage: npm run bench:journal -- [options]
  --only a,b       only these rows: ${ROWS.join(', ')}
  --messages N     length of the history and of the growth (default 1000000)
  --rounds N       rounds of each variant of durable (default 3)
  --seconds N      length of a round (default 5)
  --history DIR    a folder that was filled before, and is left as it is
  --entry FILE     script of the product (default core/host/cli.ts)
  --out FILE       where the report is written (default .cache/bench-journal.md)`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    messages: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    history: { type: 'string' },
    entry: { type: 'string', default: path.join(ROOT, 'core', 'host', 'cli.ts') },
    out: { type: 'string', default: path.join(ROOT, '.cache', 'bench-journal.md') },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
if (values.help) console.log(USAGE);
else await bench();

async function bench(): Promise<void> {
  const entry = path.resolve(values.entry);
  const messages = Number(values.messages);
  const seconds = Number(values.seconds);
  const wanted = values.only?.split(',') ?? ROWS;
  const parts: string[] = [machine()];
  const add = async (row: (typeof ROWS)[number], make: () => Promise<string>): Promise<void> => {
    if (!wanted.includes(row)) return;
    const load = loadavg()[0] ?? 0;
    const text = `${await make()}\nLoad of the machine: ${load.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.\n`;
    console.log(text);
    parts.push(text);
  };
  await add('writes', async () => writesText(await measureWrites(seconds)));
  await add('durable', async () => durableText(await measureDurable(entry, Number(values.rounds), seconds)));
  await add('history', async () => historyText(await history(entry, messages)));
  await add('redis', async () => redisText(await measureRedis(entry, seconds)));
  await add('growth', async () => growthText(await measureGrowth(entry, messages, reportPoint)));
  await mkdir(path.dirname(values.out), { recursive: true });
  await writeFile(values.out, parts.join('\n'));
  console.log(`Written to ${values.out}`);
}

async function history(entry: string, messages: number): Promise<HistoryReport> {
  const own = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  const app = startPeer('./app-process.ts');
  try {
    const folder = values.history ?? path.join(own, 'history');
    if (values.history === undefined) {
      await mkdir(folder);
      console.log(`${messages} messages written in ${fillJournal(folder, messages).toFixed(0)} s`);
    }
    const { port } = await app.ask<{ port: number }>({ kind: 'start', subscriptions: [] }, 30_000);
    return await measureHistory(entry, folder, path.join(own, 'empty'), `http://127.0.0.1:${port}`);
  } finally {
    await app.stop();
    await rm(own, { recursive: true, force: true });
  }
}

function reportPoint({ messages, rssMb }: GrowthReport['points'][number]): void {
  console.log(`${messages.toLocaleString('en')} messages: ${rssMb.toFixed(0)} MB`);
}

function machine(): string {
  const memory = Math.round(totalmem() / 1024 ** 3);
  return [
    `Node ${process.version}, ${process.platform} ${release()}, ${availableParallelism()} cores`,
    `(${cpus()[0]?.model ?? 'unknown'}), ${memory} GB; ${new Date().toISOString().slice(0, 10)}.\n`,
  ].join(' ');
}

function writesText(rows: readonly WritesRow[]): string {
  return [
    '## What a message costs the disk\n',
    table([
      'journal',
      'publishers',
      'messages',
      'groups a message',
      'syncs a message',
      'page writes a message',
    ]),
    ...rows.map(({ level, publishers, messages, groups, syncs, pageWrites }) =>
      cells([
        `disk, ${level}`,
        String(publishers),
        messages.toLocaleString('en'),
        ...[groups, syncs, pageWrites].map((each) => each.toFixed(2)),
      ]),
    ),
    '',
  ].join('\n');
}

function durableText({ memory, full, normal, fullRatio, normalRatio }: DurableReport): string {
  const row = (name: string, rounds: DurableReport['full'], ratio: number): string =>
    rounds
      .map(({ perSecond, ackP50, ackP99, cpuUs }, n) =>
        cells([
          n === 0 ? name : '',
          perSecond.toFixed(0),
          ackP50.toFixed(1),
          ackP99.toFixed(1),
          cpuUs.toFixed(0),
          n === 0 ? ratio.toFixed(2) : '',
        ]),
      )
      .join('\n');
  return [
    '## On disk against in memory, 64 publishers\n',
    table(['journal', 'messages/s', 'answer p50 ms', 'answer p99 ms', 'cpu µs/message', 'ratio (median)']),
    row('memory', memory, 1),
    row('disk, full', full, fullRatio),
    row('disk, normal', normal, normalRatio),
    '',
  ].join('\n');
}

function historyText(report: HistoryReport): string {
  const { messages, openMs, openEmptyMs, filters, pagesMs, textTotalMs, afterCancelMs, rssMb, rssEmptyMb } =
    report;
  const [first = 0, middle = 0, last = 0] = pagesMs;
  return [
    `## A history of ${messages.toLocaleString('en')} messages\n`,
    `Start until the ready line: ${openMs.toFixed(0)} ms, with an empty folder ${openEmptyMs.toFixed(0)} ms.`,
    `100 rows at the newest end ${first.toFixed(1)} ms, in the middle ${middle.toFixed(1)} ms, at the oldest end ${last.toFixed(1)} ms.`,
    `A page right after a search was given up: ${afterCancelMs.toFixed(1)} ms. \`messages.list\` with the total of a text search: ${textTotalMs.toFixed(0)} ms.`,
    `Memory after all of this: ${rssMb.toFixed(0)} MB; started on an empty folder: ${rssEmptyMb.toFixed(0)} MB.\n`,
    table(['filter', 'matches', 'first 100 rows ms', 'whole history ms', 'cpu ms']),
    ...filters.map(({ filter, matches, firstMs, wholeMs, cpuMs }) =>
      cells([
        filter === '' ? '(none)' : `\`${filter}\``,
        matches.toLocaleString('en'),
        firstMs.toFixed(0),
        wholeMs.toFixed(0),
        cpuMs.toFixed(0),
      ]),
    ),
    '',
  ].join('\n');
}

function growthText({ messages, seconds, points, grownMb }: GrowthReport): string {
  return [
    `## Memory while ${messages.toLocaleString('en')} messages are published, delivered and kept\n`,
    `${(messages / seconds).toFixed(0)} messages/s (bulk publish of 100, 4 publishers), grown by ${grownMb.toFixed(0)} MB.\n`,
    table(['messages', 'resident MB']),
    ...points.map((point) => cells([point.messages.toLocaleString('en'), point.rssMb.toFixed(0)])),
    '',
  ].join('\n');
}

function redisText({ bare, product, ratio }: RedisReport): string {
  return [
    '## Redis: publish to delivery against a bare client, 64 at a time\n',
    table(['what', 'messages/s', 'p50 ms', 'p99 ms']),
    cells([
      'bare: XADD, XREADGROUP, XACK',
      bare.perSecond.toFixed(0),
      bare.p50.toFixed(1),
      bare.p99.toFixed(1),
    ]),
    cells([
      'product: HTTP publish (answer), delivered over HTTP',
      product.perSecond.toFixed(0),
      product.ackP50.toFixed(1),
      product.ackP99.toFixed(1),
    ]),
    `\nRatio of the throughputs: ${ratio.toFixed(2)}.\n`,
  ].join('\n');
}

function table(heads: readonly string[]): string {
  return `${cells(heads)}\n|${heads.map((_, n) => (n === 0 ? '---' : '--:')).join('|')}|`;
}

function cells(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}
