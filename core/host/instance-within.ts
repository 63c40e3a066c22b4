/** Instances beside each other in this process: what a scenario needs is there in a twentieth of the time of a process. */
import { connect } from '../testing/connect.ts';
import { argumentsOf } from '../testing/instance.ts';
import type { InstanceOptions, RunningInstance } from '../testing/instance.ts';
import { startProduct } from './compose.ts';
import { readOptions } from './options.ts';

/**
 * Rejects with what a start is refused for. Its log goes nowhere: the steps tell what was wrong.
 * @param env the environment, on top of which come the variables of the options
 */
export async function startWithin(
  options: InstanceOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningInstance> {
  const flags = readOptions(argumentsOf(options), { ...env, ...options.env });
  const product = await startProduct({ ...flags, writeLog: () => undefined });
  // A history that is kept is one of calls that were not cut.
  const stop = (): Promise<void> => product.stop(options.dataDir === undefined ? 'at-once' : 'in-order');
  try {
    const rpc = await connect(product.ready);
    return {
      at: product.ready,
      rpc,
      restart: () => Promise.reject(new Error('an instance that restarts has a process of its own')),
      stop: async () => {
        rpc.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
