/**
 * Minutes of load with kill -9 every 20 seconds: nothing acknowledged is lost, nothing is stuck. `npm run soak` runs ten and writes its
 * report.
 */
import { availableParallelism, loadavg, release } from 'node:os';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { load, startApp, startProduct } from './kill-product.ts';
import type { CountingApp, Running } from './kill-product.ts';
import { Pace } from './pace.ts';

const MINUTES = Number(process.env['SIDELIGHT_SOAK_MINUTES'] ?? 10);
const EVERY_MS = Number(process.env['SIDELIGHT_SOAK_KILL_SECONDS'] ?? 20) * 1000;
const PER_SECOND = Number(process.env['SIDELIGHT_SOAK_RATE'] ?? 300);
/** Where the report goes; none: nowhere. */
const REPORT = process.env['SIDELIGHT_SOAK_REPORT'];
const PUBLISHERS = 32;
const SETTLE_MS = 1_200_000;
const UNFINISHED = 'state:queued OR state:attempting OR state:retrying OR state:waiting OR state:parked';
/** Everything that was published is looked at in the end, and the clock does not decide how often a message may be tried. */
const FLAGS = ['--log-level', 'error', '--set', 'storage.maxMessages=1000000'].concat([
  ...['--set', 'delivery.retry={"maxAttempts":0,"firstDelayMs":50,"maxDelayMs":1000}'],
]);

let folder: string;
let app: CountingApp;
let product: Running | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sidelight-soak-'));
  app = await startApp();
});
afterEach(async () => {
  await product?.kill();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  `nothing acknowledged is lost in ${MINUTES} minutes with a kill every ${EVERY_MS / 1000} s`,
  async () => {
    const acknowledged = new Set<string>();
    const restarts: number[] = [];
    const pace = new Pace(PER_SECOND);
    const loadBefore = loadavg()[0] ?? 0;
    let made = 0;
    let kills = 0;
    const until = Date.now() + MINUTES * 60_000;
    while (Date.now() < until) {
      const from = performance.now();
      const running = await startProduct(folder, app.url, FLAGS);
      restarts.push(performance.now() - from);
      product = running;
      let isOver = false;
      const killAt = setTimeout(
        () => {
          isOver = true;
          void running.kill();
        },
        Math.min(EVERY_MS, Math.max(1000, until - Date.now())),
      );
      await load(
        running.sidecar,
        PUBLISHERS,
        async () => {
          if (isOver) return undefined;
          await pace.next();
          return isOver ? undefined : `e${++made}`;
        },
        (id) => acknowledged.add(id),
      );
      clearTimeout(killAt);
      await running.kill();
      kills += 1;
    }

    product = await startProduct(folder, app.url, FLAGS);
    const running = product;
    const kept = await running.call('messages.list', { limit: 1 });
    await expect
      .poll(async () => running.call('messages.list', { filter: UNFINISHED, limit: 1 }), {
        timeout: SETTLE_MS,
        interval: 1000,
      })
      .toMatchObject({ total: 0 });
    const lost = [...acknowledged].filter((id) => !app.got.has(id));
    const twice = [...app.got.values()].filter((times) => times > 1).length;
    const report = reportOf({
      kills,
      made,
      acknowledged: acknowledged.size,
      lost: lost.length,
      twice,
      restarts,
      kept,
      loadBefore,
    });
    process.stderr.write(`${report}\n`);
    if (REPORT !== undefined) {
      await mkdir(path.dirname(REPORT), { recursive: true });
      await writeFile(REPORT, report);
    }
    expect(lost).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(await running.end()).toBe(0);
  },
  MINUTES * 60_000 + SETTLE_MS + 120_000,
);

interface Figures {
  readonly kills: number;
  readonly made: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly twice: number;
  readonly restarts: readonly number[];
  readonly kept: unknown;
  readonly loadBefore: number;
}

function reportOf({ kills, made, acknowledged, lost, twice, restarts, kept, loadBefore }: Figures): string {
  const total =
    typeof kept === 'object' && kept !== null && 'total' in kept ? Number(kept.total) : Number.NaN;
  const sorted = restarts.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const rows: readonly (readonly [string, string])[] = [
    ['length', `${MINUTES} minutes, kill -9 every ${EVERY_MS / 1000} s`],
    [
      'load',
      `${PUBLISHERS} publishers, at most ${PER_SECOND} publishes a second, every seventh call answered RETRY`,
    ],
    ['kills', String(kills)],
    ['publishes tried', made.toLocaleString('en')],
    ['acknowledged (204)', acknowledged.toLocaleString('en')],
    ['in the history after the last kill', total.toLocaleString('en')],
    ['acknowledged and lost', String(lost)],
    ['stuck (not ended after everything was delivered)', '0'],
    ['delivered more than once', twice.toLocaleString('en')],
    [
      'restart until the ready line, median and longest',
      `${middle.toFixed(0)} ms, ${(sorted.at(-1) ?? 0).toFixed(0)} ms`,
    ],
    ['machine', `Node ${process.version}, ${process.platform} ${release()}, ${availableParallelism()} cores`],
    ['load average before and after', `${loadBefore.toFixed(1)}, ${(loadavg()[0] ?? 0).toFixed(1)}`],
    ['when', new Date().toISOString().slice(0, 16).replace('T', ' ')],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}
