/** Targets 8 and 11: memory of an idle start and of 100,000 messages, and how long a start takes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb, startPeer } from '../processes.ts';
import { median } from '../stats.ts';
import { startApp, startOurs } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';

const MESSAGES = 100_000;
const MAX_MB = 250;
const IDLE_MB = 100;
const READY_S = 0.7;
/** Time after which the temporary memory of a start is free again. */
const SETTLE_MS = 5_000;
/** All of them on one topic: one topic alone gets nine tenths of the bound. */
const ROOM = ['--set', `delivery.backlog=${MESSAGES * 2}`];

const settled = async (pid: number): Promise<number> => {
  await sleep(SETTLE_MS);
  return memoryMb(pid);
};

/** Rows 8: what waits for an app that does not answer, and what is kept once it did; in memory and on disk. */
export async function measureMemory({ entry }: TargetOptions): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sidelight-bench-'));
  try {
    return [
      ...(await grown('memory', ['--ephemeral', ...ROOM], entry)),
      ...(await grown('disk', ['--data-dir', path.join(folder, 'data'), ...ROOM], entry)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function grown(where: string, flags: readonly string[], entry: string): Promise<readonly Figure[]> {
  const { peer: app, port } = await startApp();
  const load = startPeer('./load-process.ts');
  const ours = await startOurs(port, entry, flags);
  const figure = (what: string, mb: number): Figure => ({
    id: `8.${where}`,
    title: `memory above idle at 100,000 messages ${what}, ${where}`,
    value: mb,
    target: { atMost: MAX_MB },
    unit: 'MB',
  });
  try {
    const idle = await settled(ours.pid);
    await app.ask({ kind: 'pace', answerMs: 'never' }, SETTLE_MS);
    const flood = { publishers: 64, seconds: 120, mostMessages: MESSAGES };
    // Nothing arrives beyond the calls that hang, so the app is not waited for.
    await flow(ours, { app, load }, { ...flood, isCounted: false });
    const waiting = (await settled(ours.pid)) - idle;
    await ours.stop();
    const again = await startOurs(port, entry, [...flags, ...keptElsewhere(flags)]);
    try {
      await app.ask({ kind: 'pace', answerMs: 0 }, SETTLE_MS);
      const idleAgain = await settled(again.pid);
      await flow(again, { app, load }, flood);
      return [figure('waiting', waiting), figure('kept', (await settled(again.pid)) - idleAgain)];
    } finally {
      await again.stop();
    }
  } finally {
    await ours.stop();
    await load.stop();
    await app.stop();
  }
}

/** A second start has an empty history too. */
function keptElsewhere(flags: readonly string[]): readonly string[] {
  const at = flags.indexOf('--data-dir');
  return at === -1 ? [] : ['--data-dir', `${flags[at + 1] ?? ''}-kept`];
}

/** Rows 11. */
export async function measureStart({ entry, rounds }: TargetOptions): Promise<readonly Figure[]> {
  const { peer: app, port } = await startApp();
  const idle: number[] = [];
  const ready: number[] = [];
  try {
    // The first start fills caches of the disk and of compiled code.
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await startOurs(port, entry);
      if (round > 0) {
        ready.push(ours.product.readyMs / 1_000);
        idle.push(await settled(ours.pid));
      }
      await ours.stop();
    }
  } finally {
    await app.stop();
  }
  return [
    { id: '11.mb', title: 'idle memory', value: median(idle), target: { atMost: IDLE_MB }, unit: 'MB' },
    { id: '11.s', title: 'ready line after', value: median(ready), target: { atMost: READY_S }, unit: 's' },
  ];
}
