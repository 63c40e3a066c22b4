/** A whole headless product in the process of the test: its program is loaded once, so it starts at once. */
import { startProduct } from '../../core/host/compose.ts';
import { readOptions } from '../../core/host/options.ts';
import { productAt, withStandingFlags } from '../e2e/product.ts';
import type { Product, StartOptions } from '../e2e/product.ts';

/** @param options those of a product that is a process of its own, but for its file and its environment */
export async function productInProcess({
  command,
  flags = [],
}: Pick<StartOptions, 'command' | 'flags'> = {}): Promise<Product> {
  const quiet = ['--log-level', 'error'];
  const args =
    command === undefined
      ? withStandingFlags([...quiet, ...flags])
      : [command, '--headless', '--console-port', '0', ...quiet, ...flags];
  const { ready, version, stop } = await started(args);
  return productAt(
    { ...ready, event: 'ready', version, pid: process.pid },
    {
      log: () => '',
      stop: async () => {
        await stop();
        return 0;
      },
      kill: () => stop('at-once'),
    },
  );
}

async function started(args: readonly string[]) {
  const product = await startProduct(readOptions(args, {}));
  let isOver = false;
  const stop = async (how?: 'at-once'): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await product.stop(how);
  };
  return { ready: product.ready, version: product.version, stop };
}
