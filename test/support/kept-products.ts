/** Products of a test file, one at a time, in a process that has the program loaded: the second one loads nothing again. */
import { afterAll } from 'vitest';
import { ProductPool } from '../e2e/reuse/product-pool.ts';
import { withStandingFlags } from '../e2e/product.ts';
import type { Product, StartOptions } from '../e2e/product.ts';
import { PROGRAM } from './program.ts';

export interface KeptProducts {
  /** Starts one; there is none that runs. */
  readonly start: (options?: Pick<StartOptions, 'command' | 'flags'>) => Promise<Product>;
  /** Ends the one that runs; for `afterEach`. Fails when it does not end in order, or leaves something open. */
  readonly end: () => Promise<void>;
}

/** To be called once in a file, outside of its tests. The process ends after the last of them. */
export function keptProducts(): KeptProducts {
  const pool = new ProductPool(PROGRAM);
  let running: Product | undefined;
  afterAll(() => pool.end());
  return {
    async start({ command, flags = [] } = {}) {
      const args =
        command === undefined
          ? withStandingFlags(flags)
          : [command, '--headless', '--console-port', '0', ...flags];
      const product = await pool.startWith(args, () => (running = undefined));
      running = product;
      return product;
    },
    async end() {
      const last = running;
      const status = (await last?.stop()) ?? 0;
      if (status !== 0) throw new Error(`it ended with ${status}:\n${last?.log()}`);
    },
  };
}
