/** The whole product in the process of a test, without a console, and ended with it. */
import { onTestFinished } from 'vitest';
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { productAt, withStandingFlags } from '../e2e/product.ts';
import type { Product } from '../e2e/product.ts';

/** Runs at the end of the test, the newest first. A hook of this module would only serve the first file of a process. */
export function atEnd(end: () => Promise<unknown>): void {
  onTestFinished(async () => void (await end()));
}

/** In this process: one of its own would take as long to start as all of the tests. */
export async function product(...flags: readonly string[]): Promise<Product> {
  const argv = withStandingFlags(['--headless', '--profile', 'dapr', '--log-level', 'error', ...flags]);
  const run = await startProduct(readOptions(argv, {}));
  const stop = async (): Promise<number> => run.stop().then(() => 0);
  atEnd(stop);
  const ready = { event: 'ready', version: run.version, pid: process.pid, ...run.ready } as const;
  return productAt(ready, { log: () => '', stop, kill: async () => void (await stop()) });
}

/** Waits for so many messages that pass a filter. */
export async function count(run: Product, filter: string, wanted: number): Promise<void> {
  await run.when(`${wanted} of ${filter}`, async () => {
    const { total } = await run.rpc('messages.list', { filter });
    return total === wanted ? true : undefined;
  });
}
