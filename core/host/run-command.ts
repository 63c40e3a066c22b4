/** `sidelight run … -- CMD`: the app as a child process beside its sidecar. */
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { startGroup } from './process-group.ts';
import { readyLine, welcome } from './ready.ts';
import { runEnvironment } from './run-environment.ts';
import { untilEnded } from './shutdown.ts';

const CHILD_GRACE_MS = 5_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the product, then the command with the environment it expects; ends with the command's status, and ends whatever the command
 * leaves behind. Without a command the sidecar runs alone until a signal.
 */
export async function runCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  if (options.headless)
    process.stdout.write(`${readyLine(product.version, process.pid, options.profile, product.ready)}\n`);
  else process.stderr.write(`${welcome(product.ready, product.notes, product.ready.open)}\n`);
  const [program, ...args] = options.command;
  if (program === undefined) {
    return untilEnded(product);
  }
  const group = startGroup(program, args, runEnvironment(product.ready, options));
  const [first] = product.ready.apps;
  if (group.pid !== undefined && first !== undefined)
    product.started([{ appId: first.appId, pid: group.pid }]);
  let killer: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    group.signal(signal);
    killer ??= setTimeout(() => group.signal('SIGKILL'), CHILD_GRACE_MS);
  };
  const onSignal = (signal: NodeJS.Signals): void => end(signal);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  let isForced = false;
  product.onShutdown((force) => {
    isForced = force;
    end(force ? 'SIGKILL' : 'SIGTERM');
  });
  try {
    const status = await group.status;
    return isForced ? 1 : status;
  } finally {
    clearTimeout(killer);
    await group.end(CHILD_GRACE_MS);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    await product.stop(isForced ? 0 : undefined);
  }
}
