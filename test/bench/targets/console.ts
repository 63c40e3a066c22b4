/** Targets 9 and 10: a flood for a slow app with a console that lists, and what a console costs that looks at a view. */
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMb, startPeer } from '../processes.ts';
import type { Product } from '../processes.ts';
import { RpcSocket } from '../rpc-socket.ts';
import { median, quantile } from '../stats.ts';
import { startApp, startOurs } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { Flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';

const SLOW_MS = 200;
const SLOW_CALLS = 10;
const LIST_MS = 100;
const FLOOD_S = 60;
const QUICK_FLOOD_S = 10;
const COSTS = 0.05;
const POLL_INTERVAL_MS = 250;
const ASK_MS = 30_000;
/** Pairs of loads for each round: single pairs differ by more than a console may cost. */
const PAIRS_A_ROUND = 3;

/** Rows 9. */
export async function measureSlowApp({ entry, isQuick }: TargetOptions): Promise<readonly Figure[]> {
  const floodSeconds = isQuick ? QUICK_FLOOD_S : FLOOD_S;
  const { peer: app, port } = await startApp();
  const load = startPeer('./load-process.ts');
  const ours = await startOurs(port, entry, ['--ephemeral', '--set', `delivery.concurrency=${SLOW_CALLS}`]);
  try {
    await app.ask({ kind: 'pace', answerMs: SLOW_MS }, ASK_MS);
    const watch = watchLists(ours.product);
    const measured = await flow(
      ours,
      { app, load },
      { publishers: 64, seconds: floodSeconds, isCounted: false },
    );
    const { waits, memory } = await watch.end();
    const sorted = waits.toSorted((one, other) => one - other);
    const early = memory[Math.floor(memory.length / 4)] ?? Number.NaN;
    const late = memory.at(-1) ?? Number.NaN;
    return [
      {
        id: '9.list',
        title: 'messages.list p99 while a slow app is flooded',
        value: quantile(sorted, 0.99),
        target: { atMost: LIST_MS },
        unit: 'ms',
        detail: `${waits.length} lists, ${measured.acceptedPerSecond.toFixed(0)} accepted/s, ${measured.refused} refused`,
      },
      {
        id: '9.mb',
        title: 'memory from a quarter of that flood to its end',
        value: late - early,
        unit: 'MB',
        detail: `${early.toFixed(0)} to ${late.toFixed(0)} MB`,
      },
    ];
  } finally {
    await ours.stop();
    await load.stop();
    await app.stop();
  }
}

interface Watched {
  readonly waits: readonly number[];
  readonly memory: readonly number[];
}

/** Lists messages over the console, one list after another, until it is ended. */
function watchLists(product: Product): { end(): Promise<Watched> } {
  let isOver = false;
  const waits: number[] = [];
  const memory: number[] = [];
  const run = async (): Promise<Watched> => {
    const socket = await RpcSocket.open(product.console, product.token);
    while (!isOver) {
      const askedAt = performance.now();
      await socket.call('messages.list', { limit: 50 });
      waits.push(performance.now() - askedAt);
      memory.push(await memoryMb(product.pid));
      await sleep(POLL_INTERVAL_MS);
    }
    socket.close();
    return { waits, memory };
  };
  const running = run();
  return {
    end: async () => {
      isOver = true;
      return running;
    },
  };
}

/** Row 10: throughput with a console beside that without one, in turn. */
export async function measureConsole({ entry, rounds, seconds }: TargetOptions): Promise<readonly Figure[]> {
  const { peer: app, port } = await startApp();
  const load = startPeer('./load-process.ts');
  const ours = await startOurs(port, entry);
  const costs: number[] = [];
  const cpu: number[] = [];
  try {
    const one = { publishers: 64, seconds };
    const flowWatched = async (): Promise<Flow> => {
      const watcher = startPeer('./console-process.ts', [ours.product.console, ours.product.token, 'views']);
      await watcher.first();
      const watched = await flow(ours, { app, load }, one);
      await watcher.stop();
      return watched;
    };
    // Both ways are warm before they are measured: what the engine compiles for the first console is no cost of a message.
    await flow(ours, { app, load }, one);
    await flowWatched();
    for (let pair = 0; pair < rounds * PAIRS_A_ROUND; pair += 1) {
      // Every other pair the other way round, so that what warms up or fills up favours none.
      const before = pair % 2 === 0 ? undefined : await flowWatched();
      const alone = await flow(ours, { app, load }, one);
      const watched = before ?? (await flowWatched());
      costs.push(1 - watched.processedPerSecond / alone.processedPerSecond);
      cpu.push(watched.cpuUs / alone.cpuUs - 1);
    }
  } finally {
    await ours.stop();
    await load.stop();
    await app.stop();
  }
  return [
    {
      id: '10',
      title: 'share of the throughput that a console costs, view of 50 rows',
      value: median(costs),
      target: { atMost: COSTS },
      detail: `processor time of ours ${(median(cpu) * 100).toFixed(0)} % more; ${costs.length} pairs from ${Math.min(...costs).toFixed(2)} to ${Math.max(...costs).toFixed(2)}`,
    },
  ];
}
