/** `sidelight run … -- CMD`: the app as a child process beside its sidecar. */
import { spawn } from 'node:child_process';
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { readyLine, welcome } from './ready.ts';
import { runEnvironment } from './run-environment.ts';
import { untilEnded } from './shutdown.ts';

const CHILD_GRACE_MS = 5_000;

/**
 * Starts the product, then the command with the environment it expects; ends with the command's status. Without a command the sidecar
 * runs alone until a signal.
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
  const child = spawn(program, args, { stdio: 'inherit', env: runEnvironment(product.ready, options) });
  const [first] = product.ready.apps;
  if (child.pid !== undefined && first !== undefined)
    product.started([{ appId: first.appId, pid: child.pid }]);
  const over = new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`the command could not be started: ${error.message}`, { cause: error })),
    );
    child.once('exit', (code, signal) =>
      resolve(code ?? (signal === null ? 1 : 128 + (SIGNAL_NUMBERS[signal] ?? 0))),
    );
  });
  let killer: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    killer ??= setTimeout(() => child.kill('SIGKILL'), CHILD_GRACE_MS);
  };
  const onSignal = (signal: NodeJS.Signals): void => end(signal);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  product.onShutdown(() => end('SIGTERM'));
  try {
    return await over;
  } finally {
    clearTimeout(killer);
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    await product.stop();
  }
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
