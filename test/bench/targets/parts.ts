/** The parts of the targets that can be measured by themselves: one line for each. */
import { measureConsole, measureSlowApp } from './console.ts';
import { measureDisk } from './disk.ts';
import type { Figure } from './figures.ts';
import { measureGrpc } from './grpc.ts';
import { measureGrowth } from './growth.ts';
import { measureLatency } from './latency.ts';
import { measureMemory, measureStart } from './memory.ts';
import { measureRates } from './rates.ts';
import { measureRedis } from './redis.ts';
import { measureTap } from './tap.ts';
import type { TargetOptions } from './rates.ts';

export const TARGET_PARTS: Readonly<Record<string, (options: TargetOptions) => Promise<readonly Figure[]>>> =
  {
    rates: measureRates,
    disk: measureDisk,
    redis: measureRedis,
    growth: measureGrowth,
    latency: measureLatency,
    memory: measureMemory,
    'slow-app': measureSlowApp,
    console: measureConsole,
    start: measureStart,
    grpc: measureGrpc,
    tap: measureTap,
  };
