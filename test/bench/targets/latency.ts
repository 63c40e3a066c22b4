/** Target 2: how old a message is when the app has it, at 70 % of the highest rate that the backlog does not grow at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Arrival } from '../messages.ts';
import { startPeer } from '../processes.ts';
import type { Peer, Product } from '../processes.ts';
import { RpcSocket } from '../rpc-socket.ts';
import { median } from '../stats.ts';
import { startApp, startOurs } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { Flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';
import { WARM_UP } from './sides.ts';
import { newestRows, stageLines, stagesOf } from './stages.ts';
import type { Stages } from './stages.ts';

const PUBLISHERS = 64;
const SHARE = 0.7;
const ASK_MS = 30_000;
const MAX_MS = { memory: 50, disk: 100 } as const;

/** Rows 2 for a history in memory and on disk. */
export async function measureLatency(options: TargetOptions): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  try {
    return [
      await latency('memory', ['--ephemeral'], options),
      await latency('disk', ['--data-dir', path.join(folder, 'data')], options),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function latency(
  where: keyof typeof MAX_MS,
  flags: readonly string[],
  { entry, rounds, seconds }: TargetOptions,
): Promise<Figure> {
  const { peer: app, port } = await startApp();
  const load = startPeer('./load-process.ts');
  const ours = await startOurs(port, entry, flags);
  try {
    await flow(ours, { app, load }, { publishers: 8, seconds: 60, mostMessages: WARM_UP });
    const fullest = await flow(ours, { app, load }, { publishers: PUBLISHERS, seconds });
    const rate = Math.round(fullest.processedPerSecond * SHARE);
    const paced: Flow[] = [];
    for (let round = 0; round < rounds; round += 1) {
      paced.push(await flow(ours, { app, load }, { publishers: PUBLISHERS, seconds, rate, notes: true }));
      console.log(`${where}, round ${round + 1} at ${rate}/s`);
      for (const line of stageLines(await stagesSeen(app, ours.product))) console.log(`  ${line}`);
    }
    return {
      id: `2.${where}`,
      title: `publish to app, p99 at 70 % of the highest rate, ${where}`,
      value: median(paced.map(({ p99 }) => p99)),
      target: { atMost: MAX_MS[where] },
      unit: 'ms',
      detail: `at ${rate}/s, p50 ${median(paced.map(({ p50 }) => p50)).toFixed(1)} ms`,
    };
  } finally {
    await ours.stop();
    await load.stop();
    await app.stop();
  }
}

/** Notes of the app from the last load, with the product's history of the same messages. */
async function stagesSeen(app: Peer, { console: address, token }: Product): Promise<readonly Stages[]> {
  const { arrivals } = await app.ask<{ readonly arrivals: readonly Arrival[] }>({ kind: 'arrivals' }, ASK_MS);
  const socket = await RpcSocket.open(address, token);
  try {
    return stagesOf(arrivals, await newestRows(socket, arrivals.length));
  } finally {
    socket.close();
  }
}
