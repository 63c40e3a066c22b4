/** `sidelight run … -- CMD`: the app as a child process beside its sidecar. */
import { runChildCommand } from './run-child-command.ts';
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { readyLine, welcome } from './ready.ts';
import { runEnvironment } from './run-environment.ts';
import { untilEnded } from './shutdown.ts';

/**
 * Starts the product, then the command with its environment. Ends with the command's status, and ends all
 * processes that the command leaves. Without a command the sidecar runs until a signal.
 */
export async function runCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  if (options.headless)
    process.stdout.write(`${readyLine(product.version, process.pid, options.profile, product.ready)}\n`);
  else process.stderr.write(`${welcome(product.ready, product.unsaid, product.ready.open)}\n`);
  const [program, ...args] = options.command;
  if (program === undefined) return untilEnded(product);
  const env = runEnvironment(product.ready, options);
  return runChildCommand(product, { program, args, env, appId: product.ready.apps[0]?.appId ?? '' });
}
