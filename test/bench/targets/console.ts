/** Targets 9 and 10: a flood for a slow app with a console that lists, and what a console costs that looks at a view. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppTell } from '../messages.ts';
import { cpuMs, memoryMb, startPeer } from '../processes.ts';
import type { Peer, Product } from '../processes.ts';
import { RpcSocket } from '../rpc-socket.ts';
import { median, quantile } from '../stats.ts';
import { startApp, startOurs } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { Figure } from './figures.ts';
import { flow } from './flow.ts';
import type { TargetOptions } from './rates.ts';

const SLOW_MS = 200;
const SLOW_CALLS = 10;
const LIST_MS = 100;
const FLOOD_S = 60;
const QUICK_FLOOD_S = 10;
const COSTS = 0.05;
const POLL_INTERVAL_MS = 250;
const ASK_MS = 30_000;
/** Pairs of windows for each round: single pairs differ by more than a console may cost. */
const PAIRS_A_ROUND = 4;
const QUICK_PAIRS = 2;
/** Pairs that are not counted: what the engine compiles for the first console is no cost of a message. */
const WARM_PAIRS = 1;
/**
 * Time after a console came or went, in which the engine compiles functions again: for six seconds its threads take twice as much. A console that
 * stays costs that once.
 */
const SETTLE_MS = 6_000;
/** More than a console's process takes to start and to end. */
const ATTACH_MS = 1_000;

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

/** Messages and processor time of ours in one window of a load. */
interface Window {
  readonly perSecond: number;
  readonly cpuUs: number;
}

interface Pair {
  readonly alone: Window;
  readonly watched: Window;
}

/**
 * Row 10: throughput with a console beside that without one, in a process of its own for each round: what the engine makes of the code differs
 * from process to process by as much as a console costs, and stays so for as long as a process lives.
 */
export async function measureConsole(options: TargetOptions): Promise<readonly Figure[]> {
  const { rounds, isQuick } = options;
  const measured: (readonly Pair[])[] = [];
  for (let round = 0; round < (isQuick ? 1 : rounds); round += 1) measured.push(await roundOf(options));
  return [figureOf(measured)];
}

/** One load goes on meanwhile, and the console comes and goes: what the machine does from minute to minute is the same for both windows of a pair. */
async function roundOf({ entry, seconds, isQuick }: TargetOptions): Promise<readonly Pair[]> {
  const { peer: app, port } = await startApp();
  const load = startPeer('./load-process.ts');
  const ours = await startOurs(port, entry);
  const count = WARM_PAIRS + (isQuick ? QUICK_PAIRS : PAIRS_A_ROUND);
  const windowMs = seconds * 1_000;
  const loadMs = count * (2 * (windowMs + SETTLE_MS) + ATTACH_MS);
  let isLoadOver = false;
  const pairs = async (): Promise<readonly Pair[]> => {
    const measured: Pair[] = [];
    while (measured.length < count) {
      measured.push(await pairOf(ours, app, { windowMs, isReverse: measured.length % 2 === 1 }));
      if (isLoadOver) throw new Error('the load was over before the last window');
    }
    return measured.slice(WARM_PAIRS);
  };
  try {
    const loaded = flow(ours, { app, load }, { publishers: 64, seconds: loadMs / 1_000 });
    const [measured] = await Promise.all([pairs(), loaded.finally(() => (isLoadOver = true))]);
    return measured;
  } finally {
    await ours.stop();
    await load.stop();
    await app.stop();
  }
}

/** The median of the rounds' medians. */
function figureOf(rounds: readonly (readonly Pair[])[]): Figure {
  const pairs = rounds.flat();
  const costs = rounds.map((round) => median(round.map(costOf)));
  const cpu = median(pairs.map(({ alone, watched }) => watched.cpuUs / alone.cpuUs - 1));
  const sorted = pairs.map(costOf).toSorted((one, other) => one - other);
  const [low, high] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const each = costs.map((cost) => cost.toFixed(2)).join(', ');
  return {
    id: '10',
    title: 'share of the throughput that a console costs, view of 50 rows',
    value: median(costs),
    target: { atMost: COSTS },
    detail: `processor time of ours ${(cpu * 100).toFixed(0)} % more; rounds ${each}; ${pairs.length} pairs, the middle half from ${low.toFixed(2)} to ${high.toFixed(2)}`,
  };
}

function costOf({ alone, watched }: Pair): number {
  return 1 - watched.perSecond / alone.perSecond;
}

/** Two windows of a load that goes on, one of them with a console. Every other pair the other way round, so that what fills up favours none. */
async function pairOf(
  ours: Contender & { readonly product: Product },
  app: Peer,
  { windowMs, isReverse }: { readonly windowMs: number; readonly isReverse: boolean },
): Promise<Pair> {
  const watching = async (): Promise<Window> => {
    const watcher = startPeer('./console-process.ts', [ours.product.console, ours.product.token, 'views']);
    await watcher.first();
    const window = await windowOf(ours, app, windowMs);
    await watcher.stop();
    return window;
  };
  const before = isReverse ? await watching() : undefined;
  const alone = await windowOf(ours, app, windowMs);
  return { alone, watched: before ?? (await watching()) };
}

/** Messages that came to the app of a load that goes on, after the load has settled. */
async function windowOf({ pid }: Contender, app: Peer, forMs: number): Promise<Window> {
  const seen = async (): Promise<number> =>
    (await app.ask<Extract<AppTell, { kind: 'seen' }>>({ kind: 'seen' }, ASK_MS)).messages;
  await sleep(SETTLE_MS);
  const [messages, cpu, from] = [await seen(), await cpuMs(pid), performance.now()];
  await sleep(forMs);
  const [came, took] = [(await seen()) - messages, (await cpuMs(pid)) - cpu];
  return { perSecond: came / ((performance.now() - from) / 1_000), cpuUs: (took * 1_000) / came };
}
