/**
 * Starts instances for scenarios in this process, which takes a twentieth of the time of a process of their
 * own.
 */
import { connect } from '../testing/connect.ts';
import { argumentsOf } from '../testing/instance.ts';
import type { InstanceOptions, RunningInstance } from '../testing/instance.ts';
import { startProduct } from './compose.ts';
import { readOptions } from './options.ts';

/**
 * Starts an instance. Rejects with the reason if it cannot start. Its log is dropped: the steps report mistakes. Other commands do not find it
 * as a running instance: several run at a time in this process, and they come and go.
 * @param env the environment; the variables of the options are added
 */
export async function startInProcess(
  options: InstanceOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningInstance> {
  const flags = readOptions(argumentsOf(options), { ...env, ...options.env });
  const product = await startProduct({ ...flags, writeLog: () => undefined, isListed: false });
  // If the history is kept, calls are not cut, so that it is complete.
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
